import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { StoredBytes } from '#engine-api/database.ts';
import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';
import { DynoError } from '#model/error.ts';
import { makeFolder } from '#platform/make-folder.ts';
import { ofTrialAt } from '../shared/connecting.ts';
import { eachIndex } from '../shared/each-index.ts';
import { heldTable, notOurs, ownMark, ownMarkSql } from '../shared/own-tables.ts';
import { foreignKeysSql } from '../shared/sql/foreign-keys.ts';
import { indexPartsSql, whereSql } from '../shared/sql/index-parts.ts';
import { databaseFile, ownFileOf, type SqliteConfig } from './config.ts';
import { toError } from './errors.ts';
import { applicationId, headerOf, requireDatabase } from './own-file.ts';
import { columnTypeSql } from './values.ts';

/** SQLite keeps comments of the text that created a table, in sqlite_schema.sql. */
export const markOf = (name: string): string => `/* ${ownMark(name)} */`;

/** True if this SQL, which created the table of this name, has Dyno's mark. */
export const isOurs = (name: string, sql: string): boolean => sql.includes(markOf(name));

/** Opens a connection to the file of this configuration. */
export const connect = (config: SqliteConfig): DatabaseSync =>
  ownFileOf(config) === null ? connectToDynos(databaseFile(config), config) : connectToUsers(config);

