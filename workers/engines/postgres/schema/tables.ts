import type pg from 'pg';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { dropUnlessHeld, markPrefix, missingRight, notOurs, ownMark, ownMarkSql } from '../../shared/own-tables.ts';
import { toError } from '../errors.ts';
import { quote, schemaMark, schemaName, tableSql } from '../names.ts';
import { query } from '../wire/requests.ts';
import { createPartitionsSql, createTableSql } from './create-table.ts';

/** The text of a COMMENT; null: the object has none; undefined: there is no such object. */
async function commentOn(
  client: pg.Client,
  sql: string,
  values: readonly string[],
): Promise<string | null | undefined> {
  const { rows } = await client.query<{ comment: string | null }>(sql, [...values]);
  return rows[0]?.comment;
}

const schemaComment = (client: pg.Client) =>
  commentOn(client, "SELECT obj_description(oid, 'pg_namespace') AS comment FROM pg_namespace WHERE nspname = $1", [
    schemaName,
  ]);

const tableComment = (client: pg.Client, name: string) =>
  commentOn(
    client,
    `SELECT obj_description(c.oid, 'pg_class') AS comment
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`,
    [schemaName, name],
  );

export async function ensureSchema(client: pg.Client): Promise<void> {
  const comment = await schemaComment(client);
  if (comment === undefined) return createSchema(client);
  if (!comment?.startsWith(markPrefix)) {
    throw new DynoError('notOurs', `A schema "${schemaName}" exists in this database that Dyno did not create.`, {
      hint: `Use another database, or, if the schema is for Dyno: COMMENT ON SCHEMA ${schemaName} IS '${markPrefix}schema'.`,
    });
  }
}

async function createSchema(client: pg.Client): Promise<void> {
  try {
    await inTransaction(client, [`CREATE SCHEMA ${schemaName}`, `COMMENT ON SCHEMA ${schemaName} IS '${schemaMark}'`]);
  } catch (error) {
    const data = toError(error);
    // Two runs may start at once, and the other one may have created it.
    if (data.kind === 'uniqueViolation' || data.code === '42P06') return ensureSchema(client);
    if (data.kind !== 'permission') throw error;
    throw missingRight(
      `Creating the schema "${schemaName}"`,
      data,
      `Have an administrator run: GRANT CREATE ON DATABASE ${quote(client.database ?? '')} TO ${quote(client.user ?? '')}; — or create the schema for you: CREATE SCHEMA ${schemaName} AUTHORIZATION ${quote(client.user ?? '')}; COMMENT ON SCHEMA ${schemaName} IS '${markPrefix}schema';`,
    );
  }
}

/** Runs the statements as one transaction. The extended protocol takes one statement at a time. */
export async function inTransaction(client: pg.Client, statements: readonly string[]): Promise<void> {
  await client.query('BEGIN');
  try {
    for (const text of statements) {
      const config = { text, values: [], queryMode: 'extended' };
      await query(client, { ...config, rowMode: 'array' });
    }
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Replaces a table of the same name, which an interrupted trial has left. */
export async function createTable(client: pg.Client, table: TablePlan): Promise<void> {
  await ensureSchema(client);
  await dropTable(client, table.name);
  await inTransaction(client, [
    createTableSql(table),
    `COMMENT ON TABLE ${tableSql(table)} IS '${ownMark(table.name)}'`,
    ...createPartitionsSql(table),
  ]);
}

export async function dropTable(client: pg.Client, name: string): Promise<void> {
  const comment = await tableComment(client, name);
  if (comment === undefined) return;
  if (comment !== ownMark(name)) {
    throw notOurs(`A table ${schemaName}.${name}`);
  }
  await dropUnlessHeld(tableSql({ name }), () => client.query(`DROP TABLE IF EXISTS ${tableSql({ name })}`), holdersOf);
}

/** The server lists up to a hundred objects that depend on a table (SQLSTATE 2BP01): "view v depends on table t". */
export function holdersOf(refusal: unknown): readonly string[] {
  const { code, detail } = refusal as { readonly code?: unknown; readonly detail?: unknown };
  if (code !== '2BP01' || typeof detail !== 'string') return [];
  const first = detail.split('\n').map((line) => line.replace(/ depends on .*$/, ''));
  return [...new Set(first)];
}

export async function leftovers(client: pg.Client, namePrefix: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') AND left(c.relname, length($2)) = $2
        AND obj_description(c.oid, 'pg_class') = ${ownMarkSql('c.relname', '||')}
      ORDER BY c.relname COLLATE "C"`,
    [schemaName, namePrefix],
  );
  return rows.map(({ name }) => name);
}
