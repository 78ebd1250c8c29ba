import type { Column, ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { commonStatement, list, type Place, rowList } from '../../shared/sql/statements.ts';
import { columnListSql, quote, tableSql } from '../names.ts';
import { castSql } from '../values/values.ts';

/** SQL of one operation. Pure. */
interface Statements {
  /** Types of a batch's columns, in order. */
  readonly types: readonly ColumnType[];
  /** The statement for `rows` rows, in which `place` writes each value. */
  sql(rows: number, place: Place): string;
  /**
   * The statement with one array parameter for each column of the batch: $1, $2… Null: no call carries several rows.
   */
  readonly arraySql: string | null;
}

export const placeholders =
  (columns: number): Place =>
  (row, column) =>
    `$${row * columns + column + 1}`;

export function statementsOf(table: TablePlan, operation: TableOperation, settings: Settings): Statements {
  const target = tableSql(table);
  const { columns, sql } = commonStatement(table, operation, settings, { target, quote });
  const types = columns.map(({ type }) => type);
  const arrays = list(types.length, (c) => `$${c + 1}::${castSql(types[c]!)}[]`);
  const all = columnListSql(table);
  switch (operation) {
    case 'insert':
      return { types, sql, arraySql: `INSERT INTO ${target} (${all}) SELECT * FROM unnest(${arrays})` };
    case 'readByKey':
      return { types, sql, arraySql: `SELECT ${all} FROM ${target} WHERE ${quote(columns[0]!.name)} = ANY(${arrays})` };
    case 'delete':
      return { types, sql, arraySql: `DELETE FROM ${target} WHERE ${quote(columns[0]!.name)} = ANY(${arrays})` };
    case 'update':
      return updateStatements(target, columns, types, arrays);
    default:
      return { types, sql, arraySql: null };
  }
}

function updateStatements(
  target: string,
  columns: readonly Column[],
  types: readonly ColumnType[],
  arrays: string,
): Statements {
  const [key, changed] = columns.map(({ name }) => quote(name));
  const set = `UPDATE ${target} AS old SET ${changed} =`;
  // Values of a FROM list take their type from no column, so the first row of the list names it.
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
    arraySql: `${set} new.value FROM unnest(${arrays}) AS new(id, value) WHERE old.${key} = new.id`,
  };
}
