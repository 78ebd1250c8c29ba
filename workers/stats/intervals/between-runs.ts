import { tChance, tQuantile } from './student-t.ts';
import { variance } from './summary.ts';

/** With fewer runs, their differences say nothing about the next run. */
export const leastRuns = 3;

/**
 * Bounds of the ratio of two runs' means, where each run is one draw of a random effect whose variance the means of
 * `earlier` runs of the same thing show (on logarithms; Student's t with one degree of freedom less than these runs).
 * One of the two runs may be among them. Positive values. Null for fewer than three runs.
 */
export function betweenRuns(
  ratio: number,
  earlier: readonly number[],
  level: number,
): { readonly low: number; readonly high: number } | null {
  if (earlier.length < leastRuns) return null;
  const half = tQuantile((1 + level) / 2, earlier.length - 1) * errorOf(earlier);
  return { low: ratio * Math.exp(-half), high: ratio * Math.exp(half) };
}

/**
 * Two-sided probability of a ratio as far from 1 between two runs of the same thing, by the t of betweenRuns: below 1 −
 * level where those bounds exclude 1. Null for fewer than three runs.
 */
export function betweenRunsChance(ratio: number, earlier: readonly number[]): number | null {
  if (earlier.length < leastRuns) return null;
  const error = errorOf(earlier);
  if (error === 0) return ratio === 1 ? 1 : 0;
  return tChance(Math.log(ratio) / error, earlier.length - 1);
}

/** The standard error of the logarithm of the ratio of two runs. */
const errorOf = (earlier: readonly number[]): number => Math.sqrt(2 * variance(earlier.map(Math.log)));
