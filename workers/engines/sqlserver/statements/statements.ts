import type { Column, ColumnType, ParameterType, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { TableOperation } from '#model/settings/vocabulary.ts';
import { commonStatement, list, type Place, rowList } from '../../shared/sql/statements.ts';
import { bucketColumn, quote, sentColumns, tableSql, typeNames } from '../names.ts';
import { unknownKeys } from '../options.ts';
import { columnTypeSql } from '../values/values.ts';
import { maxdopHint } from './maxdop.ts';
import { bucketOf, partitionsOf } from './partitions.ts';

/** SQL of one operation. Pure. */
export interface Statements {
  /** The columns of a batch that are sent, as indexes, and their types. */
  readonly sent: readonly number[];
  readonly types: readonly ColumnType[];
  /** The statement for `rows` rows, in which `place` writes each value. */
  sql(rows: number, place: Place): string;
  /** The statement with all rows in one table-valued parameter, @P0. Null: no call carries several rows. */
  readonly tableForm: { readonly sql: string; readonly typeName: string } | null;
}

/** Parameters are numbered through the rows: @P0, @P1… */
export const placeholders =
  (columns: number): Place =>
  (row, column) =>
    `@P${row * columns + column}`;

/**
 * The declarations of the parameters of this many rows, for sp_executesql and sp_prepare. `own`: by columns and not by
 * types.
 */
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
  const insert = operation === 'insert' ? sentColumns(table) : null;
  if (insert?.length === 0)
    throw new DynoError('badInput', 'sqlserver.table: newSequentialId needs a column besides the key.');
  const { columns, sql } = commonStatement(table, operation, settings, {
    target,
    quote,
    ...(insert && { inserted: insert.map((c) => table.columns[c]!) }),
    byKey: (key, rows, place) => where(table, key, rows, place),
    first: (rest, rows) => `SELECT TOP (${rows}) ${rest}`,
  });
  if (table.options.table === 'newSequentialId' && columns.some((column) => column === table.columns[table.key!]))
    throw new DynoError('unsupported', unknownKeys, {
      hint: 'With sqlserver.table: newSequentialId, insert and scan only.',
    });
  const types = columns.map(({ type }) => type);
  const statements = { sent: insert ?? columns.map((_, c) => c), types, sql, tableForm: null };
  const { rows, keys } = typeNames(table);
  const [key] = columns.map(({ name }) => quote(name));
  const join = `JOIN @P0 AS wanted ON wanted.${key} = old.${key}`;
  switch (operation) {
    case 'insert': {
      const into = `INSERT INTO ${target} (${names(columns)}) SELECT ${names(columns)} FROM @P0`;
      return { ...statements, tableForm: { sql: into, typeName: rows } };
    }
    case 'readByKey': {
      const read = `SELECT ${names(table.columns, 'old.')} FROM ${target} AS old ${join}`;
      return { ...statements, tableForm: { sql: read, typeName: keys } };
    }
    case 'delete':
      return { ...statements, tableForm: { sql: `DELETE old FROM ${target} AS old ${join}`, typeName: keys } };
    case 'update':
      return { ...statements, ...updateStatements(table, columns, types, sql) };
    default:
      // Scans and ranges.
      return { ...statements, sql: (rows, place) => `${sql(rows, place)}${maxdopHint(table.options)}` };
  }
}

/** The condition for rows with these keys; for one key of a partitioned table it includes the partition. */
function where(table: TablePlan, column: Column, rows: number, place: Place): string {
  const key = quote(column.name);
  if (rows > 1) return `${key} IN (${list(rows, (r) => place(r, 0))})`;
  const bucket =
    partitionsOf(table) > 1 && column.type.kind === 'bigint'
      ? ` AND ${quote(bucketColumn)} = ${bucketOf(place(0, 0), partitionsOf(table))}`
      : '';
  return `${key} = ${place(0, 0)}${bucket}`;
}

function updateStatements(
  table: TablePlan,
  columns: readonly Column[],
  types: readonly ColumnType[],
  one: Statements['sql'],
): Pick<Statements, 'sql' | 'tableForm'> {
  const [key, value] = columns.map(({ name }) => quote(name));
  const update = `UPDATE old SET ${value} = new.${value} FROM ${tableSql(table)} AS old JOIN`;
  // A literal has a guessed type. The first row of a list has the column's, to which the others are converted.
  const cast =
    (place: Place): Place =>
    (row, column) =>
      row === 0 ? `CAST(${place(row, column)} AS ${columnTypeSql(types[column]!)})` : place(row, column);
  return {
    sql: (rows, place) =>
      rows === 1
        ? one(1, place)
        : `${update} (VALUES ${rowList(rows, 2, cast(place))}) AS new (${key}, ${value}) ON new.${key} = old.${key}`,
    tableForm: { sql: `${update} @P0 AS new ON new.${key} = old.${key}`, typeName: typeNames(table).changes },
  };
}
