import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMade, madeSettings } from '#analysis/settings/session-values.ts';
import { cellColumns, cellTexts, type NotedTable, type PanelCell, words } from '../shared/panel-table.ts';

type Facts = Pick<RunModel, 'plan' | 'trials'>;

/** The settings that sessions made for themselves, cell by cell. Empty where the experiment has no `session`. */
export function sessionTable(model: Facts): NotedTable {
  const rows = model.trials.flatMap((one) => madeSettings(model, one).map((made) => ({ trial: one.trial, made })));
  const byPlace = Map.groupBy(rows, ({ trial, made }) => JSON.stringify([trial.target, trial.variant, made.name]));
  return {
    note: 'Each session that sent calls has made these settings after its login, for itself alone, and has then asked the server for their values. A server may write a value otherwise than the experiment.',
    columns: [...cellColumns, ...words('Setting', 'Set to', 'Value at the server')],
    rows: [...byPlace.values()].map((all) => {
      const { trial, made } = all[0]!;
      const values = [...new Set(all.map((one) => formatMade(one.made)))];
      const value: PanelCell =
        values.length > 1 || made.reported === null ? { text: values.join('; '), tone: 'differs' } : values[0]!;
      return { cells: [...cellTexts(model, trial), made.name, made.asked, value] };
    }),
  };
}
