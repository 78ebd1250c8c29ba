import { changedColumn } from '#model/dataset/changed-column.ts';
import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import { rangeColumnOf } from '#model/dataset/named-columns.ts';
import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { orderSql } from './order.ts';
import { rangeSql } from './range.ts';

/**
 * Writes the value of a row and column of a batch, as the driver's placeholder or as a literal. Statements call it in
 * the order of the values in the text.
 */
export type Place = (row: number, column: number) => string;

/** The settings on which statements of all dialects depend. */
export type StatementSettings = Pick<Settings, 'rangeRows'> & Partial<Pick<Settings, 'rangeColumn' | 'orderBy'>>;

/** Makes this many items with commas between them. */
export const list = (length: number, item: (index: number) => string): string =>
  Array.from({ length }, (_, index) => item(index)).join(', ');

/** One row in brackets. */
export const rowSql = (row: number, columns: number, place: Place): string =>
  `(${list(columns, (c) => place(row, c))})`;

/** Rows in brackets, with commas between them. */
export const rowList = (rows: number, columns: number, place: Place): string =>
  list(rows, (r) => rowSql(r, columns, place));

/** The condition that finds rows by key; `key` is quoted. */
const keyIs = (key: string, rows: number, place: Place): string =>
  rows === 1 ? `${key} = ${place(0, 0)}` : `${key} IN (${list(rows, (r) => place(r, 0))})`;

/** The column by which a readRange filters. Absent: other operations, and ranges that begin at a key. */
const rangeFilter = (table: TablePlan, operation: TableOperation, settings: StatementSettings): Column | undefined =>
  operation === 'readRange' ? rangeColumnOf(table, settings)?.column : undefined;

/** The key column. Throws 'badInput' if the table has none. */
export function keyOf(table: TablePlan, operation: TableOperation): Column {
  const column = table.key === null ? undefined : table.columns[table.key];
  if (column) return column;
  throw new DynoError('badInput', `${operation} finds rows by key, but the dataset has no key.`, {
    hint: 'Name the key column as dataset.key.',
  });
}

/** The column that updates change. Throws 'badInput' if the table has none besides its key. */
function changedOf(table: TablePlan): Column {
  const index = changedColumn(table);
  const changed = index === null ? undefined : table.columns[index];
  if (changed) return changed;
  throw new DynoError('badInput', 'update needs a column besides the key.', { hint: 'Add one to dataset.columns.' });
}

/** The differences between dialects in the statement of one row. */
interface Dialect {
  /** The name of the table in statements. */
  readonly target: string;
  quote(name: string): string;
  /** The columns that an insert names. Default: all. */
  readonly inserted?: readonly Column[];
  /** The condition that finds rows by key. Default: the key, or a list of keys. */
  byKey?(key: Column, rows: number, place: Place): string;
  /** Limits a SELECT to its first rows; `rest` is the text behind the word SELECT. Default: LIMIT. */
  first?(rest: string, rows: number): string;
}

/** `first` of dialects that follow the standard. */
export const fetchFirst = (rest: string, rows: number): string => `SELECT ${rest} FETCH FIRST ${rows} ROWS ONLY`;

/** A statement, and the columns whose values a batch has for it. */
interface CommonStatement {
  readonly columns: readonly Column[];
  /** The statement for `rows` rows, in which `place` writes each value. Updates and ranges have one row only. */
  sql(rows: number, place: Place): string;
}

/** The statement of an operation, as far as all dialects write it alike. Pure. */
export function commonStatement(
  table: TablePlan,
  operation: TableOperation,
  settings: StatementSettings,
  dialect: Dialect,
): CommonStatement {
  const { target, quote, inserted = table.columns, first = limit } = dialect;
  const names = (columns: readonly Column[]) => columns.map(({ name }) => quote(name)).join(', ');
  const from = `${names(table.columns)} FROM ${target}`;
  if (operation === 'insert') {
    const into = `INSERT INTO ${target} (${names(inserted)}) VALUES`;
    return { columns: inserted, sql: (rows, place) => `${into} ${rowList(rows, inserted.length, place)}` };
  }
  if (operation === 'scan') return { columns: [], sql: () => `SELECT ${from}${orderSql(table, settings, quote)}` };

  const over = rangeFilter(table, operation, settings);
  if (over)
    return {
      columns: [over, over],
      sql: (_, place) => `SELECT ${from} WHERE ${rangeSql(quote(over.name), place)}`,
    };

  const column = keyOf(table, operation);
  const key = quote(column.name);
  const byKey = dialect.byKey ?? ((_, rows, place) => keyIs(key, rows, place));
  switch (operation) {
    case 'readByKey':
      return { columns: [column], sql: (rows, place) => `SELECT ${from} WHERE ${byKey(column, rows, place)}` };
    case 'readRange':
      return {
        columns: [column],
        sql: (_, place) => first(`${from} WHERE ${key} >= ${place(0, 0)} ORDER BY ${key}`, settings.rangeRows),
      };
    case 'delete':
      return { columns: [column], sql: (rows, place) => `DELETE FROM ${target} WHERE ${byKey(column, rows, place)}` };
    case 'update': {
      const changed = changedOf(table);
      const set = `UPDATE ${target} SET ${quote(changed.name)} =`;
      return {
        columns: [column, changed],
        sql: (_, place) => `${set} ${place(0, 1)} WHERE ${byKey(column, 1, place)}`,
      };
    }
  }
}

const limit = (rest: string, rows: number): string => `SELECT ${rest} LIMIT ${rows}`;
