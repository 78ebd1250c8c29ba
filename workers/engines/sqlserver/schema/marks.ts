import type { Connection } from 'tedious';
import { schemaName, text } from '../names.ts';
import { execute, query } from '../wire/request.ts';

/**
 * The extended property of objects that Dyno makes; objects without it are never dropped. Its value is the name of the
 * object, because a renamed object and a copy made by a script keep the property.
 */
const mark = 'dyno';
/** The value of a property is of type sql_variant. */
const value = 'CAST(p.value AS nvarchar(4000))';

export type MarkedKind = 'TABLE' | 'TYPE' | 'VIEW' | 'FUNCTION' | 'PROCEDURE';

/** The state of an object: whether it exists, and whether it is Dyno's. */
type Ownership = 'absent' | 'ours' | 'foreign';

const objects = `SELECT o.object_id AS id, 1 AS class, o.name FROM sys.objects AS o WHERE o.schema_id = SCHEMA_ID(N'${schemaName}')`;

/**
 * The class of an object's kind in sys.extended_properties, and the place of its id; manual, "sys.extended_properties".
 */
const catalogs: Readonly<Record<MarkedKind, string>> = {
  // Anything with the name of a table is in its way.
  TABLE: objects,
  TYPE: `SELECT t.user_type_id AS id, 6 AS class, t.name FROM sys.types AS t WHERE t.schema_id = SCHEMA_ID(N'${schemaName}')`,
  VIEW: `${objects} AND o.type = 'V'`,
  FUNCTION: `${objects} AND o.type IN ('FN', 'IF', 'TF')`,
  PROCEDURE: `${objects} AND o.type = 'P'`,
};

const found = (inventory: string, name: string): string => `
SELECT ${value} AS mark
  FROM (${inventory}) AS o
  LEFT JOIN sys.extended_properties AS p
    ON p.class = o.class AND p.major_id = o.id AND p.minor_id = 0 AND p.name = N'${mark}'
 WHERE o.name = ${text(name)}`;

const ownership = (rows: readonly { readonly mark: unknown }[], name: string): Ownership =>
  rows.length === 0 ? 'absent' : rows[0]?.mark === name ? 'ours' : 'foreign';

export const ownershipSql = (kind: MarkedKind, name: string): string => found(catalogs[kind], name);
export const schemaOwnershipSql: string = found(
  'SELECT schema_id AS id, 3 AS class, name FROM sys.schemas',
  schemaName,
);

export const ownershipOf = async (connection: Connection, kind: MarkedKind, name: string): Promise<Ownership> =>
  ownership(await query(connection, ownershipSql(kind, name)), name);

export const schemaOwnership = async (connection: Connection): Promise<Ownership> =>
  ownership(await query(connection, schemaOwnershipSql), schemaMark);

const level0 = `@level0type = N'SCHEMA', @level0name = N'${schemaName}'`;

export const markSql = (kind: MarkedKind, name: string): string =>
  `EXECUTE sys.sp_addextendedproperty @name = N'${mark}', @value = ${text(name)}, ${level0}, @level1type = N'${kind}', @level1name = ${text(name)}`;

/** The value of the schema's property. */
const schemaMark = 'schema';
export const markSchemaSql = `EXECUTE sys.sp_addextendedproperty @name = N'${mark}', @value = N'${schemaMark}', ${level0}`;

/** Marked objects of a kind whose names begin so. */
export const markedSql = (kind: MarkedKind, prefix: string): string => `
SELECT o.name
  FROM (${catalogs[kind]}) AS o
  JOIN sys.extended_properties AS p
    ON p.class = o.class AND p.major_id = o.id AND p.minor_id = 0 AND p.name = N'${mark}'
 WHERE LEFT(o.name, ${prefix.length}) = ${text(prefix)} AND ${value} = o.name`;

export const marked = async (connection: Connection, kind: MarkedKind, prefix: string): Promise<readonly string[]> =>
  (await query<{ readonly name: string }>(connection, markedSql(kind, prefix))).map(({ name }) => name);

/** Runs DDL, all or nothing. */
export async function inTransaction(connection: Connection, statements: readonly string[]): Promise<void> {
  await execute(connection, 'BEGIN TRANSACTION');
  try {
    for (const statement of statements) await execute(connection, statement);
    await execute(connection, 'COMMIT TRANSACTION');
  } catch (error) {
    await execute(connection, 'IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION').catch(() => {});
    throw error;
  }
}
