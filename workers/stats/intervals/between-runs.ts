import type { LogDifference } from './intervals.ts';
import { tQuantile } from './student-t.ts';
import { mean, variance } from './summary.ts';

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

/** A run beside earlier runs of the same thing, on logarithms. */
interface AgainstRuns extends LogDifference {
  /** The standard error where runs that follow each other may resemble each other: for tests that must not be wrong. */
  readonly cautiousError: number;
}

/**
 * Difference of the logarithm of a run's mean and of the mean of earlier runs of the same thing. The error is that of
 * the prediction of one more run: Student's t with one degree of freedom less than the earlier runs. Where neighbours
 * differ by less than all runs do, the level wanders, and the next run may be farther away: `cautiousError` adds twice
 * the part of the variance that neighbours do not show (von Neumann 1941). `earlier`: oldest first. Positive values.
 * Null for fewer than three runs.
 */
export function againstRuns(own: number, earlier: readonly number[]): AgainstRuns | null {
  if (earlier.length < leastRuns) return null;
  const logs = earlier.map(Math.log);
  const all = variance(logs);
  const steps = logs.slice(1).map((log, i) => (log - logs[i]!) ** 2);
  const neighbours = mean(steps) / 2;
  const further = 1 + 1 / logs.length;
  return {
    value: Math.log(own) - mean(logs),
    error: Math.sqrt(all * further),
    cautiousError: Math.sqrt((all + 2 * Math.max(0, all - neighbours)) * further),
    freedom: logs.length - 1,
  };
}

/** The standard error of the logarithm of the ratio of two runs. */
const errorOf = (earlier: readonly number[]): number => Math.sqrt(2 * variance(earlier.map(Math.log)));
