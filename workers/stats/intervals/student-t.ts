/** Student's t distribution, from scratch: incomplete beta by continued fraction, quantiles by Newton's method. */

/** P(T ≤ t) with `df` > 0 degrees of freedom (not necessarily whole). */
function tCdf(t: number, df: number): number {
  const tail = tChance(t, df) / 2;
  return t > 0 ? 1 - tail : tail;
}

/** P(|T| ≥ |t|) with `df` > 0 degrees of freedom. */
export const tChance = (t: number, df: number): number => incompleteBeta(df / (df + t * t), df / 2, 0.5);

/** The t with P(T ≤ t) = p, 0 < p < 1. Good to 10 digits; as exact at df 1 as at df 10^6. */
export function tQuantile(p: number, df: number): number {
  if (!(p > 0 && p < 1) || !(df > 0)) throw new RangeError(`No t quantile for p = ${p}, ${df} degrees of freedom.`);
  if (p === 0.5) return 0;
  if (p < 0.5) return -tQuantile(1 - p, df);
  const key = `${p} ${df}`;
  const before = quantiles.get(key);
  if (before !== undefined) return before;
  const quantile = quantileAbove(p, df);
  // Welch's degrees of freedom are not whole, and hardly come back.
  if (Number.isInteger(df)) quantiles.set(key, quantile);
  return quantile;
}

/** The keys are whole degrees of freedom: the intervals of a run ask for the same few again and again. */
const quantiles = new Map<string, number>();

/** The quantile for p > 0.5, by Newton's method; a step that leaves the bounds is halved. */
function quantileAbove(p: number, df: number): number {
  const scale = Math.exp(logGamma((df + 1) / 2) - logGamma(df / 2)) / Math.sqrt(df * Math.PI);
  const density = (t: number) => scale * Math.exp((-(df + 1) / 2) * Math.log1p((t * t) / df));
  let low = 0;
  let high = 1;
  while (tCdf(high, df) < p) {
    low = high;
    high *= 2;
  }
  let t = (low + high) / 2;
  // Newton needs six or seven steps; 200 halvings exhaust a double.
  for (let i = 0; i < 200; i++) {
    const error = tCdf(t, df) - p;
    if (error < 0) low = t;
    else high = t;
    const step = t - error / density(t);
    const next = step > low && step < high ? step : (low + high) / 2;
    if (Math.abs(next - t) <= 1e-14 * t) return next;
    t = next;
  }
  return t;
}

/** Regularised incomplete beta function I_x(a, b): DLMF 8.17.22, evaluated by Lentz's method. */
export function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast below the mean; use the symmetry above it.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log1p(-x)) / a;
  const tiny = 1e-300;
  const guarded = (value: number) => (Math.abs(value) < tiny ? tiny : value);
  let c = 1;
  let d = 1 / guarded(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m < 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / guarded(1 + even * d);
    c = guarded(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / guarded(1 + odd * d);
    c = guarded(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < 1e-15) break;
  }
  return front * fraction;
}

/** ln Γ(x), x > 0: Stirling's series (DLMF 5.11.1) after moving x beyond 15 by the recurrence. */
export function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  while (z < 15) shift += Math.log(z++);
  const z2 = z * z;
  const series = (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * z2)) / z2) / z2) / z;
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series - shift;
}
