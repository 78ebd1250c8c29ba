import type { Reproducer } from '#engine-api/reproducer.ts';
import { statementsOf } from './operations.ts';
import { addIndexSql, createTableSql, quote } from './tables.ts';

/** The settings of a file that Dyno makes; config.ts has the same defaults. */
const usual = { pageSize: 4_096, journalMode: 'wal', synchronous: 'full', cacheKib: 65_536, busyTimeoutMs: 5_000 };

const code = `
// The calls, by Node's own SQLite.
const file = process.env.SQLITE_FILE;
const isNew = file !== undefined && !existsSync(file);

async function open() {
  if (!file) throw new Error('Name the file of the database in SQLITE_FILE. A file that is not there is created.');
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(file, { timeout: settings.busyTimeoutMs });
  database.exec('PRAGMA page_size = ' + settings.pageSize);
  database.exec('PRAGMA journal_mode = ' + settings.journalMode);
  database.exec('PRAGMA synchronous = ' + settings.synchronous);
  database.exec('PRAGMA cache_size = -' + settings.cacheKib);
  database.exec('PRAGMA foreign_keys = ON');
  return database;
}
const query = async (database, sql) => database.prepare(sql).all();
const serverVersion = async (database) => 'SQLite ' + database.prepare('SELECT sqlite_version() AS version').get().version;
const close = async (database) => database.close();
const begin = async (database) => database.exec('BEGIN IMMEDIATE');
const commit = async (database) => database.exec('COMMIT');

const parameter = (value) => (typeof value === 'boolean' ? Number(value) : value);
function literal(value) {
  const stored = parameter(value);
  if (stored === null) return 'NULL';
  if (typeof stored === 'number') return stored.toFixed(1);
  return Buffer.isBuffer(stored) ? "X'" + stored.toString('hex') + "'" : "'" + stored.replaceAll("'", "''") + "'";
}

const prepared = new WeakMap();
function statementFor(database, rows) {
  const known = prepared.get(database) ?? new Map();
  prepared.set(database, known);
  if (!known.has(rows)) known.set(rows, database.prepare(statementText(rows, () => '?')));
  return known.get(rows);
}
const prepare = async (database, rows) => void (work.method === 'bind' || work.method === 'literal' || statementFor(database, rows));
const encode = (rows) => (work.method === 'literal' ? statementText(rows.length, (r, c) => literal(rows[r][c])) : placed(rows).map(parameter));
function call(database, encoded, rows) {
  const statement =
    work.method === 'literal'
      ? database.prepare(encoded)
      : work.method === 'bind'
        ? database.prepare(statementText(rows, () => '?'))
        : statementFor(database, rows);
  const values = work.method === 'literal' ? [] : encoded;
  if (!work.reads) return Number(statement.run(...values).changes);
  statement.setReturnArrays(true);
  if (work.operation !== 'scan') return statement.all(...values).length;
  let read = 0;
  for (const _ of statement.iterate()) read++;
  return read;
}
const closed = () => {
  if (isNew) for (const ending of ['', '-wal', '-shm']) rmSync(file + ending, { force: true });
};
`.trim();

export const reproducer: Reproducer = {
  jdbc: () => ({ cannot: 'SQLite has no JDBC driver of its own; those of others bring a library of another version.' }),
  options: ['table'],
  statement: ({ table, operation, settings }, rows, place) =>
    statementsOf({ table, operation, settings }).sql(rows, place),
  objects: ({ table }) => [
    {
      create: [createTableSql(table), ...(table.indexes ?? []).map((index) => addIndexSql(table, index))],
      drop: `DROP TABLE ${quote(table.name)}`,
    },
  ],
  node({ method, target }) {
    if (method === 'arrayBind' || method === 'serverLoop') return { cannot: cannotText[method] };
    if ('file' in target) return { cannot: 'The target is a file of your own; the script only writes to a new file.' };
    const settings = Object.fromEntries(Object.entries(usual).map(([name, value]) => [name, target[name] ?? value]));
    // A run file can contain any text, and these values become words of PRAGMA.
    const wrong = Object.entries(settings).find(([, value]) => !/^\w+$/.test(String(value)));
    if (wrong !== undefined) return { cannot: `The target has no valid ${wrong[0]}.` };
    return {
      packages: [],
      environment: ['SQLITE_FILE: the file of the database. The script creates it, and deletes it if it created it.'],
      notes: ['All connections are in one process, so that their calls take turns.'],
      imports: ["import { existsSync, rmSync } from 'node:fs';"],
      constants: { settings },
      code,
    };
  },
};

const cannotText = {
  arrayBind: 'The script has no statement that takes its rows from one JSON text.',
  serverLoop: 'The library makes the rows at random, so that no two runs have the same.',
} as const;
