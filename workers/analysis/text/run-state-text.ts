import { formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { RunState } from '#protocol/ipc.ts';
import { endReasons } from './verdict-text.ts';

/** The words for the status of a run, wherever it is shown alone. */
export const runStatusLabels: Readonly<Record<RunState['status'], string>> = {
  running: 'Running',
  complete: 'Complete',
  cancelled: 'Cancelled',
  interrupted: 'Interrupted',
  unreadable: 'Unreadable',
};

/** True if the run ended with fewer trials than planned, or with trials that have no result. */
export const isShort = ({ status, trialsGood, trialsPlanned }: RunState): boolean =>
  status !== 'running' && status !== 'unreadable' && (trialsPlanned === null || trialsGood < trialsPlanned);

/**
 * "Complete"; "Complete: the answer is certain"; "Cancelled: 2 of 27 trials, no comparison"; "Complete: 25 of 27
 * trials, 2 without a result"; "Failed: none of 27 trials has a result".
 */
export function runStateText(state: RunState): string {
  const { status, trialsDone, trialsGood, trialsPlanned, comparison, endedBy } = state;
  const reason = endedBy === undefined ? [] : [endReasons[endedBy]];
  if (status === 'unreadable') return runStatusLabels[status];
  if (status === 'complete' && !isShort(state)) return [runStatusLabels[status], ...reason].join(': ');
  if (status === 'complete' && trialsGood === 0)
    return `Failed: ${trialsPlanned === 1 ? 'the trial has no result' : `none of ${formatCount(trialsPlanned)} trials has a result`}`;
  const lost = trialsDone - trialsGood;
  const parts = [
    trialsPlanned === null
      ? `${many(trialsGood, 'trial')} of a search`
      : `${formatCount(trialsGood)} of ${many(trialsPlanned, 'trial')}`,
    ...(lost === 0 ? [] : [`${formatCount(lost)} without a result`]),
    ...reason,
    ...(comparison === 'none' ? [status === 'running' ? 'no comparison yet' : 'no comparison'] : []),
  ];
  return `${runStatusLabels[status]}: ${parts.join(', ')}`;
}
