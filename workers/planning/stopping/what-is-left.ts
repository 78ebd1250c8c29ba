import { mayGoOtherwise } from '#model/error.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { whatFollows } from '../search/search.ts';
import { judgeRepeats, type PrecisionFacts } from './precision.ts';

/**
 * True if a resumed run leaves this trial as it is. A trial that was cancelled with the run says nothing yet; nor does
 * one that failed before its first phase (its target was unreachable), or for a reason that the experiment does not
 * have.
 */
export const isDone = ({ status, phaseMs, error }: Pick<TrialResult, 'status' | 'phaseMs' | 'error'>): boolean =>
  status === 'failed'
    ? Object.keys(phaseMs).length > 0 && error !== null && !mayGoOtherwise(error.kind)
    : status !== 'cancelled';

interface WhatIsDone extends PrecisionFacts {
  /** The record after the last round, if the run has it. */
  readonly enough: object | null;
}

/** True if a resumed run would make no trial: nothing but the end of the run may be missing in its file. */
export function isAllDone({ plan, targets, results, enough }: WhatIsDone): boolean {
  const done = results.filter(isDone);
  // The end of an advice or a gate ends its run, whatever its repeats show.
  if (enough !== null && !('precision' in enough)) return true;
  const judged = judgeRepeats({ plan, targets, results: done });
  return whatFollows(plan, done).next === null || (judged !== null && judged.reason !== null);
}
