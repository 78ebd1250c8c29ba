import type { Column, ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { orderSql } from '../../shared/sql/order.ts';
import { rangeSql } from '../../shared/sql/range.ts';
import { changedOf, keyIs, keyOf, list, type Place, rangeFilter, rowList } from '../../shared/sql/statements.ts';
import { columnListSql, quote, tableSql } from '../names.ts';
import { castSql } from '../values/values.ts';

/** SQL of one operation. Pure. */
interface Statements {
  /** Types of a batch's columns, in order. */
  readonly types: readonly ColumnType[];
  /** For `rows` rows, each value written by `place`. */
  sql(rows: number, place: Place): string;
  /** With one array parameter per column of the batch: $1, $2… Null where no call carries several rows. */
  readonly arraySql: string | null;
}

export const placeholders =
  (columns: number): Place =>
  (row, column) =>
    `$${row * columns + column + 1}`;

export function statementsOf(table: TablePlan, operation: TableOperation, settings: Settings): Statements {
  const target = tableSql(table);
  const all = columnListSql(table);
  if (operation === 'insert') {
    const types = table.columns.map((column) => column.type);
    return {
      types,
      sql: (rows, place) => `INSERT INTO ${target} (${all}) VALUES ${rowList(rows, types.length, place)}`,
      arraySql: `INSERT INTO ${target} (${all}) SELECT * FROM unnest(${list(types.length, (c) => arrayParameter(types[c]!, c))})`,
    };
  }
  if (operation === 'scan')
    return { types: [], sql: () => `SELECT ${all} FROM ${target}${orderSql(table, settings, quote)}`, arraySql: null };

  const over = rangeFilter(table, operation, settings);
  if (over)
    return {
      types: [over.type, over.type],
      sql: (_rows, place) => `SELECT ${all} FROM ${target} WHERE ${rangeSql(quote(over.name), place)}`,
      arraySql: null,
    };

  const keyColumn = keyOf(table, operation);
  const key = quote(keyColumn.name);
  const types = [keyColumn.type];
  const anyKey = `${key} = ANY(${arrayParameter(keyColumn.type, 0)})`;
  switch (operation) {
    case 'readByKey':
      return {
        types,
        sql: (rows, place) => `SELECT ${all} FROM ${target} WHERE ${keyIs(key, rows, place)}`,
        arraySql: `SELECT ${all} FROM ${target} WHERE ${anyKey}`,
      };
    case 'readRange':
      return {
        types,
        sql: (_rows, place) =>
          `SELECT ${all} FROM ${target} WHERE ${key} >= ${place(0, 0)} ORDER BY ${key} LIMIT ${settings.rangeRows}`,
        arraySql: null,
      };
    case 'delete':
      return {
        types,
        sql: (rows, place) => `DELETE FROM ${target} WHERE ${keyIs(key, rows, place)}`,
        arraySql: `DELETE FROM ${target} WHERE ${anyKey}`,
      };
    case 'update':
      return updateStatements(table, keyColumn);
  }
}

function updateStatements(table: TablePlan, keyColumn: Column): Statements {
  const changed = changedOf(table);
  const types = [keyColumn.type, changed.type];
  const key = quote(keyColumn.name);
  const set = `UPDATE ${tableSql(table)} AS old SET ${quote(changed.name)} =`;
  // Values of a FROM list have no column to take their type from: the first row of the list says it.
  const cast =
    (place: Place): Place =>
    (row, column) =>
      row === 0 ? `${place(row, column)}::${castSql(types[column]!)}` : place(row, column);
  return {
    types,
    sql: (rows, place) =>
      rows === 1
        ? `${set} ${place(0, 1)} WHERE ${key} = ${place(0, 0)}`
        : `${set} new.value FROM (VALUES ${rowList(rows, 2, cast(place))}) AS new(id, value) WHERE old.${key} = new.id`,
    arraySql: `${set} new.value FROM unnest(${list(2, (c) => arrayParameter(types[c]!, c))}) AS new(id, value) WHERE old.${key} = new.id`,
  };
}

const arrayParameter = (type: ColumnType, index: number): string => `$${index + 1}::${castSql(type)}[]`;