/** Opens the user's file as it is: its journal mode and page size stay, and its header has no mark of Dyno. */
function connectToUsers(config: SqliteConfig): DatabaseSync {
  const file = databaseFile(config);
  requireDatabase(file);
  const database = new DatabaseSync(file, { timeout: config.busyTimeoutMs, readOnly: config.readOnly ?? false });
  try {
    setUpConnection(database, config);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Settings of the connection alone. */
function setUpConnection(
  database: DatabaseSync,
  { synchronous, cacheKib, ofTrial = {}, readOnly }: SqliteConfig,
): void {
  database.exec(`PRAGMA synchronous = ${synchronous}`);
  database.exec(`PRAGMA cache_size = -${cacheKib}`);
  database.exec('PRAGMA foreign_keys = ON');
  for (const [name, value] of Object.entries(ofTrial)) setPragma(database, name, value);
  if (readOnly) database.exec('PRAGMA query_only = ON');
}

/** Opens Dyno's own file, and creates it if needed. Never opens a file that Dyno did not create. */
function connectToDynos(file: string, config: SqliteConfig): DatabaseSync {
  refuseForeign(file);
  makeFolder(dirname(file));
  const { readOnly = false, ...writing } = config;
  // A connection that only reads creates no file.
  if (readOnly && !existsSync(file)) connectToDynos(file, writing).close();
  const database = new DatabaseSync(file, { timeout: config.busyTimeoutMs, readOnly });
  try {
    if (config.pageSize !== null) database.exec(`PRAGMA page_size = ${config.pageSize}`);
    // This comes before WAL mode, which would keep it in the log and out of the file's header, where refuseForeign()
    // reads it.
    if (pragma(database, 'application_id') !== applicationId) {
      database.exec(`PRAGMA application_id = ${applicationId}`);
    }
    const { journalMode } = config;
    if (journalMode !== null) database.exec(`PRAGMA journal_mode = ${journalMode}`);
    setUpConnection(database, config);
    // SQLite keeps the file's own value without an error: results would be shown under a wrong name.
    if (config.pageSize !== null) requireSetting(database, file, 'page_size', config.pageSize);
    if (journalMode !== null) requireSetting(database, file, 'journal_mode', journalMode);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite ignores words that it does not know, and refuses nothing. */
function setPragma(database: DatabaseSync, name: string, value: string): void {
  try {
    database.exec(`PRAGMA ${name} = ${value}`);
  } catch (error) {
    throw new DynoError('badInput', `${ofTrialAt('sqlite')(name)}: ${toError(error).message}`);
  }
}

function requireSetting(database: DatabaseSync, file: string, name: string, wanted: string | number): void {
  const found = pragma(database, name);
  if (String(found) !== String(wanted))
    throw new DynoError('badInput', `${file} has ${name} ${String(found)}; the target asks for ${wanted}.`, {
      hint: 'Give this target a folder of its own as path, or delete the file: it holds nothing but tables of Dyno.',
    });
}

function refuseForeign(file: string): void {
  if (!existsSync(file) || statSync(file).size === 0) return;
  if (headerOf(file).readUInt32BE(68) !== applicationId) {
    throw new DynoError('notOurs', `${file} exists and was not created by Dyno.`, {
      hint: 'Choose another folder as path, or move the file away; `file` names a file of your own.',
    });
  }
}

export const pragma = (database: DatabaseSync, name: string): unknown =>
  Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** The statement that creates a table. Pure. */
export const createTableSql = (table: TablePlan): string => {
  const columns = table.columns.map(
    (column, c) =>
      `${quote(column.name)} ${columnTypeSql(column.type)}${c === table.key ? ' PRIMARY KEY' : ''}${column.nullable ? '' : ' NOT NULL'}`,
  );
  const foreignKeys = foreignKeysSql(table, quote, ({ name }) => quote(name));
  const withoutRowid = table.options.table === 'withoutRowid';
  if (withoutRowid && table.key === null)
    throw new DynoError('badInput', 'sqlite.table: withoutRowid needs a key, and the dataset has none.', {
      hint: 'Name the key column as dataset.key, or use table: rowid.',
    });
  return `CREATE TABLE ${quote(table.name)} (${markOf(table.name)} ${[...columns, ...foreignKeys].join(', ')}) STRICT${withoutRowid ? ', WITHOUT ROWID' : ''}`;
};

function ownership(database: DatabaseSync, name: string): 'absent' | 'ours' | 'foreign' {
  const found = database.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(name);
  if (!found) return 'absent';
  return isOurs(name, String(found.sql)) ? 'ours' : 'foreign';
}

/** Replaces a table of the same name, which an interrupted trial has left. */
export function createTable(database: DatabaseSync, table: TablePlan): void {
  dropTable(database, table.name);
  database.exec(createTableSql(table));
}

export function dropTable(database: DatabaseSync, name: string): void {
  const owner = ownership(database, name);
  if (owner === 'foreign') throw notOurs(`A table "${name}"`);
  if (owner === 'absent') return;
  // SQLite empties a table before it drops it: a foreign key with ON DELETE would change rows of somebody else's table.
  database.exec('BEGIN IMMEDIATE');
  try {
    const holders = holdersOf(database, name);
    if (holders.length > 0) throw heldTable(quote(name), holders);
    database.exec(`DROP TABLE ${quote(name)}`);
    database.exec('COMMIT');
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

/** Tables of somebody else that refer to a table. */
const holdersOf = (database: DatabaseSync, name: string): readonly string[] =>
  database
    .prepare(
      `SELECT DISTINCT t.name, t.sql FROM sqlite_schema AS t JOIN pragma_foreign_key_list(t.name) AS f
        WHERE t.type = 'table' AND lower(f."table") = lower(?) AND lower(t.name) <> lower(?)`,
    )
    .all(name, name)
    .flatMap((row) =>
      isOurs(String(row.name), String(row.sql)) ? [] : [`a foreign key of ${quote(String(row.name))}`],
    );

export function leftovers(database: DatabaseSync, namePrefix: string): readonly string[] {
  const rows = database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type = 'table' AND substr(name, 1, length(?1)) = ?1
          AND instr(sql, '/* ' || ${ownMarkSql('name', '||')} || ' */') > 0`,
    )
    .all(namePrefix);
  return rows.map((row) => String(row.name)).sort();
}

/** SQLite cannot add a primary key to a table: a unique index does the same, as in any primary key but the rowid. */
export const addKey = (database: DatabaseSync, table: TablePlan): void =>
  addIndex(database, table, {
    ...{ name: `${table.name}_key`, label: 'key', unique: true, kind: 'btree' },
    parts: [{ column: table.key! }],
  });

/** The statement that creates an index. Pure. */
export const addIndexSql = (table: TablePlan, index: IndexPlan): string =>
  `CREATE ${index.unique ? 'UNIQUE ' : ''}INDEX ${quote(index.name)} ON ${quote(table.name)} (${indexPartsSql(table, index, quote, fieldSql)})${whereSql(index)}`;

export function addIndex(database: DatabaseSync, table: TablePlan, index: IndexPlan): void {
  // The text is one statement, because prepare() ignores whatever follows the first.
  database.prepare(addIndexSql(table, index)).run();
}

const fieldSql = ({ name }: Column, path: readonly string[]): string =>
  `json_extract(${quote(name)}, '$.${path.join('.')}')`;

/** dbstat counts whole pages, with free space. A rowid table's key has its own index unless it is an integer. */
export function storedBytes(control: DatabaseSync, table: TablePlan): StoredBytes {
  const { name } = table;
  const row = control
    .prepare(
      `SELECT coalesce(sum(pgsize) FILTER (WHERE name = ?1), 0) AS tableBytes,
              coalesce(sum(pgsize) FILTER (WHERE name <> ?1), 0) AS indexBytes
         FROM dbstat WHERE aggregate = TRUE AND name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?1)`,
    )
    .get(name);
  const indexes = control
    .prepare(
      `SELECT name, pgsize AS bytes FROM dbstat WHERE aggregate = TRUE
          AND name IN (SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?)`,
    )
    .all(name);
  return {
    tableBytes: Number(row?.tableBytes),
    indexBytes: Number(row?.indexBytes),
    eachIndex: eachIndex(
      table,
      indexes.map((index) => [String(index.name), Number(index.bytes)]),
    ),
  };
}
