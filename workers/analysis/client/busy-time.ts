import type { TrialResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';

const known = new WeakMap<TrialResult['totals'], number>();

/** Connections' time in calls that failed, ms. Several rules and tables ask for it: it is decoded once. */
export function failedMs({ totals }: Pick<TrialResult, 'totals'>): number {
  if (!totals.failed) return 0;
  const before = known.get(totals);
  if (before !== undefined) return before;
  const { mean, count } = Histogram.decode(totals.failed);
  const ms = count === 0 ? 0 : (mean * count) / 1e6;
  known.set(totals, ms);
  return ms;
}

/**
 * The time in which a trial's connections were at work, ms: its measured phase. Where calls are reported one by one the
 * server is asked for its counters in between, and only the calls count. Attempts that conflicts rolled back contain
 * the calls that failed in them: the larger of the two includes the other.
 */
export const busyMs = (result: Pick<TrialResult, 'totals' | 'elapsedMs' | 'perCall'>): number =>
  result.perCall
    ? result.perCall.reduce((sum, { ms }) => sum + (ms ?? 0), Math.max(failedMs(result), result.totals.lostMs))
    : result.elapsedMs;
