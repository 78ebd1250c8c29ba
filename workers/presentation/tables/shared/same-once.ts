import type { Fact } from '../../text/fact.ts';
import type { PanelTable } from './panel-table.ts';

interface Reduced {
  /** The columns in which all rows have the same value, each with that value. */
  readonly same: readonly Fact[];
  /** The table without these columns. */
  readonly table: PanelTable;
}

/** Takes the columns out of a table in which all rows have the same value, so that the value is shown once. */
export function sameOnce({ columns, rows }: PanelTable): Reduced {
  const common = columns.map(({ kind }, i) => {
    const first = rows[0]?.cells[i];
    const isSame = typeof first === 'string' && rows.every(({ cells }) => cells[i] === first);
    return isSame && rows.length > 1 && kind !== 'head' && kind !== 'target' ? first : null;
  });
  const stays = (_: unknown, i: number) => common[i] === null;
  return {
    same: columns.flatMap(({ title }, i): readonly Fact[] => (common[i] == null ? [] : [[title, common[i]]])),
    table: { columns: columns.filter(stays), rows: rows.map((row) => ({ ...row, cells: row.cells.filter(stays) })) },
  };
}
