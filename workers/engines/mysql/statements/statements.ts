import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { orderSql } from '../../shared/sql/order.ts';
import { rangeSql } from '../../shared/sql/range.ts';
import {
  changedOf,
  keyIs,
  keyOf,
  list,
  type Place,
  rangeFilter,
  rowList,
  type StatementSettings,
} from '../../shared/sql/statements.ts';
import { columnListSql, quote, tableSql } from '../names.ts';
import { castTypeSql, type StoredType, storedTypes } from '../values/values.ts';

/** SQL of one operation. Pure. */
export interface Statements {
  /** Types of a batch's columns, in order. */
  readonly types: readonly StoredType[];
  /** For `rows` rows, each value written by `place`. */
  sql(rows: number, place: Place): string;
}

/** A statement with placeholders. */
export interface Parameterised {
  readonly text: string;
  /** Where the parameters stand among the batch's values, row after row. Null: they are those values in their order. */
  readonly order: readonly number[] | null;
}

/** Placeholders are by position alone, so their order is written down as the text is made. */
export function parameterised({ types, sql }: Statements, rows: number): Parameterised {
  const order: number[] = [];
  const text = sql(rows, (row, column) => {
    order.push(row * types.length + column);
    return '?';
  });
  return { text, order: order.every((at, index) => at === index) ? null : order };
}

export function statementsOf(
  database: string,
  table: TablePlan,
  operation: TableOperation,
  settings: StatementSettings,
): Statements {
  const target = tableSql(database, table);
  const all = columnListSql(table);
  if (operation === 'insert') {
    const types = storedTypes(table, table.columns);
    return {
      types,
      sql: (rows, place) => `INSERT INTO ${target} (${all}) VALUES ${rowList(rows, types.length, place)}`,
    };
  }
  if (operation === 'scan')
    return { types: [], sql: () => `SELECT ${all} FROM ${target}${orderSql(table, settings, quote)}` };

  const over = rangeFilter(table, operation, settings);
  if (over)
    return {
      types: storedTypes(table, [over, over]),
      sql: (_rows, place) => `SELECT ${all} FROM ${target} WHERE ${rangeSql(quote(over.name), place)}`,
    };

  const keyColumn = keyOf(table, operation);
  const key = quote(keyColumn.name);
  const types = storedTypes(table, [keyColumn]);
  switch (operation) {
    case 'readByKey':
      return { types, sql: (rows, place) => `SELECT ${all} FROM ${target} WHERE ${keyIs(key, rows, place)}` };
    case 'readRange':
      return {
        types,
        sql: (_rows, place) =>
          `SELECT ${all} FROM ${target} WHERE ${key} >= ${place(0, 0)} ORDER BY ${key} LIMIT ${settings.rangeRows}`,
      };
    case 'delete':
      return { types, sql: (rows, place) => `DELETE FROM ${target} WHERE ${keyIs(key, rows, place)}` };
    case 'update':
      return updateStatements(target, table, keyColumn);
  }
}

/**
 * Several rows: joined with a list of SELECTs, which every version since 5.7 takes. VALUES as a table is written
 * differently by MySQL (8.0.19) and MariaDB (10.3), and CASE compares every row with every key.
 */
function updateStatements(target: string, table: TablePlan, keyColumn: Column): Statements {
  const changed = changedOf(table);
  const types = storedTypes(table, [keyColumn, changed]);
  const [key, column] = [quote(keyColumn.name), quote(changed.name)];
  // Values of the list have no column to take their type from; keys of another type would not be looked up in the
  // index.
  const cast = (place: Place, r: number, c: number) => `CAST(${place(r, c)} AS ${castTypeSql(types[c]!)})`;
  const names = ['new_key', 'new_value'];
  const select = (place: Place, r: number) =>
    `SELECT ${list(2, (c) => (r === 0 ? `${cast(place, r, c)} AS ${names[c]}` : cast(place, r, c)))}`;
  return {
    types,
    sql: (rows, place) =>
      rows === 1
        ? `UPDATE ${target} SET ${column} = ${place(0, 1)} WHERE ${key} = ${place(0, 0)}`
        : `UPDATE ${target} AS old JOIN (${Array.from({ length: rows }, (_, r) => select(place, r)).join(' UNION ALL ')}) AS new ON old.${key} = new.new_key SET old.${column} = new.new_value`,
  };
}
