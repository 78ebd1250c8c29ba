import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { errorText } from '#model/error-text.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { asides, cellColumns, cellTexts, type PanelTable, words } from '../shared/panel-table.ts';

const statusLabels = { failed: 'failed', cancelled: 'cancelled', didNotFinish: 'did not finish' } as const;

function whyNot({ result, damage }: TrialView): { readonly what: string; readonly why: string } | null {
  if (damage !== null) return { what: 'damaged', why: damage };
  if (!result || result.status === 'ok' || result.status === 'cannot') return null;
  return { what: statusLabels[result.status], why: result.error ? errorText(result.error) : '' };
}

interface Exception extends Cell {
  readonly what: string;
  readonly why: string;
}

function exceptionsOf(model: Pick<RunModel, 'skipped' | 'trials'>): readonly Exception[] {
  const failed = model.trials.flatMap((view) => {
    const exception = whyNot(view);
    return exception === null ? [] : [{ ...view.trial, ...exception }];
  });
  const alike = Map.groupBy(failed, (one) => [keyOf(one), one.what, one.why].join('\n'));
  return [
    ...model.skipped.map((cell) => ({ ...cell, what: 'skipped', why: cell.reason })),
    ...[...alike.values()].map((own) => ({ ...own[0]!, what: `${trialsText(own)} ${own[0]!.what}` })),
  ];
}

/** More trials of one cell than this are counted. */
const mostNumbers = 5;

/** "trial 5", "trials 5, 27, 45", "30 trials, the first of them trial 5,". */
function trialsText(trials: readonly Pick<TrialView['trial'], 'number'>[]): string {
  const numbers = trials.map(({ number }) => number);
  if (numbers.length > mostNumbers) return `${numbers.length} trials, the first of them trial ${numbers[0]},`;
  return `${numbers.length === 1 ? 'trial' : 'trials'} ${numbers.join(', ')}`;
}

/** Cells that were left out, and trials that failed, with the reasons. Trials of one cell and reason share a row. */
export const exceptionsTable = (model: RunModel): PanelTable => ({
  columns: [...cellColumns, ...words('What'), ...asides('Why')],
  rows: exceptionsOf(model).map((one) => ({ cells: [...cellTexts(model, one), one.what, one.why] })),
});
