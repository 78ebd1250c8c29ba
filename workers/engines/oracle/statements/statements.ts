import type { Column, ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { orderSql } from '../../shared/sql/order.ts';
import { rangeSql } from '../../shared/sql/range.ts';
import {
  changedOf,
  keyOf,
  list,
  type Place,
  rangeFilter,
  rowSql,
  type StatementSettings,
} from '../../shared/sql/statements.ts';
import { columnListSql, quote, tableSql } from '../names.ts';

/** SQL of one operation. Pure. */
export interface Statements {
  /** Types of a batch's columns, in order. */
  readonly types: readonly ColumnType[];
  /** A batch's columns in the order in which their places come in the text: the driver counts binds by it. */
  readonly order: readonly number[];
  /** For one row. */
  one(place: Place): string;
  /** For N rows in one statement; null where no call carries several rows. */
  readonly many: ((rows: number, place: Place) => string) | null;
}

/** Binds by position: `:1`, `:2`… in the order of the text. */
export function positional(): Place {
  let next = 0;
  return () => `:${++next}`;
}

export function statementsOf(
  table: TablePlan,
  operation: TableOperation,
  settings: StatementSettings,
  insertForm: 'values' | 'insertAll',
): Statements {
  const target = tableSql(table);
  const all = columnListSql(table);
  if (operation === 'insert') return insertStatements(table, insertForm);
  if (operation === 'scan')
    return {
      types: [],
      order: [],
      one: () => `SELECT ${all} FROM ${target}${orderSql(table, settings, quote)}`,
      many: null,
    };

  const over = rangeFilter(table, operation, settings);
  if (over)
    return {
      types: [over.type, over.type],
      order: [0, 1],
      one: (place) => `SELECT ${all} FROM ${target} WHERE ${rangeSql(quote(over.name), place)}`,
      many: null,
    };

  const keyColumn = keyOf(table, operation);
  const key = quote(keyColumn.name);
  const byKey = { types: [keyColumn.type], order: [0] };
  const where = (place: Place) => `${key} = ${place(0, 0)}`;
  switch (operation) {
    case 'readByKey':
      return {
        ...byKey,
        one: (place) => `SELECT ${all} FROM ${target} WHERE ${where(place)}`,
        many: (rows, place) => `SELECT ${all} FROM ${target} WHERE ${inLists(key, rows, place)}`,
      };
    case 'readRange':
      return {
        ...byKey,
        // From version 12.1 on, as the driver.
        one: (place) =>
          `SELECT ${all} FROM ${target} WHERE ${key} >= ${place(0, 0)} ORDER BY ${key} FETCH FIRST ${settings.rangeRows} ROWS ONLY`,
        many: null,
      };
    case 'delete':
      return {
        ...byKey,
        one: (place) => `DELETE FROM ${target} WHERE ${where(place)}`,
        many: (rows, place) => `DELETE FROM ${target} WHERE ${inLists(key, rows, place)}`,
      };
    case 'update':
      return updateStatements(table, keyColumn);
  }
}

/** A list holds 1,000 expressions (ORA-01795; more from 23ai on). */
const longestList = 1_000;

function inLists(key: string, rows: number, place: Place): string {
  const lists: string[] = [];
  for (let from = 0; from < rows; from += longestList) {
    const length = Math.min(longestList, rows - from);
    lists.push(`${key} IN (${list(length, (i) => place(from + i, 0))})`);
  }
  return lists.join(' OR ');
}

function insertStatements(table: TablePlan, form: 'values' | 'insertAll'): Statements {
  const types = table.columns.map((column) => column.type);
  const into = `INTO ${tableSql(table)} (${columnListSql(table)})`;
  const row = (r: number, place: Place) => rowSql(r, types.length, place);
  const rowsOf = (rows: number, item: (r: number) => string, between: string) =>
    Array.from({ length: rows }, (_, r) => item(r)).join(between);
  return {
    types,
    order: types.map((_, c) => c),
    one: (place) => `INSERT ${into} VALUES ${row(0, place)}`,
    many: (rows, place) =>
      form === 'values'
        ? `INSERT ${into} VALUES ${rowsOf(rows, (r) => row(r, place), ', ')}`
        : `INSERT ALL ${rowsOf(rows, (r) => `${into} VALUES ${row(r, place)}`, ' ')} SELECT * FROM DUAL`,
  };
}

function updateStatements(table: TablePlan, keyColumn: Column): Statements {
  const changed = changedOf(table);
  const key = quote(keyColumn.name);
  const set = quote(changed.name);
  const target = tableSql(table);
  // Only the first SELECT of a UNION names its columns.
  const source = (rows: number, place: Place) =>
    Array.from({ length: rows }, (_, r) => {
      const [value, id] = [place(r, 1), place(r, 0)];
      return r === 0 ? `SELECT ${value} AS new_value, ${id} AS id FROM DUAL` : `SELECT ${value}, ${id} FROM DUAL`;
    }).join(' UNION ALL ');
  return {
    types: [keyColumn.type, changed.type],
    order: [1, 0],
    one: (place) => {
      const [value, id] = [place(0, 1), place(0, 0)];
      return `UPDATE ${target} SET ${set} = ${value} WHERE ${key} = ${id}`;
    },
    many: (rows, place) =>
      `MERGE INTO ${target} t USING (${source(rows, place)}) s ON (t.${key} = s.id) WHEN MATCHED THEN UPDATE SET ${set} = s.new_value`,
  };
}
