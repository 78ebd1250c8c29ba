import { formatPercent, formatUpTo } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { isAllDone, isDone } from '#planning/stopping/what-is-left.ts';
import { variantText } from '#planning/variant-of.ts';
import { cellOf } from '#protocol/cell-key.ts';
import { repeatsNeeded } from '#stats/intervals/repeats-needed.ts';
import { variationOf } from '#stats/intervals/summary.ts';
import { outlierScore } from '#stats/series/outliers.ts';
import { usefulMargin } from '../compare/compare.ts';
import { lastRound } from '../run-model/last-round.ts';
import type { Caveat, CellSummary, RunWithoutCaveats } from '../run-model/run-model.ts';
import { rateUnit } from '../run-model/select-cells.ts';
import { enoughText, outliersText, percentWithin } from '../text/verdict-text.ts';
import { type CellRun, cellCaveat } from './cell-caveat.ts';

/** Repeats that scatter by more than this leave most questions open. */
const tooMuchScatter = 0.1;
/** The finding has the same limit, because the standard deviation of two repeats is hardly informative. */
const leastRepeats = 3;

/** The scatter of a reference is of no interest. */
export const noisy = cellCaveat('warning', 'High variability', (_, { ok, descriptor }: CellRun) => {
  const rates = ok.map(throughputOf).filter(Number.isFinite);
  const cv = rates.length < leastRepeats ? null : variationOf(rates);
  return descriptor?.reference || cv === null || !(cv > tooMuchScatter)
    ? null
    : `The coefficient of variation of the repeats is ${formatPercent(cv)}. About ${formatUpTo(repeatsNeeded(cv, usefulMargin), 2)} repeats would give the mean an interval of ${percentWithin(usefulMargin)}.`;
});

/**
 * An outlier is kept, because nothing proves it wrong, and reported, because the mean and its interval depend on it.
 */
export function outlying(cell: CellSummary, { run, descriptor }: CellRun): Caveat | null {
  if (cell.outliers.length === 0 || descriptor?.reference) return null;
  return {
    severity: 'info',
    cell: cellOf(cell),
    title: cell.outliers.length === 1 ? 'An outlying repeat' : 'Outlying repeats',
    text: `${outliersText(cell.outliers, cell.ok, rateUnit(run))}. Outliers are kept: they count in the mean and widen the interval. An outlier has a modified z-score of the logarithms beyond ±\u00a0${outlierScore} (Iglewicz & Hoaglin).`,
  };
}

export function fewRepeats({ plan, enough }: Pick<RunWithoutCaveats, 'plan' | 'enough'>): Caveat | null {
  const repeats = enough ? lastRound(enough) : repeatsOf(plan.measure).max;
  if (repeats >= 3) return null;
  return {
    severity: repeats <= 1 ? 'warning' : 'info',
    cell: null,
    title: repeats <= 1 ? 'Single trials' : 'Two repeats',
    text:
      repeats <= 1
        ? 'With one trial each there is no interval and no verdict: set measure.repeats to 3 or more.'
        : 'With two repeats intervals are very wide (t = 12.7): only large differences can be shown.',
  };
}

/** The run ended before an interval was narrow enough, or before its advice was certain. */
export function widerThanWanted({ enough, plan }: Pick<RunWithoutCaveats, 'enough' | 'plan'>): Caveat | null {
  if (enough === null || enough.reason === 'narrow' || enough.reason === 'setByLoad' || enough.reason === 'answered')
    return null;
  return {
    severity: 'info',
    cell: null,
    title: enough.reason === 'timeUsed' ? 'The budget of the advice is used' : 'Intervals wider than wanted',
    text: enoughText(enough, ({ variant, target }) => `${variantText(plan, variant)} on ${target}`),
  };
}

function titleOfEnd(status: RunWithoutCaveats['status'], halted: string | null): string {
  // The caveat about the reason says that the run ended itself, so nobody has cancelled it.
  if (halted !== null) return 'The run is not complete';
  return status === 'cancelled' ? 'The run was cancelled' : 'The run was interrupted';
}

export function endedEarly({
  status,
  trials,
  targets,
  plan,
  halted,
  enough,
}: Pick<RunWithoutCaveats, 'status' | 'trials' | 'targets' | 'plan' | 'halted' | 'enough'>): Caveat | null {
  if (status === 'running' || status === 'complete') return null;
  const results = trials.flatMap(({ result }) => result ?? []);
  if (isAllDone({ plan, targets, results, enough }))
    return {
      severity: 'info',
      cell: null,
      title: 'The end of the run is missing',
      text: 'All trials have a result; only the last line of the run file is missing. Nothing is left to resume.',
    };
  const done = results.filter(isDone).length;
  return {
    severity: 'warning',
    cell: null,
    title: titleOfEnd(status, halted),
    text: plan.measure.search
      ? `${many(done, 'trial')} had a result before the search was over. You can resume the run, which continues the search.`
      : `${done} of ${trials.length} trials have a valid result. You can resume the run, which makes the other trials.`,
  };
}
