import type { Connection } from 'tedious';
import type { DroppedTables } from '#engine-api/database.ts';
import { changedColumn } from '#model/dataset/changed-column.ts';
import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { dropEach, dropUnlessHeld, missingRight, notOurs } from '../../shared/own-tables.ts';
import { foreignKeysSql } from '../../shared/sql/foreign-keys.ts';
import { toError } from '../errors.ts';
import { quote, schemaName, sentColumns, tableSql, text, typeNames } from '../names.ts';
import { dropPartitioningSql, partitioningOf, partitionsOf } from '../statements/partitions.ts';
import { columnTypeSql } from '../values/values.ts';
import { execute, query } from '../wire/request.ts';
import {
  inTransaction,
  type MarkedKind,
  marked,
  markSchemaSql,
  markSql,
  ownershipOf,
  schemaOwnership,
} from './marks.ts';
import { dropObject } from './setup.ts';

/** Creates Dyno's schema if it is not there. */
export async function ensureSchema(connection: Connection): Promise<void> {
  const owner = await schemaOwnership(connection);
  if (owner === 'absent') return createSchema(connection);
  if (owner === 'foreign')
    throw new DynoError('notOurs', `A schema "${schemaName}" exists in this database that Dyno did not create.`, {
      hint: `Use another database, or, if the schema is for Dyno: ${markSchemaSql};`,
    });
}

async function createSchema(connection: Connection): Promise<void> {
  try {
    // CREATE SCHEMA must be the first statement of its batch.
    await inTransaction(connection, [`CREATE SCHEMA ${schemaName}`, markSchemaSql]);
  } catch (error) {
    const data = toError(error);
    // Two runs may start at once, and the other one may have created it.
    if ((await schemaOwnership(connection)) !== 'absent') return ensureSchema(connection);
    if (data.kind !== 'permission') throw error;
    throw missingRight(
      `Creating the schema "${schemaName}"`,
      data,
      `Have a db_owner run what \`dyno grants TARGET\` prints, or: GRANT CREATE SCHEMA, CREATE TABLE, CREATE TYPE TO the target’s user;`,
    );
  }
}

const keyColumn = (table: TablePlan): Column | null => (table.key === null ? null : (table.columns[table.key] ?? null));

/** Statements that make a table in the organisation of its options. Pure. */
export function createTableSql(table: TablePlan): readonly string[] {
  const kind = String(table.options.table ?? 'clustered');
  const key = keyColumn(table);
  if (kind === 'newSequentialId' && key?.type.kind !== 'uuid')
    throw new DynoError('badInput', 'sqlserver.table: newSequentialId needs a uuid as key.', {
      hint: 'The server makes the key. Name a uuid column as dataset.key.',
    });
  const partitioning = partitionsOf(table) > 1 ? partitioningOf(table, key) : null;
  const columns = table.columns.map((column) => columnSql(column, column === key, kind));
  if (partitioning?.column) columns.push(partitioning.column);
  if (key && kind !== 'heap')
    columns.push(
      `CONSTRAINT ${quote(`${table.name}_pk`)} PRIMARY KEY ${kind === 'nonclustered' ? 'NONCLUSTERED' : 'CLUSTERED'} (${partitioning?.key ?? quote(key.name)})${storageSql(table)}${partitioning?.on ?? ''}`,
    );
  columns.push(...foreignKeysSql(table, quote, tableSql));
  // A constraint of its own names its storage; the clause of the table is that of a heap.
  const storage = key && kind !== 'heap' && kind !== 'nonclustered' ? '' : storageSql(table);
  return [...(partitioning?.before ?? []), `CREATE TABLE ${tableSql(table)} (${columns.join(', ')})${storage}`];
}

/** The clause of pages of a table or an index: their compression, and if given their fill factor; or nothing. */
export function storageSql({ options }: Pick<TablePlan, 'options'>, fillFactor?: number): string {
  const { compression = 'none' } = options;
  const parts = [
    ...(compression === 'none' ? [] : [`DATA_COMPRESSION = ${String(compression).toUpperCase()}`]),
    ...(fillFactor === undefined ? [] : [`FILLFACTOR = ${fillFactor}`]),
  ];
  return parts.length === 0 ? '' : ` WITH (${parts.join(', ')})`;
}

function columnSql({ name, type, nullable }: Column, isKey: boolean, kind: string): string {
  const byServer = isKey && kind === 'newSequentialId' ? ' DEFAULT NEWSEQUENTIALID()' : '';
  return `${quote(name)} ${columnTypeSql(type)} ${nullable && !isKey ? 'NULL' : 'NOT NULL'}${byServer}`;
}

