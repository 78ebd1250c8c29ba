import type { TrialResult } from '#protocol/measurement.ts';
import { type TimedWork, trialTimes } from './trial-times.ts';

/** The calls of a trial. Between `least` and `most` calls have failed. */
export interface FailedCalls {
  readonly calls: number;
  readonly least: number;
  readonly most: number;
}

/**
 * Attempts that were repeated after a write conflict have not failed in the end. A trial counts its repeats without the
 * statement or transaction that they belong to.
 */
export function failedCalls(result: TrialResult, work: TimedWork): FailedCalls {
  const counts = work === null ? result.totals : result.statements?.find(({ name }) => name === work);
  const errors = Object.values(counts?.errors ?? {}).reduce((sum, count) => sum + count, 0);
  const least = Math.max(0, errors - result.totals.retries);
  const most = work === null ? least : errors;
  const ended = work === null ? result.totals.calls : (trialTimes(result, work)?.calls ?? 0);
  return { calls: ended + most, least, most };
}
