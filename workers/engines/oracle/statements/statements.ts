import type { Column, ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import {
  commonStatement,
  fetchFirst,
  list,
  type Place,
  rowSql,
  type StatementSettings,
} from '../../shared/sql/statements.ts';
import { columnListSql, quote, tableSql } from '../names.ts';

/** SQL of one operation. Pure. */
export interface Statements {
  /** Types of a batch's columns, in order. */
  readonly types: readonly ColumnType[];
  /** A batch's columns in the order of their places in the text, by which the driver counts binds. */
  readonly order: readonly number[];
  /** The statement for one row, in which `place` writes each value. */
  one(place: Place): string;
  /** The statement for several rows. Null: no call carries several rows. */
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
  // FETCH FIRST exists from version 12.1 on, the driver's oldest server.
  const dialect = { target, quote, first: fetchFirst };
  const { columns, sql } = commonStatement(table, operation, settings, dialect);
  const types = columns.map(({ type }) => type);
  const statements = { types, order: types.map((_, c) => c), one: (place: Place) => sql(1, place), many: null };
  const byKeys = (rows: number, place: Place) => inLists(quote(columns[0]!.name), rows, place);
  switch (operation) {
    case 'insert':
      return { ...statements, many: insertMany(table, insertForm) };
    case 'readByKey':
      return {
        ...statements,
        many: (rows, place) => `SELECT ${columnListSql(table)} FROM ${target} WHERE ${byKeys(rows, place)}`,
      };
    case 'delete':
      return { ...statements, many: (rows, place) => `DELETE FROM ${target} WHERE ${byKeys(rows, place)}` };
    case 'update':
      return { ...statements, order: [1, 0], many: updateMany(target, columns) };
    default:
      return statements;
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

function insertMany(table: TablePlan, form: 'values' | 'insertAll'): Statements['many'] {
  const into = `INTO ${tableSql(table)} (${columnListSql(table)})`;
  const row = (r: number, place: Place) => rowSql(r, table.columns.length, place);
  return (rows, place) =>
    form === 'values'
      ? `INSERT ${into} VALUES ${list(rows, (r) => row(r, place))}`
      : `INSERT ALL ${Array.from({ length: rows }, (_, r) => `${into} VALUES ${row(r, place)}`).join(' ')} SELECT * FROM DUAL`;
}

function updateMany(target: string, columns: readonly Column[]): Statements['many'] {
  const [key, set] = columns.map(({ name }) => quote(name));
  // Only the first SELECT of a UNION names its columns.
  const source = (rows: number, place: Place) =>
    Array.from({ length: rows }, (_, r) => {
      const [value, id] = [place(r, 1), place(r, 0)];
      return r === 0 ? `SELECT ${value} AS new_value, ${id} AS id FROM DUAL` : `SELECT ${value}, ${id} FROM DUAL`;
    }).join(' UNION ALL ');
  return (rows, place) =>
    `MERGE INTO ${target} t USING (${source(rows, place)}) s ON (t.${key} = s.id) WHEN MATCHED THEN UPDATE SET ${set} = s.new_value`;
}
