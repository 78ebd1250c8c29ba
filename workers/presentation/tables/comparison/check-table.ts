import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatFoundRows, foundRows } from '#model/statements/found-rows.ts';
import type { CheckSpec } from '#model/statements/statements.ts';
import { experimentsOf } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import {
  cellColumns,
  cellTexts,
  type NotedTable,
  numbers,
  type PanelCell,
  remarks,
  words,
} from '../shared/panel-table.ts';

type Facts = Pick<RunModel, 'plan' | 'trials' | 'cells'>;

/** The results of the experiment's checks, cell by cell. Empty without checks, or before the first result. */
export function checkTable(model: Facts): NotedTable {
  const checks = Object.entries<CheckSpec>(Object.assign({}, ...experimentsOf(model.plan).map(({ checks }) => checks)));
  const isExplained = checks.some(([, { about }]) => about !== undefined);
  const found = model.cells.flatMap((cell) =>
    checks.flatMap(([name, { about = '' }]) => {
      const outcome = outcomeOf(model, cell, name);
      return outcome === null ? [] : [{ cell, texts: isExplained ? [name, about] : [name], ...outcome }];
    }),
  );
  const isRemarked = found.some(({ remark }) => remark !== '');
  return {
    note: 'Checks run after each trial, untimed. A check that returns rows fails the trial, which is then left out.',
    columns: [
      ...cellColumns,
      ...words('Check', ...(isExplained ? ['Condition'] : [])),
      ...numbers('Passed in'),
      ...(isRemarked ? remarks('First violation') : []),
    ],
    rows: found.map(({ cell, texts, held, remark }) => ({
      cells: [...cellTexts(model, cell), ...texts, held, ...(isRemarked ? [remark] : [])],
    })),
  };
}

/** Null if no trial of the cell has run the check. */
function outcomeOf(
  { trials }: Facts,
  cell: Facts['cells'][number],
  check: string,
): { readonly held: PanelCell; readonly remark: string } | null {
  const results = trials
    .filter(({ trial }) => keyOf(trial) === keyOf(cell))
    .flatMap(({ trial, result }) =>
      (result?.checks ?? []).filter(({ name }) => name === check).map(({ found }) => ({ number: trial.number, found })),
    );
  if (results.length === 0) return null;
  const asked = results.flatMap(({ number, found }) => (found ? [{ number, found }] : []));
  if (asked.length === 0) return { held: '–', remark: 'Not run: the check has no text for this engine.' };
  const wrong = asked.filter(({ found }) => foundRows(found) > 0);
  const [first] = wrong;
  const text = `${asked.length - wrong.length} of ${asked.length} ${asked.length === 1 ? 'trial' : 'trials'}`;
  return first === undefined
    ? { held: text, remark: '' }
    : { held: { text, tone: 'differs' }, remark: `Trial ${first.number}: ${formatFoundRows(first.found)}.` };
}
