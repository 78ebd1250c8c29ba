import { Sfc32 } from '../random/random.ts';
import { confidence, type Interval, inverse } from './intervals.ts';
import { mean, quantile, variance } from './summary.ts';

/**
 * With fewer repeats on a side, resamples cannot reach beyond the observed values, and the interval would be too narrow
 * (see the test).
 */
export const leastRepeats = 5;

const leastBeyond = 10;

/**
 * Intervals by their samples, the last ones asked for: two thousand resamples take a millisecond, and every panel and
 * sentence of a run asks for the same ratios.
 */
const known = new Map<string, Interval>();
const mostKnown = 2_000;

/**
 * Ratio of the means a ÷ b with a studentised bootstrap interval (bootstrap-t; Efron & Tibshirani 1993, ch. 12; Davison
 * & Hinkley 1997, 5.2) of its logarithm: each side's repeats are resampled with replacement. Assumes no distribution of
 * the repeats. Deterministic by seed. Null where a side has fewer than five values or one that is not positive, and for
 * a level so high that fewer than ten resamples lie beyond a bound.
 */
export function bootstrapRatio(
  a: readonly number[],
  b: readonly number[],
  { level = confidence, resamples = 2_000, seed = 1 }: { level?: number; resamples?: number; seed?: number } = {},
): Interval | null {
  const n = Math.min(a.length, b.length);
  if ((resamples * (1 - level)) / 2 < leastBeyond) return null;
  if (n < leastRepeats || ![...a, ...b].every((value) => value > 0)) return null;
  // Swapped arguments use the same draws, so that b ÷ a is exactly the inverse.
  if (mean(a) < mean(b)) return inverse(bootstrapRatio(b, a, { level, resamples, seed })!);
  const seen = logRatio(a, b);
  const value = Math.exp(seen.log);
  if (seen.error === 0) return { value, low: value, high: value, n };
  const key = [level, resamples, seed, a.length, ...a, ...b].join();
  const interval = known.get(key) ?? resampled(a, b, seen, { level, resamples, seed });
  if (known.size >= mostKnown) known.clear();
  known.set(key, interval);
  return interval;
}

function resampled(
  a: readonly number[],
  b: readonly number[],
  seen: ReturnType<typeof logRatio>,
  { level, resamples, seed }: { readonly level: number; readonly resamples: number; readonly seed: number },
): Interval {
  const random = new Sfc32(seed);
  // Numbers of a typed array are sorted without a function that compares them.
  const studentised = new Float64Array(resamples);
  const [drawnA, drawnB] = [drawing(a, random), drawing(b, random)];
  for (let i = 0; i < resamples; i++) {
    drawnA.again();
    drawnB.again();
    const log = Math.log(drawnA.mean / drawnB.mean);
    const error = Math.sqrt(drawnA.relativeError + drawnB.relativeError);
    // All resampled values of both sides are equal: an infinitely distant ratio.
    studentised[i] = error > 0 ? (log - seen.log) / error : Math.sign(log - seen.log) * Number.MAX_VALUE;
  }
  studentised.sort();
  const bound = (q: number) => Math.exp(seen.log - quantile(studentised, q) * seen.error);
  return {
    value: Math.exp(seen.log),
    low: bound((1 + level) / 2),
    high: bound((1 - level) / 2),
    n: Math.min(a.length, b.length),
  };
}

/** Logarithm of the ratio of the means, and its standard error by the delta method. */
function logRatio(a: readonly number[], b: readonly number[]): { readonly log: number; readonly error: number } {
  const [meanA, meanB] = [mean(a), mean(b)];
  const error = Math.sqrt(variance(a) / (a.length * meanA * meanA) + variance(b) / (b.length * meanB * meanB));
  return { log: Math.log(meanA / meanB), error };
}

/** Draws resamples of one side into the same buffer: each interval needs thousands. */
function drawing(values: readonly number[], random: Sfc32) {
  const n = values.length;
  const sample = new Float64Array(n);
  return {
    mean: 0,
    /** Squared standard error of the mean ÷ squared mean. */
    relativeError: 0,
    again() {
      let sum = 0;
      for (let i = 0; i < n; i++) {
        const value = values[random.below(n)]!;
        sample[i] = value;
        sum += value;
      }
      const average = sum / n;
      let squares = 0;
      for (let i = 0; i < n; i++) squares += (sample[i]! - average) ** 2;
      this.mean = average;
      this.relativeError = squares / ((n - 1) * n * average * average);
    },
  };
}
