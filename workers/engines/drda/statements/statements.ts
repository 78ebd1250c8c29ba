import { changedColumn } from '#model/dataset/changed-column.ts';
import type { Column, ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { rangeColumnOf } from '#model/dataset/range-column.ts';
import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { orderSql } from '../../shared/sql/order.ts';
import { rangeSql } from '../../shared/sql/range.ts';
import { columnListSql, quote, tableSql } from '../schema/names.ts';

/** Writes the value of a row and column of the batch: `?`, or a literal. */
type Place = (row: number, column: number) => string;

export const marker: Place = () => '?';

/** SQL of one operation. Pure. */
export interface Statements {
  /** Types of a batch's columns, in order. */
  readonly types: readonly ColumnType[];
  /** The batch's columns in the order in which the markers name them; SQL has the new value before the key. */
  readonly order: readonly number[];
  /** For `rows` rows, each value written by `place`. */
  sql(rows: number, place: Place): string;
}

const list = (length: number, item: (index: number) => string): string =>
  Array.from({ length }, (_, index) => item(index)).join(', ');

export function statementsOf(table: TablePlan, operation: TableOperation, settings: Settings): Statements {
  const target = tableSql(table);
  const all = columnListSql(table);
  if (operation === 'insert') {
    const types = table.columns.map((column) => column.type);
    const row = (r: number, place: Place) => `(${list(types.length, (c) => place(r, c))})`;
    return {
      types,
      order: types.map((_, c) => c),
      sql: (rows, place) => `INSERT INTO ${target} (${all}) VALUES ${list(rows, (r) => row(r, place))}`,
    };
  }
  if (operation === 'scan')
    return { types: [], order: [], sql: () => `SELECT ${all} FROM ${target}${orderSql(table, settings, quote)}` };

  const over = operation === 'readRange' ? rangeColumnOf(table, settings)?.column : undefined;
  if (over)
    return {
      types: [over.type, over.type],
      order: [0, 1],
      sql: (_rows, place) => `SELECT ${all} FROM ${target} WHERE ${rangeSql(quote(over.name), place)}`,
    };

  const keyColumn = keyOf(table, operation);
  const key = quote(keyColumn.name);
  const byKey = { types: [keyColumn.type], order: [0] };
  const where = (rows: number, place: Place) =>
    rows === 1 ? `${key} = ${place(0, 0)}` : `${key} IN (${list(rows, (r) => place(r, 0))})`;
  switch (operation) {
    case 'readByKey':
      return { ...byKey, sql: (rows, place) => `SELECT ${all} FROM ${target} WHERE ${where(rows, place)}` };
    case 'readRange':
      return {
        ...byKey,
        sql: (_rows, place) =>
          `SELECT ${all} FROM ${target} WHERE ${key} >= ${place(0, 0)} ORDER BY ${key} FETCH FIRST ${settings.rangeRows} ROWS ONLY`,
      };
    case 'delete':
      return { ...byKey, sql: (rows, place) => `DELETE FROM ${target} WHERE ${where(rows, place)}` };
    case 'update': {
      const changed = changedOf(table);
      return {
        types: [keyColumn.type, changed.type],
        order: [1, 0],
        sql: (_rows, place) =>
          `UPDATE ${target} SET ${quote(changed.name)} = ${place(0, 1)} WHERE ${key} = ${place(0, 0)}`,
      };
    }
  }
}

function changedOf(table: TablePlan): Column {
  const index = changedColumn(table);
  const changed = index === null ? undefined : table.columns[index];
  if (changed) return changed;
  throw new DynoError('badInput', 'update needs a column besides the key.', { hint: 'Add one to dataset.columns.' });
}

function keyOf(table: TablePlan, operation: TableOperation): Column {
  const column = table.key === null ? undefined : table.columns[table.key];
  if (column) return column;
  throw new DynoError('badInput', `${operation} finds rows by key, but the dataset has no key.`, {
    hint: 'Name the key column as dataset.key.',
  });
}
