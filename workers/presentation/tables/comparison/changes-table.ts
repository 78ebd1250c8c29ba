import type { RunChange } from '#protocol/run-change.ts';
import { changeKindText, excerpts } from '../../text/changes-text.ts';
import { heads, type PanelTable, words } from '../shared/panel-table.ts';

/** The text that replaces an empty table. */
export const nothingChanged =
  'No difference: experiment, servers, settings, indexes, drivers, Dyno and machine are the same in these run files.';

/** The differences between two runs, one per line. */
export function changesTable(changes: readonly RunChange[]): PanelTable {
  const hasPlaces = changes.some(({ where }) => where !== null);
  return {
    columns: [...heads('Kind', 'What'), ...words(...(hasPlaces ? ['Where'] : []), 'Before', 'After')],
    rows: changes.map(({ kind, what, where, ...values }) => {
      const [before, after] = excerpts(values.before, values.after);
      return { cells: [changeKindText[kind], what, ...(hasPlaces ? [where ?? ''] : []), before, after] };
    }),
  };
}
