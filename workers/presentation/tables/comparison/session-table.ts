import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMade, type MadeSetting, madeSettings } from '#analysis/settings/session-values.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { cellColumns, cellTexts, type NotedTable, type PanelCell, words } from '../shared/panel-table.ts';

type Facts = Pick<RunModel, 'plan' | 'trials' | 'cells'>;

/** The settings that sessions made for themselves, cell by cell. Empty where the experiment has no `session`. */
export const sessionTable = (model: Facts): NotedTable => ({
  note: 'Each session that sent calls has made these settings after its login, for itself alone, and has then asked the server for their values. A server may write a value otherwise than the experiment.',
  ...madeTable(model, 'session', 'Setting'),
});

/** The parameters of the servers, cell by cell. Empty where the experiment has no `server`. */
export const serverParameterTable = (model: Facts): NotedTable => ({
  note: 'On built-in targets each set of parameters had a server of this run’s own, which was started with it and deleted at the end of the run. On a connection each trial changed the running server first, and the run gave the earlier values back. Before each trial Dyno has asked the server for the values; one that differs from the experiment fails the trial. A server may write a value otherwise than the experiment.',
  ...madeTable(model, 'server', 'Parameter'),
});

function madeTable(model: Facts, by: MadeSetting['by'], what: string): Omit<NotedTable, 'note'> {
  const byCell = Map.groupBy(model.trials, ({ trial }) => keyOf(trial));
  const found = model.cells.flatMap((cell) => {
    const all = (byCell.get(keyOf(cell)) ?? []).flatMap((one) => madeSettings(model, one));
    const own = all.filter((one) => one.by === by);
    return [...Map.groupBy(own, ({ name }) => name).values()].map((made) => ({ cell, made }));
  });
  return {
    columns: [...cellColumns, ...words(what, 'Set to', 'Value at the server')],
    rows: found.map(({ cell, made }) => {
      const [{ name, asked, reported } = { name: '', asked: '', reported: null }] = made;
      const values = [...new Set(made.map(formatMade))];
      const value: PanelCell =
        values.length > 1 || reported === null ? { text: values.join('; '), tone: 'differs' } : values.join();
      return { cells: [...cellTexts(model, cell), name, asked ?? 'not set', value] };
    }),
  };
}
