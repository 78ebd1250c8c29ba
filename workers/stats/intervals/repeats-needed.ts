import { confidence } from './intervals.ts';
import { tQuantile } from './student-t.ts';

/**
 * Number of repeats, at least 2, for which the expected t interval is at most ± `margin` of the mean: the least n with
 * t(n−1) · cv ÷ √n ≤ margin (Stein 1945, with the observed scatter as the true one). `cv`: coefficient of variation of
 * the repeats.
 */
export const repeatsNeeded = (cv: number, margin: number, level = confidence): number =>
  least(cv, margin, level, (n) => n - 1);

/**
 * Number of repeats on each side for which the expected interval of the ratio of two means is at most ± `margin`: the
 * quotient has the scatter of both sides and Welch's degrees of freedom.
 */
export function repeatsNeededForRatio(cvA: number, cvB: number, margin: number, level = confidence): number {
  const [a, b] = [cvA * cvA, cvB * cvB];
  const share = a + b > 0 ? (a + b) ** 2 / (a * a + b * b) : 2;
  return least(Math.sqrt(a + b), margin, level, (n) => (n - 1) * share);
}

function least(cv: number, margin: number, level: number, freedom: (n: number) => number): number {
  if (!(margin > 0) || !Number.isFinite(cv))
    throw new RangeError(`No number of repeats that scatter by ${cv} gives an interval of ± ${margin}.`);
  const enough = (n: number) => (tQuantile((1 + level) / 2, freedom(n)) * cv) / Math.sqrt(n) <= margin;
  let high = 2;
  while (!enough(high)) high *= 2;
  let low = high / 2;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
