import { confidence, type Interval, logMeanVariance } from './intervals.ts';
import { tQuantile } from './student-t.ts';
import { mean } from './summary.ts';

/** Repeats of one pair of cells. */
export interface Pair {
  readonly a: readonly number[];
  readonly b: readonly number[];
}

/**
 * Geometric mean of the ratios of the means a ÷ b of several pairs of positive samples, each pair with the same weight:
 * the only mean of ratios that does not depend on the choice of the divisor (Fleming & Wallace 1986). Its interval is
 * Student's on the mean of their logarithms, with the sum of all samples' variances. Of several pairs it has degrees of
 * freedom half-way between Satterthwaite's (1946) and those of the smallest sample: Satterthwaite's alone are too many
 * in the far tails if the scatter of a few samples differs (mean-ratios.test.ts). It holds for these pairs, not for
 * others that could have been chosen. n is the smallest sample; bounds are null where a sample has fewer than two
 * values. Null for no pairs, or for an empty sample.
 */
export function geometricMeanRatio(pairs: readonly Pair[], level = confidence): Interval | null {
  const samples = pairs.flatMap(({ a, b }) => [a, b]);
  if (pairs.length === 0 || !samples.every((sample) => sample.length > 0 && sample.every((value) => value > 0)))
    return null;
  const log = mean(pairs.map(({ a, b }) => Math.log(mean(a)) - Math.log(mean(b))));
  const value = Math.exp(log);
  const n = Math.min(...samples.map((sample) => sample.length));
  if (n < 2) return { value, low: null, high: null, n };
  const parts = samples.map((sample) => ({
    part: logMeanVariance(sample),
    freedom: sample.length - 1,
  }));
  const total = parts.reduce((sum, { part }) => sum + part, 0);
  if (total === 0) return { value, low: value, high: value, n };
  const satterthwaite = total ** 2 / parts.reduce((sum, one) => sum + one.part ** 2 / one.freedom, 0);
  const freedom = pairs.length === 1 ? satterthwaite : (satterthwaite + n - 1) / 2;
  const half = (tQuantile((1 + level) / 2, freedom) * Math.sqrt(total)) / pairs.length;
  return { value, low: Math.exp(log - half), high: Math.exp(log + half), n };
}
