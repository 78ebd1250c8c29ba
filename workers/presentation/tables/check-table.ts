import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatFoundRows, foundRows } from '#model/format/found-rows.ts';
import { variantLabel } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { CellRow, CellTable } from './shared/cell-table.ts';

type Facts = Pick<RunModel, 'plan' | 'trials' | 'cells'>;

/** What the experiment's own checks came to, cell by cell. Nothing without checks, or before they were asked. */
export function checkTable(model: Facts): CellTable {
  const checks = Object.entries(model.plan.experiment.checks ?? {});
  const isExplained = checks.some(([, { about }]) => about !== undefined);
  return {
    note: 'Asked after each trial, outside of the clock. What a check finds must not be: it fails the trial, which is then left out.',
    words: ['Check', ...(isExplained ? ['What has to hold'] : [])],
    columns: ['Held in'],
    remark: 'What it found',
    rows: model.cells.flatMap((cell) =>
      checks.flatMap(([name, { about = '' }]) => rowOf(model, cell, name, isExplained ? [name, about] : [name])),
    ),
  };
}

function rowOf(
  { plan, trials }: Facts,
  cell: Facts['cells'][number],
  check: string,
  words: readonly string[],
): readonly CellRow[] {
  const results = trials
    .filter(({ trial }) => keyOf(trial) === keyOf(cell))
    .flatMap(({ trial, result }) =>
      (result?.checks ?? []).filter(({ name }) => name === check).map(({ found }) => ({ number: trial.number, found })),
    );
  if (results.length === 0) return [];
  const asked = results.flatMap(({ number, found }) => (found ? [{ number, found }] : []));
  const wrong = asked.filter(({ found }) => foundRows(found) > 0);
  const [first] = wrong;
  const row = { variant: variantLabel(plan, cell.variant), target: cell.target, words };
  if (asked.length === 0) return [{ ...row, texts: ['–'], remark: 'Not asked: it has no text for this engine.' }];
  return [
    {
      ...row,
      texts: [`${asked.length - wrong.length} of ${asked.length} ${asked.length === 1 ? 'trial' : 'trials'}`],
      ...(first && { off: 0, remark: `Trial ${first.number}: ${formatFoundRows(first.found)}.` }),
    },
  ];
}
