import { tQuantile } from './student-t.ts';
import { mean, variance } from './summary.ts';

/** An estimate with its confidence interval over n repeats; bounds null where n does not allow one. */
export interface Interval {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** Default confidence of every interval. */
export const confidence = 0.95;

/** The level at which `intervals` intervals hold together with the default confidence (Bonferroni). */
export const levelOfEach = (intervals: number): number => 1 - (1 - confidence) / Math.max(1, intervals);

/** Student's t interval for the mean. Values are repeats, not operations. Null for no values. */
export function meanInterval(values: readonly number[], level = confidence): Interval | null {
  const n = values.length;
  if (n === 0) return null;
  const value = mean(values);
  if (n < 2) return { value, low: null, high: null, n };
  const half = tQuantile((1 + level) / 2, n - 1) * Math.sqrt(variance(values) / n);
  return { value, low: value - half, high: value + half, n };
}

/**
 * Ratio of the means a ÷ b of positive values with Welch's t interval (1947) on their logarithms: the interval of the
 * ratio of the geometric means, which for repeats that scatter by a few per cent equals the ratio of the means. Has its
 * nominal coverage from two repeats on. n is the smaller side. Null where a side is empty or holds a value that is not
 * positive.
 */
export function ratioInterval(a: readonly number[], b: readonly number[], level = confidence): Interval | null {
  if (a.length === 0 || b.length === 0 || ![...a, ...b].every((value) => value > 0)) return null;
  const logA = a.map(Math.log);
  const logB = b.map(Math.log);
  const difference = mean(logA) - mean(logB);
  const n = Math.min(a.length, b.length);
  const value = Math.exp(difference);
  if (n < 2) return { value, low: null, high: null, n };
  const partA = variance(logA) / a.length;
  const partB = variance(logB) / b.length;
  const total = partA + partB;
  if (total === 0) return { value, low: value, high: value, n };
  // Welch–Satterthwaite degrees of freedom (Welch 1947).
  const df = total ** 2 / (partA ** 2 / (a.length - 1) + partB ** 2 / (b.length - 1));
  const half = tQuantile((1 + level) / 2, df) * Math.sqrt(total);
  return { value, low: Math.exp(difference - half), high: Math.exp(difference + half), n };
}
