import type { Column, ColumnType, ParameterType, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { orderSql } from '../../shared/sql/order.ts';
import { rangeSql } from '../../shared/sql/range.ts';
import { changedOf, keyOf, list, type Place, rangeFilter, rowList } from '../../shared/sql/statements.ts';
import { bucketColumn, quote, sentColumns, tableSql, typeNames } from '../names.ts';
import { unknownKeys } from '../options.ts';
import { columnTypeSql } from '../values/values.ts';
import { bucketOf, partitionsOf } from './partitions.ts';

/** SQL of one operation. Pure. */
export interface Statements {
  /** Columns of a batch that are sent, as indexes, and their types. */
  readonly sent: readonly number[];
  readonly types: readonly ColumnType[];
  /** For `rows` rows, each value written by `place`. */
  sql(rows: number, place: Place): string;
  /** With all rows in one table-valued parameter, @P0. Null where no call carries several rows. */
  readonly tableForm: { readonly sql: string; readonly typeName: string } | null;
}

/** Parameters count through the rows: @P0, @P1… */
export const placeholders =
  (columns: number): Place =>
  (row, column) =>
    `@P${row * columns + column}`;

/** Declarations of the parameters of so many rows, for sp_executesql and sp_prepare. `own`: by columns, not types. */
export const declarations = (
  types: readonly ParameterType[],
  rows: number,
  own: readonly (string | null)[] = [],
): string =>
  list(rows, (row) => list(types.length, (c) => `@P${row * types.length + c} ${own[c] ?? columnTypeSql(types[c]!)}`));

const names = (columns: readonly Column[], prefix = ''): string =>
  columns.map((column) => `${prefix}${quote(column.name)}`).join(', ');

export function statementsOf(table: TablePlan, operation: TableOperation, settings: Settings): Statements {
  const target = tableSql(table);
  const all = names(table.columns);
  if (operation === 'insert') {
    const sent = sentColumns(table);
    const columns = sent.map((c) => table.columns[c]!);
    if (columns.length === 0)
      throw new DynoError('badInput', 'sqlserver.table: newSequentialId needs a column besides the key.');
    const into = `INSERT INTO ${target} (${names(columns)})`;
    return {
      sent,
      types: columns.map(({ type }) => type),
      sql: (rows, place) => `${into} VALUES ${rowList(rows, columns.length, place)}`,
      tableForm: { sql: `${into} SELECT ${names(columns)} FROM @P0`, typeName: typeNames(table).rows },
    };
  }
  if (operation === 'scan')
    return {
      sent: [],
      types: [],
      sql: () => `SELECT ${all} FROM ${target}${orderSql(table, settings, quote)}`,
      tableForm: null,
    };

  const over = rangeFilter(table, operation, settings);
  if (over)
    return {
      sent: [0, 1],
      types: [over.type, over.type],
      sql: (_rows, place) => `SELECT ${all} FROM ${target} WHERE ${rangeSql(quote(over.name), place)}`,
      tableForm: null,
    };

  const keyColumn = knownKeyOf(table, operation);
  const key = quote(keyColumn.name);
  const byKey = { sent: [0], types: [keyColumn.type] };
  const keys = { typeName: typeNames(table).keys };
  const join = `JOIN @P0 AS wanted ON wanted.${key} = old.${key}`;
  switch (operation) {
    case 'readByKey':
      return {
        ...byKey,
        sql: (rows, place) => `SELECT ${all} FROM ${target} WHERE ${where(table, keyColumn, rows, place)}`,
        tableForm: { ...keys, sql: `SELECT ${names(table.columns, 'old.')} FROM ${target} AS old ${join}` },
      };
    case 'readRange':
      return {
        ...byKey,
        sql: (_rows, place) =>
          `SELECT TOP (${settings.rangeRows}) ${all} FROM ${target} WHERE ${key} >= ${place(0, 0)} ORDER BY ${key}`,
        tableForm: null,
      };
    case 'delete':
      return {
        ...byKey,
        sql: (rows, place) => `DELETE FROM ${target} WHERE ${where(table, keyColumn, rows, place)}`,
        tableForm: { ...keys, sql: `DELETE old FROM ${target} AS old ${join}` },
      };
    case 'update':
      return updateStatements(table, keyColumn);
  }
}

/** Where rows with these keys are; for one key of a partitioned table also the partition. */
function where(table: TablePlan, column: Column, rows: number, place: Place): string {
  const key = quote(column.name);
  if (rows > 1) return `${key} IN (${list(rows, (r) => place(r, 0))})`;
  const bucket =
    partitionsOf(table) > 1 && column.type.kind === 'bigint'
      ? ` AND ${quote(bucketColumn)} = ${bucketOf(place(0, 0), partitionsOf(table))}`
      : '';
  return `${key} = ${place(0, 0)}${bucket}`;
}

function updateStatements(table: TablePlan, keyColumn: Column): Statements {
  const changed = changedOf(table);
  const target = tableSql(table);
  const key = quote(keyColumn.name);
  const value = quote(changed.name);
  const types = [keyColumn.type, changed.type];
  const update = `UPDATE old SET ${value} = new.${value} FROM ${target} AS old JOIN`;
  // A literal's type is a guess; the first row of a list says the column's, to which the others are converted.
  const cast =
    (place: Place): Place =>
    (row, column) =>
      row === 0 ? `CAST(${place(row, column)} AS ${columnTypeSql(types[column]!)})` : place(row, column);
  return {
    sent: [0, 1],
    types,
    sql: (rows, place) =>
      rows === 1
        ? `UPDATE ${target} SET ${value} = ${place(0, 1)} WHERE ${where(table, keyColumn, 1, place)}`
        : `${update} (VALUES ${rowList(rows, 2, cast(place))}) AS new (${key}, ${value}) ON new.${key} = old.${key}`,
    tableForm: { sql: `${update} @P0 AS new ON new.${key} = old.${key}`, typeName: typeNames(table).changes },
  };
}

function knownKeyOf(table: TablePlan, operation: TableOperation): Column {
  if (table.options.table === 'newSequentialId')
    throw new DynoError('unsupported', unknownKeys, {
      hint: 'With sqlserver.table: newSequentialId, insert and scan only.',
    });
  return keyOf(table, operation);
}
