/**
 * Zipf-distributed ranks by rejection-inversion: W. Hörmann, G. Derflinger, "Rejection-inversion to generate variates
 * from monotone discrete distributions", ACM TOMACS 6(3), 1996. Constant set-up and memory; the method of Gray et al.
 * (SIGMOD 1994), which YCSB uses, first needs a sum over all n ranks.
 */
interface Zipf {
  /**
   * A rank 0 … n − 1; rank r has a probability proportional to 1 / (r + 1)^exponent. `unit` gives uniform numbers in
   * [0, 1).
   */
  sample(unit: () => number): number;
}

/** n ≥ 1, exponent > 0 (YCSB's usual skew is 0.99). Ranks are not scrambled: rank 0 is the most frequent. */
export function createZipf(n: number, exponent = 0.99): Zipf {
  if (!(n >= 1) || !(exponent > 0)) throw new RangeError(`No Zipf distribution with n = ${n}, exponent ${exponent}.`);
  // The integral of the hat x^−exponent and its inverse; the helpers keep them exact around exponent 1.
  const integral = (x: number) => {
    const logX = Math.log(x);
    return expm1Over((1 - exponent) * logX) * logX;
  };
  const inverse = (y: number) => Math.exp(log1pOver(Math.max(-1, y * (1 - exponent))) * y);
  const hat = (x: number) => Math.exp(-exponent * Math.log(x));

  const from = integral(1.5) - 1;
  const to = integral(n + 0.5);
  const shortcut = 2 - inverse(integral(2.5) - hat(2));

  return {
    sample(unit) {
      for (;;) {
        const u = to + unit() * (from - to);
        const x = inverse(u);
        const rank = Math.min(n, Math.max(1, Math.floor(x + 0.5)));
        if (rank - x <= shortcut || u >= integral(rank + 0.5) - hat(rank)) return rank - 1;
      }
    },
  };
}

const expm1Over = (x: number) => (Math.abs(x) > 1e-8 ? Math.expm1(x) / x : 1 + x / 2);
const log1pOver = (x: number) => (Math.abs(x) > 1e-8 ? Math.log1p(x) / x : 1 - x / 2);
