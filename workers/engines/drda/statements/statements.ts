import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { orderSql } from '../../shared/sql/order.ts';
import { rangeSql } from '../../shared/sql/range.ts';
import { changedOf, keyIs, keyOf, type Place, rangeFilter, rowList } from '../../shared/sql/statements.ts';
import { columnListSql, quote, tableSql } from '../names.ts';

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

export function statementsOf(table: TablePlan, operation: TableOperation, settings: Settings): Statements {
  const target = tableSql(table);
  const all = columnListSql(table);
  if (operation === 'insert') {
    const types = table.columns.map((column) => column.type);
    return {
      types,
      order: types.map((_, c) => c),
      sql: (rows, place) => `INSERT INTO ${target} (${all}) VALUES ${rowList(rows, types.length, place)}`,
    };
  }
  if (operation === 'scan')
    return { types: [], order: [], sql: () => `SELECT ${all} FROM ${target}${orderSql(table, settings, quote)}` };

  const over = rangeFilter(table, operation, settings);
  if (over)
    return {
      types: [over.type, over.type],
      order: [0, 1],
      sql: (_rows, place) => `SELECT ${all} FROM ${target} WHERE ${rangeSql(quote(over.name), place)}`,
    };

  const keyColumn = keyOf(table, operation);
  const key = quote(keyColumn.name);
  const byKey = { types: [keyColumn.type], order: [0] };
  switch (operation) {
    case 'readByKey':
      return { ...byKey, sql: (rows, place) => `SELECT ${all} FROM ${target} WHERE ${keyIs(key, rows, place)}` };
    case 'readRange':
      return {
        ...byKey,
        sql: (_rows, place) =>
          `SELECT ${all} FROM ${target} WHERE ${key} >= ${place(0, 0)} ORDER BY ${key} FETCH FIRST ${settings.rangeRows} ROWS ONLY`,
      };
    case 'delete':
      return { ...byKey, sql: (rows, place) => `DELETE FROM ${target} WHERE ${keyIs(key, rows, place)}` };
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
