import { tQuantile } from './student-t.ts';
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
  const error = Math.sqrt(2 * variance(earlier.map(Math.log)));
  const half = tQuantile((1 + level) / 2, earlier.length - 1) * error;
  return { low: ratio * Math.exp(-half), high: ratio * Math.exp(half) };
}
