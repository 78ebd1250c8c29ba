import { changedColumn } from '#model/dataset/changed-column.ts';
import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import { rangeColumnOf } from '#model/dataset/range-column.ts';
import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';

/**
 * Writes the value of a row and column of a batch: a placeholder as the driver has it, or a literal. Statements call it
 * in the order of the values in the text.
 */
export type Place = (row: number, column: number) => string;

/** What statements of all dialects depend on. */
export type StatementSettings = Pick<Settings, 'rangeRows'> & Partial<Pick<Settings, 'rangeColumn' | 'orderBy'>>;

/** So many items with commas between them. */
export const list = (length: number, item: (index: number) => string): string =>
  Array.from({ length }, (_, index) => item(index)).join(', ');

/** One row in brackets. */
export const rowSql = (row: number, columns: number, place: Place): string =>
  `(${list(columns, (c) => place(row, c))})`;

/** Rows in brackets, with commas between them. */
export const rowList = (rows: number, columns: number, place: Place): string =>
  list(rows, (r) => rowSql(r, columns, place));

/** The condition that finds rows by key; `key` is quoted. */
export const keyIs = (key: string, rows: number, place: Place): string =>
  rows === 1 ? `${key} = ${place(0, 0)}` : `${key} IN (${list(rows, (r) => place(r, 0))})`;

/** The column that a readRange filters by; absent: other operations, and ranges that begin at a key. */
export const rangeFilter = (
  table: TablePlan,
  operation: TableOperation,
  settings: StatementSettings,
): Column | undefined => (operation === 'readRange' ? rangeColumnOf(table, settings)?.column : undefined);

/** The key column. Throws 'badInput' where the table has none. */
export function keyOf(table: TablePlan, operation: TableOperation): Column {
  const column = table.key === null ? undefined : table.columns[table.key];
  if (column) return column;
  throw new DynoError('badInput', `${operation} finds rows by key, but the dataset has no key.`, {
    hint: 'Name the key column as dataset.key.',
  });
}

/** The column that updates change. Throws 'badInput' where the table has none besides its key. */
export function changedOf(table: TablePlan): Column {
  const index = changedColumn(table);
  const changed = index === null ? undefined : table.columns[index];
  if (changed) return changed;
  throw new DynoError('badInput', 'update needs a column besides the key.', { hint: 'Add one to dataset.columns.' });
}
