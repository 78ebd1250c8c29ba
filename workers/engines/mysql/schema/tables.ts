import type { DroppedTables } from '#engine-api/database.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { dropEach, dropUnlessHeld, missingRight, notOurs, ownMark, ownMarkSql } from '../../shared/own-tables.ts';
import type { MysqlConnection } from '../connection/connection.ts';
import { toError } from '../errors.ts';
import { characterSet, loopName, quote, tableSql } from '../names.ts';
import { dropLoops } from '../statements/loops.ts';
import { literal } from '../values/values.ts';
import { createTableSql, engineOf } from './create-table.ts';
import { dropObject, objectsLeft } from './setup.ts';

/** The comment of a table or view; "": it has none; undefined: there is no such table. */
async function commentOf(connection: MysqlConnection, database: string, name: string): Promise<string | undefined> {
  const { rows } = await connection.query(
    `SELECT table_comment FROM information_schema.tables WHERE table_schema = ${literal(database)} AND table_name = ${literal(name)}`,
  );
  const comment = rows?.[0]?.[0];
  return comment === undefined ? undefined : String(comment ?? '');
}

/** Creates Dyno's database if it is not there. */
export async function ensureDatabase(connection: MysqlConnection, database: string, user: string): Promise<void> {
  const { rows } = await connection.query(
    `SELECT 1 FROM information_schema.schemata WHERE schema_name = ${literal(database)}`,
  );
  if (rows?.length) return;
  try {
    await connection.query(`CREATE DATABASE IF NOT EXISTS ${quote(database)} ${characterSet}`);
  } catch (error) {
    const data = toError(error);
    if (data.kind !== 'permission') throw error;
    throw missingRight(
      `Creating the database "${database}"`,
      data,
      `Have an administrator run: GRANT CREATE, DROP, SELECT, INSERT, UPDATE, DELETE ON ${quote(database)}.* TO the account of ${quote(user)}; — \`dyno grants TARGET\` prints everything.`,
    );
  }
}

/** Replaces a table of the same name, which an interrupted trial has left. */
export async function createTable(
  connection: MysqlConnection,
  database: string,
  user: string,
  table: TablePlan,
): Promise<void> {
  await ensureDatabase(connection, database, user);
  await dropTable(connection, database, table.name);
  try {
    await connection.query(createTableSql(database, table, connection.mariadb !== null));
  } catch (error) {
    const data = toError(error);
    if (!notOfServer.includes(data.code ?? '')) throw error;
    throw new DynoError(
      'unsupported',
      `mysql.storageEngine: ${engineOf(table)}, mysql.compression: ${table.options.compression} — ${data.message}`,
      {
        code: data.code,
      },
    );
  }
  await requireEngine(connection, database, table);
}

/**
 * ER_UNKNOWN_STORAGE_ENGINE, ER_ILLEGAL_HA_CREATE_OPTION, ER_CANT_CREATE_TABLE, ER_ILLEGAL_HA, ER_PARSE_ERROR, and
 * ER_CHECK_NOT_IMPLEMENTED, MySQL's answer to partitions of other engines than InnoDB and NDB.
 */
const notOfServer = ['1286', '1478', '1005', '1031', '1911', '1178'];

/** Without NO_ENGINE_SUBSTITUTION a server takes InnoDB for an engine that it lacks, with a warning alone. */
async function requireEngine(connection: MysqlConnection, database: string, table: TablePlan): Promise<void> {
  const wanted = engineOf(table);
  if (wanted === 'InnoDB') return;
  const { rows } = await connection.query(
    `SELECT engine FROM information_schema.tables WHERE table_schema = ${literal(database)} AND table_name = ${literal(table.name)}`,
  );
  const found = String(rows?.[0]?.[0]);
  if (found.toLowerCase() === wanted.toLowerCase()) return;
  await dropTable(connection, database, table.name);
  throw new DynoError('unsupported', `mysql.storageEngine: ${wanted} — this server made the table in ${found}.`);
}

export async function dropTable(connection: MysqlConnection, database: string, name: string): Promise<void> {
  const comment = await commentOf(connection, database, name);
  if (comment !== undefined && comment !== ownMark(name)) {
    throw notOurs(`A table ${database}.${name}`);
  }
  if (comment !== undefined)
    await dropUnlessHeld(
      tableSql(database, { name }),
      () => connection.query(`DROP TABLE IF EXISTS ${tableSql(database, { name })}`),
      (refusal) => (isReferred.includes(toError(refusal).code ?? '') ? holdersOf(connection, database, name) : []),
    );
  await dropLoops(connection, database, `routine_name = ${literal(loopName({ name }))}`);
}

const begins = (column: string, prefix: string) => `LEFT(${column}, ${prefix.length}) = ${literal(prefix)}`;

/** A foreign key refers to the table (both numbers on MariaDB; MySQL from 8.0 on). */
const isReferred = ['1217', '1451', '3730'];

async function holdersOf(connection: MysqlConnection, database: string, name: string): Promise<readonly string[]> {
  const { rows } = await connection.query(
    `SELECT DISTINCT constraint_name, table_schema, table_name FROM information_schema.key_column_usage
      WHERE referenced_table_schema = ${literal(database)} AND referenced_table_name = ${literal(name)}`,
  );
  const seen = (rows ?? []).map(([key, schema, table]) => `the foreign key ${key} of ${schema}.${table}`);
  return seen.length > 0 ? seen : ['a foreign key that this user may not see'];
}

export async function leftovers(
  connection: MysqlConnection,
  database: string,
  namePrefix: string,
): Promise<readonly string[]> {
  const { rows } = await connection.query(
    `SELECT table_name FROM information_schema.tables
      WHERE table_schema = ${literal(database)} AND table_type = 'BASE TABLE' AND ${begins('table_name', namePrefix)}
        AND table_comment = ${ownMarkSql('table_name', ',')}`,
  );
  const tables = (rows ?? []).map(([name]) => String(name));
  return [...tables, ...(await objectsLeft(connection, database, namePrefix))].sort();
}

export async function dropLeftovers(
  connection: MysqlConnection,
  database: string,
  namePrefix: string,
): Promise<DroppedTables> {
  const names = leftovers(connection, database, namePrefix);
  const drop = (name: string) => (isObjectName(name) ? dropObject : dropTable)(connection, database, name);
  const tables = await dropEach(names, drop, toError);
  await dropLoops(connection, database, begins('routine_name', namePrefix));
  return tables;
}
