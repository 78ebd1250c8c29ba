import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMade, madeSettings } from '#analysis/settings/session-values.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { cellColumns, cellTexts, type NotedTable, type PanelCell, words } from '../shared/panel-table.ts';

type Facts = Pick<RunModel, 'plan' | 'trials' | 'cells'>;

/** The settings that sessions made for themselves, cell by cell. Empty where the experiment has no `session`. */
export function sessionTable(model: Facts): NotedTable {
  const byCell = Map.groupBy(model.trials, ({ trial }) => keyOf(trial));
  const found = model.cells.flatMap((cell) => {
    const all = (byCell.get(keyOf(cell)) ?? []).flatMap((one) => madeSettings(model, one));
    return [...Map.groupBy(all, ({ name }) => name).values()].map((made) => ({ cell, made }));
  });
  return {
    note: 'Each session that sent calls has made these settings after its login, for itself alone, and has then asked the server for their values. A server may write a value otherwise than the experiment.',
    columns: [...cellColumns, ...words('Setting', 'Set to', 'Value at the server')],
    rows: found.map(({ cell, made }) => {
      const [{ name, asked, reported } = { name: '', asked: '', reported: null }] = made;
      const values = [...new Set(made.map(formatMade))];
      const value: PanelCell =
        values.length > 1 || reported === null ? { text: values.join('; '), tone: 'differs' } : values.join();
      return { cells: [...cellTexts(model, cell), name, asked, value] };
    }),
  };
}
