import { resolution } from '../histogram/histogram.ts';
import type { Comparison } from './compare-means.ts';
import {
  chanceOf,
  confidence,
  halfOf,
  havePositive,
  type Interval,
  type LogDifference,
  type LogEstimate,
  logDifference,
} from './intervals.ts';
import { mean, variance } from './summary.ts';

/** The ratio of two typical times. Above 1, the first side is slower. */
type TimeComparison = Pick<Comparison, 'ratio' | 'verdict'>;

/** Histograms round each time by up to this share, so a ratio of times within it is no difference. */
export const rounding = Math.log1p(resolution);

/** The mean logarithm of times. */
export function logOfTime(values: readonly number[]): LogEstimate {
  const logs = values.map(Math.log);
  return { value: mean(logs), variance: variance(logs) / logs.length, n: logs.length };
}

/** Difference of the mean logarithms. Null where the ratio is undefined. */
const logOfTimes = (a: readonly number[], b: readonly number[]): LogDifference | null =>
  havePositive(a, b) ? logDifference(logOfTime(a), logOfTime(b)) : null;

/**
 * Compares times a with times b, both of the same unit: the ratio of their geometric means, with Welch's t interval
 * (1947) on the logarithms. A value is a quantile, the mean or the maximum of the calls of one trial: it scatters in
 * proportion to its size, and is skewed where calls are, which logarithms undo. The bounds include the rounding of
 * histograms on each side, because repeats that fall into one bucket scatter by nothing. `slower`: a takes longer. Null
 * where a side is empty or holds a value that is not positive.
 */
export function compareTimes(a: readonly number[], b: readonly number[], level = confidence): TimeComparison | null {
  const difference = logOfTimes(a, b);
  if (difference === null) return null;
  const n = Math.min(a.length, b.length);
  const value = Math.exp(difference.value);
  if (n < 2) return { ratio: { value, low: null, high: null, n }, verdict: 'notEnoughRepeats' };
  const half = halfOf(difference, level) + rounding;
  const ratio = { value, low: Math.exp(difference.value - half), high: Math.exp(difference.value + half), n };
  return { ratio, verdict: verdictOfTimes(ratio) };
}

/** The verdict that the interval of a ratio of times supports. */
export const verdictOfTimes = ({ low, high }: Interval): TimeComparison['verdict'] =>
  low === null || high === null ? 'notEnoughRepeats' : low > 1 ? 'slower' : high < 1 ? 'faster' : 'notSignificant';

/**
 * Two-sided probability of a ratio of times as far from 1 between equals, by the t of compareTimes: below 1 − level
 * where that interval excludes 1. Null where there is no interval.
 */
export function timesChance(a: readonly number[], b: readonly number[]): number | null {
  const difference = logOfTimes(a, b);
  if (difference === null || Math.min(a.length, b.length) < 2) return null;
  return chanceOf(Math.max(0, Math.abs(difference.value) - rounding), difference);
}

/**
 * The geometric mean of times, with Student's t interval on the logarithms and the rounding of histograms: the quotient
 * of two of them is the ratio of compareTimes. Null for no values, or for one that is not positive.
 */
export function timesInterval(values: readonly number[], level = confidence): Interval | null {
  const n = values.length;
  if (n === 0 || !values.every((value) => value > 0)) return null;
  const { value: center, variance: squared } = logOfTime(values);
  const value = Math.exp(center);
  if (n < 2) return { value, low: null, high: null, n };
  const half = halfOf({ error: Math.sqrt(squared), freedom: n - 1 }, level) + rounding;
  return { value, low: Math.exp(center - half), high: Math.exp(center + half), n };
}