/**
 * Types of table-valued parameters: whole rows, keys, keys with a new value. They have no indexes, because the table's
 * decide. Pure.
 */
export function createTypesSql(table: TablePlan): readonly { readonly name: string; readonly sql: string }[] {
  const names = typeNames(table);
  const columnsOf = (columns: readonly Column[]) =>
    columns.map(
      ({ name, type, nullable }) => `${quote(name)} ${columnTypeSql(type)} ${nullable ? 'NULL' : 'NOT NULL'}`,
    );
  const make = (name: string, columns: readonly Column[]) => ({
    name,
    sql: `CREATE TYPE ${tableSql({ name })} AS TABLE (${columnsOf(columns).join(', ')})`,
  });
  const key = keyColumn(table);
  const changed = changedColumn(table);
  return [
    make(
      names.rows,
      sentColumns(table).map((c) => table.columns[c]!),
    ),
    ...(key ? [make(names.keys, [key])] : []),
    ...(key && changed !== null ? [make(names.changes, [key, table.columns[changed]!])] : []),
  ];
}

/** Replaces a table of the same name, which an interrupted trial has left. */
export async function createTable(connection: Connection, table: TablePlan): Promise<void> {
  await ensureSchema(connection);
  await dropTable(connection, table.name);
  await inTransaction(connection, [
    ...createTableSql(table),
    markSql('TABLE', table.name),
    ...createTypesSql(table).flatMap(({ name, sql }) => [sql, markSql('TYPE', name)]),
  ]);
}

/** The table with its types, partition scheme and function. */
export async function dropTable(connection: Connection, name: string): Promise<void> {
  if (await isOurs(connection, 'TABLE', name))
    await dropUnlessHeld(
      tableSql({ name }),
      () => inTransaction(connection, [`DROP TABLE ${tableSql({ name })}`, ...dropPartitioningSql({ name })]),
      (refusal) => (isReferred.includes(toError(refusal).code ?? '') ? holdersOf(connection, name) : []),
    );
  for (const type of Object.values(typeNames({ name }))) await dropType(connection, type);
}

/** Something depends on the table: a foreign key, or a view or function with SCHEMABINDING. */
const isReferred = ['3726', '3729'];

/** Foreign keys and schema-bound objects that depend on a table; manual, "sys.sql_expression_dependencies". */
const holdersSql = (name: string): string => `
SELECT CONCAT(N'the foreign key ', f.name, N' of ', OBJECT_SCHEMA_NAME(f.parent_object_id), N'.', OBJECT_NAME(f.parent_object_id)) AS holder
  FROM sys.foreign_keys AS f WHERE f.referenced_object_id = OBJECT_ID(${text(tableSql({ name }))})
UNION
SELECT CONCAT(OBJECT_SCHEMA_NAME(d.referencing_id), N'.', OBJECT_NAME(d.referencing_id)) AS holder
  FROM sys.sql_expression_dependencies AS d
 WHERE d.referenced_id = OBJECT_ID(${text(tableSql({ name }))}) AND d.is_schema_bound_reference = 1
   AND d.referencing_class = 1 AND d.referencing_id <> d.referenced_id`;

async function holdersOf(connection: Connection, name: string): Promise<readonly string[]> {
  const rows = await query<{ readonly holder: string }>(connection, holdersSql(name)).catch(() => []);
  return rows.length > 0 ? rows.map(({ holder }) => holder) : ['an object that this user may not see'];
}

async function dropType(connection: Connection, name: string): Promise<void> {
  if (await isOurs(connection, 'TYPE', name)) await execute(connection, `DROP TYPE ${tableSql({ name })}`);
}

/** False: nothing has that name. */
async function isOurs(connection: Connection, kind: MarkedKind, name: string): Promise<boolean> {
  const owner = await ownershipOf(connection, kind, name);
  if (owner === 'foreign') throw notOurs(`A ${kind.toLowerCase()} ${schemaName}.${name}`);
  return owner === 'ours';
}

/** Tables, and the views and routines of `setup`, which have the same mark. */
export const leftovers = async (connection: Connection, namePrefix: string): Promise<readonly string[]> =>
  (await marked(connection, 'TABLE', namePrefix)).toSorted();

export async function dropLeftovers(connection: Connection, namePrefix: string): Promise<DroppedTables> {
  const drop = (name: string) => (isObjectName(name) ? dropObject : dropTable)(connection, name);
  const tables = await dropEach(leftovers(connection, namePrefix), drop, toError);
  // Types whose table is gone already.
  for (const name of await marked(connection, 'TYPE', namePrefix)) await dropType(connection, name);
  return tables;
}
