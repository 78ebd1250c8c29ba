import { isContender } from '#planning/rates/contenders.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { RunState } from '#protocol/ipc.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { isComparable } from './comparable.ts';

/** A single trial of a cell has no interval, so a comparison needs two trials of each cell if the plan has two. */
const leastRepeats = 2;

type Measured = Pick<RunModel, 'status' | 'trials' | 'plan' | 'cells' | 'targets' | 'enough'>;

/** How far the run came, from its trials. */
export function runState(model: Measured): RunState {
  const { status, trials, plan, enough } = model;
  const results = trials.flatMap(({ result }) => result ?? []);
  const done = results.filter((result) => result.status !== 'cancelled').length;
  return {
    status,
    trialsDone: done,
    trialsGood: results.filter((result) => result.status === 'ok').length,
    trialsPlanned: !plan.measure.search ? trials.length : status === 'complete' ? done : null,
    comparison: comparisonIn(model),
    ...(enough && !('precision' in enough) && { endedBy: enough.reason }),
  };
}

function comparisonIn(model: Measured): RunState['comparison'] {
  const { trials, plan, cells } = model;
  const planned = new Set(trials.flatMap(({ trial }) => (isContender(model, trial.target) ? [keyOf(trial)] : [])));
  if (planned.size < 2) return 'notPlanned';
  const least = Math.min(leastRepeats, repeatsOf(plan.measure).max);
  return cells.filter((cell) => cell.ok >= least && isComparable(model, cell)).length < 2 ? 'none' : 'made';
}
