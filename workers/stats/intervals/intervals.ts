import { tChance, tQuantile } from './student-t.ts';
import { mean, variance } from './summary.ts';

/** An estimate with its confidence interval over n repeats; bounds null where n does not allow one. */
export interface Interval {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** The reciprocal of a ratio, with its bounds. */
export const inverse = <T extends Pick<Interval, 'value' | 'low' | 'high'>>(ratio: T): T => ({
  ...ratio,
  value: 1 / ratio.value,
  low: ratio.high === null ? null : 1 / ratio.high,
  high: ratio.low === null ? null : 1 / ratio.low,
});

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
 * The interval of ratioInterval for one mean of positive values, rates or times: Student's t on the logarithm of the
 * mean. So a mean and its ratios never contradict each other, and no noise takes the interval to zero or below, where
 * neither rates nor times can be. The interval of meanInterval where a value is not positive, cut at zero.
 */
export function positiveMeanInterval(values: readonly number[], level = confidence): Interval | null {
  const interval = meanInterval(values, level);
  if (interval === null || interval.low === null || interval.high === null) return interval;
  if (!values.every((value) => value > 0)) return { ...interval, low: Math.max(0, interval.low) };
  const { value, n } = interval;
  const factor = Math.exp((interval.high - value) / value);
  return { value, low: value / factor, high: value * factor, n };
}

/**
 * Squared standard error of the logarithm of the mean of positive values, by the delta method: that of the mean,
 * divided by mean². NaN for one value.
 */
export const logMeanVariance = (values: readonly number[]): number =>
  variance(values) / values.length / mean(values) ** 2;

/** An estimate on logarithms: its squared standard error, and the number of values that it comes from. */
export interface LogEstimate {
  readonly value: number;
  readonly variance: number;
  readonly n: number;
}

/** Difference of two estimates on logarithms, by Welch (1947). */
export interface LogDifference {
  readonly value: number;
  /** Its standard error and degrees of freedom (Welch–Satterthwaite); NaN for a side of one value. */
  readonly error: number;
  readonly freedom: number;
}

/** The difference a − b. */
export function logDifference(a: LogEstimate, b: LogEstimate): LogDifference {
  const total = a.variance + b.variance;
  return {
    value: a.value - b.value,
    error: Math.sqrt(total),
    freedom: total ** 2 / (a.variance ** 2 / (a.n - 1) + b.variance ** 2 / (b.n - 1)),
  };
}

/** Half the width of the t interval of a difference; 0 for a difference without an error. */
export const halfOf = ({ error, freedom }: Pick<LogDifference, 'error' | 'freedom'>, level: number): number =>
  error === 0 ? 0 : tQuantile((1 + level) / 2, freedom) * error;

/** Two-sided probability of a difference as great as `distance` between equals, by the t of its error. */
export const chanceOf = (distance: number, { error, freedom }: Pick<LogDifference, 'error' | 'freedom'>): number =>
  distance === 0 ? 1 : error === 0 ? 0 : tChance(distance / error, freedom);

/** The logarithm of the mean of positive values, such as the rates of the repeats of a cell. */
export const logOfMean = (values: readonly number[]): LogEstimate => ({
  value: Math.log(mean(values)),
  variance: logMeanVariance(values),
  n: values.length,
});

/** True if a ratio of these two sides is defined: neither is empty, and all values are positive. */
export const havePositive = (a: readonly number[], b: readonly number[]): boolean =>
  a.length > 0 && b.length > 0 && [...a, ...b].every((value) => value > 0);

/** log(mean a) − log(mean b). Null where the ratio is undefined. */
const logOfMeans = (a: readonly number[], b: readonly number[]): LogDifference | null =>
  havePositive(a, b) ? logDifference(logOfMean(a), logOfMean(b)) : null;

/**
 * Ratio of the arithmetic means a ÷ b of positive values, the quotient of the rates that are shown beside it, with
 * Welch's t interval (1947) on the logarithms of the means. Has its nominal coverage from two repeats on. n is the
 * smaller side. Null where a side is empty or holds a value that is not positive.
 */
export function ratioInterval(a: readonly number[], b: readonly number[], level = confidence): Interval | null {
  const difference = logOfMeans(a, b);
  if (difference === null) return null;
  const n = Math.min(a.length, b.length);
  const value = Math.exp(difference.value);
  if (n < 2) return { value, low: null, high: null, n };
  const half = halfOf(difference, level);
  return { value, low: Math.exp(difference.value - half), high: Math.exp(difference.value + half), n };
}

/**
 * Two-sided probability of a ratio as far from 1 as that of the means a ÷ b between equals, by the t of ratioInterval:
 * below 1 − level where that interval excludes 1. Null where there is no interval.
 */
export function ratioChance(a: readonly number[], b: readonly number[]): number | null {
  const difference = logOfMeans(a, b);
  if (difference === null || Math.min(a.length, b.length) < 2) return null;
  return chanceOf(difference.value, difference);
}

/**
 * The rejected hypotheses of several, such that all rejections together are wrong with probability `chance` at most
 * (Holm 1979): the smallest p is compared with chance ÷ n, the next with chance ÷ (n − 1), up to the first that fails.
 */
export function holm<Key>(ps: ReadonlyMap<Key, number>, chance: number): ReadonlySet<Key> {
  const sorted = [...ps].toSorted(([, a], [, b]) => a - b);
  const fails = sorted.findIndex(([, p], i) => !(p <= chance / (sorted.length - i)));
  return new Set(sorted.slice(0, fails === -1 ? sorted.length : fails).map(([key]) => key));
}
