import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import type { Cell } from '#protocol/plan.ts';
import { sentences } from '../../text/sentences.ts';
import { asides, cellColumns, cellTexts, type PanelTable, words } from '../shared/panel-table.ts';

const statusLabels = { failed: 'failed', cancelled: 'cancelled', didNotFinish: 'did not finish' } as const;

function whyNot({ result, damage }: TrialView): { readonly what: string; readonly why: string } | null {
  if (damage !== null) return { what: 'damaged', why: damage };
  if (!result || result.status === 'ok' || result.status === 'cannot') return null;
  const { message = '', hint = '' } = result.error ?? {};
  return { what: statusLabels[result.status], why: sentences(message, hint ?? '') };
}

interface Exception extends Cell {
  readonly what: string;
  readonly why: string;
}

const exceptionsOf = (model: Pick<RunModel, 'skipped' | 'trials'>): readonly Exception[] => [
  ...model.skipped.map((cell) => ({ ...cell, what: 'skipped', why: cell.reason })),
  ...model.trials.flatMap((view) => {
    const exception = whyNot(view);
    const { trial } = view;
    return exception === null
      ? []
      : [{ ...trial, what: `trial ${trial.number} ${exception.what}`, why: exception.why }];
  }),
];

/** Cells that were left out and trials that failed, with the reasons. */
export const exceptionsTable = (model: RunModel): PanelTable => ({
  columns: [...cellColumns, ...words('What'), ...asides('Why')],
  rows: exceptionsOf(model).map((one) => ({ cells: [...cellTexts(model, one), one.what, one.why] })),
});
