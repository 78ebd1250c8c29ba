import { Sfc32 } from './random.ts';
import { normalCdf, normalQuantile, tQuantile } from './student-t.ts';
import { mean, quantile, variance } from './summary.ts';

/** An estimate with its confidence interval over n repeats; bounds null where n does not allow one. */
export interface Interval {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly n: number;
}

/** Confidence of every interval unless told otherwise. */
export const confidence = 0.95;

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
 * Ratio of the means a ÷ b of positive values with Welch's t interval on their logarithms: the interval of the ratio of the geometric
 * means, which for the few per cent that repeats scatter is the ratio of the means. The default for verdicts, because it keeps
 * its promise with few repeats: with n = 3 a bootstrap interval is a third too narrow or worse (see the test).
 * n is the smaller side. Null where a side is empty or holds a value that is not positive.
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

/**
 * Bias-corrected and accelerated bootstrap interval (Efron 1987) for the ratio of the means a ÷ b. A cross-check with 10 repeats and
 * more, where nothing need be assumed about the scatter; with fewer it is too narrow. Seeded. Null where a side is empty.
 */
export function bootstrapRatio(
  a: readonly number[],
  b: readonly number[],
  options: { readonly seed: number; readonly resamples?: number; readonly level?: number },
): Interval | null {
  if (a.length === 0 || b.length === 0) return null;
  const value = mean(a) / mean(b);
  const n = Math.min(a.length, b.length);
  if (n < 2) return { value, low: null, high: null, n };
  const { seed, resamples = 2_000, level = confidence } = options;
  const random = new Sfc32(seed);
  const resampledMean = (values: readonly number[]) => {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[random.below(values.length)]!;
    return sum / values.length;
  };
  const ratios = Array.from({ length: resamples }, () => resampledMean(a) / resampledMean(b)).sort((x, y) => x - y);

  const belowValue =
    ratios.filter((ratio) => ratio < value).length + ratios.filter((ratio) => ratio === value).length / 2;
  // Kept off 0 and 1, where all resamples are on one side of the estimate.
  const bias = normalQuantile(Math.min(Math.max(belowValue, 0.5), resamples - 0.5) / resamples);
  const acceleration = jackknifeAcceleration(a, b);
  const at = (p: number) => {
    const z = bias + normalQuantile(p);
    return quantile(ratios, normalCdf(bias + z / (1 - acceleration * z)));
  };
  return { value, low: at((1 - level) / 2), high: at((1 + level) / 2), n };
}

/** Efron's acceleration from the ratios with one value left out, both sides in turn. */
function jackknifeAcceleration(a: readonly number[], b: readonly number[]): number {
  const without = (values: readonly number[], i: number) => mean(values.toSpliced(i, 1));
  const influences = [a.map((_, i) => without(a, i) / mean(b)), b.map((_, i) => mean(a) / without(b, i))].flatMap(
    (side) => {
      const centre = mean(side);
      return side.map((ratio) => ((side.length - 1) * (centre - ratio)) / side.length);
    },
  );
  const squares = influences.reduce((sum, influence) => sum + influence ** 2, 0);
  const cubes = influences.reduce((sum, influence) => sum + influence ** 3, 0);
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

export interface Comparison {
  /** a ÷ b. */
  readonly ratio: Interval;
  readonly verdict: 'faster' | 'slower' | 'noDifferenceShown' | 'notEnoughRepeats';
}

/**
 * Whether rates a are higher than rates b. A difference is claimed only where the interval of the ratio excludes 1; about one comparison
 * in twenty of equal things claims one nevertheless. Null where there is nothing to divide.
 */
export function compareMeans(a: readonly number[], b: readonly number[], level = confidence): Comparison | null {
  const ratio = ratioInterval(a, b, level);
  if (ratio === null) return null;
  const { low, high } = ratio;
  if (low === null || high === null) return { ratio, verdict: 'notEnoughRepeats' };
  return { ratio, verdict: low > 1 ? 'faster' : high < 1 ? 'slower' : 'noDifferenceShown' };
}
