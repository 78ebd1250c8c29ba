import type { TrialResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram.ts';

/** Connections' time in calls that failed, ms. */
export function failedMs({ totals }: Pick<TrialResult, 'totals'>): number {
  const { mean, count } = totals.failed ? Histogram.decode(totals.failed) : new Histogram();
  return count === 0 ? 0 : (mean * count) / 1e6;
}

/**
 * The time in which a trial's connections were at work, ms: its measured phase. Where calls are reported one by one the
 * server is asked for its counters in between, and only the calls count. Attempts that conflicts rolled back contain
 * the calls that failed in them: the larger of the two includes the other.
 */
export const busyMs = (result: Pick<TrialResult, 'totals' | 'elapsedMs' | 'perCall'>): number =>
  result.perCall
    ? result.perCall.reduce((sum, { ms }) => sum + (ms ?? 0), Math.max(failedMs(result), result.totals.lostMs ?? 0))
    : result.elapsedMs;
