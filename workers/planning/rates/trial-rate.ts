import type { TrialResult } from '#protocol/measurement.ts';

/** The part of a trial's build cost that its throughput includes, ms. */
export const countedMs = ({ builds = [] }: TrialResult): number =>
  builds.reduce((sum, { ms, counted }) => (counted ? sum + ms : sum), 0);

/**
 * The part of a trial that ratios compare: the whole measured phase, or the first call where calls are reported one by
 * one, because later calls measure something else. A first call that failed took no time.
 */
export function judgedPart({ totals, elapsedMs, perCall }: TrialResult): {
  readonly rows: number;
  readonly calls: number;
  readonly ms: number;
} {
  const [first] = perCall ?? [];
  return first ? { rows: first.rows, calls: 1, ms: first.ms ?? 0 } : { ...totals, ms: elapsedMs };
}

/** True if a successful trial has a duration that can be compared. */
export const isTimed = (result: TrialResult): boolean => judgedPart(result).ms > 0;

/**
 * The rate by which cells are compared: rows per second, or calls per second where no rows move. It includes the time
 * to build a key or an index over rows that were inserted in the measured phase.
 */
export const throughputOf = (result: TrialResult): number => {
  const { rows, calls, ms } = judgedPart(result);
  return ((rows > 0 ? rows : calls) * 1_000) / (ms + countedMs(result));
};
