import type { TrialResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';

const known = new WeakMap<TrialResult['totals'], number>();

/** Connections' time in failed calls, ms. The result is cached, because several rules and tables use it. */
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
 * The time in which a trial's connections were at work, ms: its measured phase. If calls are reported one by one, only
 * the calls count, because Dyno reads the server's counters between them. Rolled-back attempts include their failed
 * calls, so the larger of the two times counts.
 */
export const busyMs = (result: Pick<TrialResult, 'totals' | 'elapsedMs' | 'perCall'>): number =>
  result.perCall
    ? result.perCall.reduce((sum, { ms }) => sum + (ms ?? 0), Math.max(failedMs(result), result.totals.lostMs))
    : result.elapsedMs;
