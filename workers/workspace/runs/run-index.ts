import { createHash } from 'node:crypto';
import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { ValuesOfHistory } from '#analysis/history/history.ts';
import type { RunFacts } from '#analysis/history/run-facts.ts';
import type { RunValue } from '#analysis/history/run-values.ts';
import { appVersion } from '#platform/app-version.ts';
import type { HistoryPoint } from '#protocol/history.ts';

/** A run file as it was read: another size or time of change means that it has to be read again. */
interface ReadFile {
  readonly id: string;
  readonly bytes: number;
  readonly changedMs: number;
}

/** Everything that the index keeps of a run. */
interface IndexedRun {
  /** The run's entry in the list of runs, as JSON. */
  readonly entry: string;
  readonly values: readonly RunValue[];
  readonly facts: RunFacts;
}

/** A complete run of an experiment in the index, with the values that a history shows. */
interface IndexedHistory {
  readonly runs: readonly { readonly id: string; readonly entry: string; readonly facts: RunFacts }[];
  readonly series: readonly ValuesOfHistory[];
}

/**
 * An index of the run files of a home, because reading them takes time. It can be deleted at any time: it is made again
 * where it is missing, damaged or of another version. Several processes may use it together. None of its functions
 * throws; where its file cannot be used, the index is in memory.
 */
interface RunIndex {
  /** The entry of a run, as `set` was given it; undefined: the file is not known in this state. */
  get(file: ReadFile): string | undefined;
  set(file: ReadFile, run: IndexedRun): void;
  /** Forgets all other runs. */
  keepOnly(ids: ReadonlySet<string>): void;
  /** The runs with these ids, in this order, which have the values of a run as `set` was given them. */
  history(ids: readonly string[]): IndexedHistory;
}

const tables = `
CREATE TABLE run (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  changed_ms REAL NOT NULL,
  entry TEXT NOT NULL
);
CREATE TABLE part (number INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
CREATE TABLE run_part (run INTEGER, name TEXT, part INTEGER NOT NULL, PRIMARY KEY (run, name)) WITHOUT ROWID;
CREATE TABLE series (number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE);
CREATE TABLE value (
  run INTEGER,
  place INTEGER,
  series INTEGER NOT NULL,
  look INTEGER NOT NULL,
  definition TEXT NOT NULL,
  goal REAL,
  value REAL NOT NULL,
  low REAL,
  high REAL,
  n INTEGER NOT NULL,
  PRIMARY KEY (run, place)
) WITHOUT ROWID;
`;

/** Goes up with every change of what is kept, if no table changes. */
const contents = 1;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Other versions of Dyno may read run files differently. */
const version = Number.parseInt(sha256(`${appVersion} ${contents} ${tables}`).slice(0, 7), 16);

/** Another process writes one run at a time, which takes some milliseconds. */
const waitMs = 5_000;

/** Opens the index in a file. */
export function openRunIndex(file: string): RunIndex {
  let database: DatabaseSync | null = null;
  let place = file;
  let isMadeAgain = false;

  function open(): DatabaseSync {
    if (place === file) makePrivate(file);
    const opened = new DatabaseSync(place, { timeout: waitMs });
    try {
      opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      if (versionOf(opened) !== version) inTransaction(opened, () => makeTables(opened));
      return opened;
    } catch (thrown) {
      opened.close();
      throw thrown;
    }
  }

  const attempt = <T>(use: (opened: DatabaseSync) => T): T => {
    database ??= open();
    return use(database);
  };
  const close = (): void => {
    closeQuietly(database);
    database = null;
  };

  /** Calls `use` with the index; after a failure with a new file, and then with an index in memory. */
  function using<T>(use: (opened: DatabaseSync) => T): T {
    try {
      return attempt(use);
    } catch (thrown) {
      if (place !== file) throw thrown;
      close();
      if (!isMadeAgain && isOfContent(thrown) && removed(file)) {
        isMadeAgain = true;
        try {
          return attempt(use);
        } catch {
          close();
        }
      }
      place = ':memory:';
      return attempt(use);
    }
  }

  return {
    get: (read) => using((opened) => entryOf(opened, read)),
    set(read, run) {
      using((opened) => inTransaction(opened, () => write(opened, read, run)));
    },
    keepOnly(ids) {
      using((opened) => {
        const known = prepared(opened, 'SELECT id FROM run').all() as { readonly id: string }[];
        const gone = known.filter(({ id }) => !ids.has(id));
        if (gone.length > 0)
          inTransaction(opened, () => {
            forget(opened, gone);
            opened.exec('DELETE FROM part WHERE number NOT IN (SELECT part FROM run_part)');
          });
      });
    },
    // Another process may write between two reads.
    history: (ids) => using((opened) => inTransaction(opened, () => historyOf(opened, ids), 'BEGIN')),
  };
}

/** SQLite's codes for busy, locked, no memory, read-only, input or output, full, and not opened. */
const outside: ReadonlySet<unknown> = new Set([5, 6, 7, 8, 10, 13, 14]);

/** True if another file may be the remedy. The low byte is the code without its details. */
const isOfContent = (thrown: unknown): boolean =>
  !outside.has(Number((thrown as { readonly errcode?: unknown }).errcode) & 0xff);

const statements = new WeakMap<DatabaseSync, Map<string, StatementSync>>();

/** A prepared statement of the index, made once. */
function prepared(database: DatabaseSync, text: string): StatementSync {
  const own = statements.get(database) ?? new Map<string, StatementSync>();
  statements.set(database, own);
  const statement = own.get(text) ?? database.prepare(text);
  own.set(text, statement);
  return statement;
}

const versionOf = (database: DatabaseSync): number =>
  Number((database.prepare('PRAGMA user_version').get() as { readonly user_version: number }).user_version);

function inTransaction<T>(database: DatabaseSync, use: () => T, begin = 'BEGIN IMMEDIATE'): T {
  database.exec(begin);
  try {
    const result = use();
    database.exec('COMMIT');
    return result;
  } catch (thrown) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

function makeTables(database: DatabaseSync): void {
  // Another process may have made them while this one waited.
  if (versionOf(database) === version) return;
  const old = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name } of old) database.exec(`DROP TABLE "${String(name).replaceAll('"', '""')}"`);
  database.exec(tables);
  database.exec(`PRAGMA user_version = ${version}`);
}

function closeQuietly(database: DatabaseSync | null): void {
  try {
    database?.close();
  } catch {}
}

/** Makes an empty file that only its user may read. SQLite reports why a file cannot be made. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {}
}

/** Removes the file of an index; false where it stays. */
function removed(file: string): boolean {
  try {
    for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true });
    return true;
  } catch {
    return false;
  }
}

function entryOf(database: DatabaseSync, { id, bytes, changedMs }: ReadFile): string | undefined {
  const found = prepared(database, 'SELECT entry FROM run WHERE id = ? AND bytes = ? AND changed_ms = ?').get(
    id,
    bytes,
    changedMs,
  ) as { readonly entry: string } | undefined;
  return found?.entry;
}

function write(database: DatabaseSync, { id, bytes, changedMs }: ReadFile, run: IndexedRun): void {
  forget(database, [{ id }]);
  const { lastInsertRowid: number } = prepared(
    database,
    'INSERT INTO run (id, bytes, changed_ms, entry) VALUES (?, ?, ?, ?)',
  ).run(id, bytes, changedMs, run.entry);
  const addPart = prepared(database, 'INSERT INTO run_part (run, name, part) VALUES (?, ?, ?)');
  for (const [name, part] of Object.entries(run.facts)) {
    const text = JSON.stringify(part);
    addPart.run(number, name, numberOf(database, 'part', 'hash', sha256(text), ['text', text]));
  }
  const addValue = prepared(database, 'INSERT INTO value VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  run.values.forEach(
    ({ label, target, index, work, quantity, unit, limit, value, low, high, n, definition }, place) => {
      const series = numberOf(database, 'series', 'key', JSON.stringify([label, target, work, quantity, unit]));
      addValue.run(number, place, series, index, sha256(definition).slice(0, 16), limit, value, low, high, n);
    },
  );
}

/** The number of the row with this text, which is added where it is missing. */
function numberOf(
  database: DatabaseSync,
  table: 'part' | 'series',
  column: 'hash' | 'key',
  text: string,
  more?: readonly [column: string, value: SQLInputValue],
): number | bigint {
  const found = prepared(database, `SELECT number FROM ${table} WHERE ${column} = ?`).get(text);
  if (found) return found.number as number;
  const [columns, values] = more ? [`${column}, ${more[0]}`, [text, more[1]]] : [column, [text]];
  return prepared(database, `INSERT INTO ${table} (${columns}) VALUES (${values.map(() => '?').join(', ')})`).run(
    ...values,
  ).lastInsertRowid;
}

function forget(database: DatabaseSync, runs: readonly { readonly id: string }[]): void {
  for (const { id } of runs) {
    const number = prepared(database, 'SELECT number FROM run WHERE id = ?').get(id)?.number;
    if (number === undefined) continue;
    for (const [table, column] of [
      ['value', 'run'],
      ['run_part', 'run'],
      ['run', 'number'],
    ] as const)
      prepared(database, `DELETE FROM ${table} WHERE ${column} = ?`).run(number);
  }
}

function historyOf(database: DatabaseSync, ids: readonly string[]): IndexedHistory {
  const findRun = prepared(database, 'SELECT number, entry FROM run WHERE id = ?');
  const rows = ids.flatMap((id) => {
    const found = findRun.get(id) as { readonly number: number; readonly entry: string } | undefined;
    return found ? [{ id, ...found }] : [];
  });
  return { runs: runsOf(database, rows), series: seriesOf(database, rows) };
}

interface RunRow {
  readonly id: string;
  readonly number: number;
  readonly entry: string;
}

/** The runs with their facts. They share equal parts, so that a comparison of two runs need not look inside. */
function runsOf(database: DatabaseSync, rows: readonly RunRow[]): IndexedHistory['runs'] {
  const partsOf = prepared(database, 'SELECT name, part FROM run_part WHERE run = ?');
  const textOf = prepared(database, 'SELECT text FROM part WHERE number = ?');
  const known = new Map<number, unknown>();
  const part = (number: number): unknown => {
    if (!known.has(number)) known.set(number, JSON.parse(String(textOf.get(number)?.text)));
    return known.get(number);
  };
  return rows.map(({ id, number, entry }) => {
    const parts = partsOf.all(number) as { readonly name: string; readonly part: number }[];
    // Only `write` of the same version fills the tables.
    return { id, entry, facts: Object.fromEntries(parts.map((one) => [one.name, part(one.part)])) as never };
  });
}

type ValueRow = readonly [
  series: number,
  look: number,
  definition: string,
  goal: number | null,
  value: number,
  low: number | null,
  high: number | null,
  n: number,
];

/** The values of the runs by their series: those of the latest run in its order, then the others. */
function seriesOf(database: DatabaseSync, rows: readonly RunRow[]): IndexedHistory['series'] {
  const keys = new Map(
    database
      .prepare('SELECT number, key FROM series')
      .all()
      .map(({ number, key }) => [Number(number), String(key)]),
  );
  const valuesOf = prepared(
    database,
    'SELECT series, look, definition, goal, value, low, high, n FROM value WHERE run = ? ORDER BY place',
  );
  valuesOf.setReturnArrays(true);
  const made = new Map<
    number,
    { index: number; limit: number | null; points: HistoryPoint[]; definitions: string[] }
  >();
  let latest: readonly number[] = [];
  rows.forEach(({ number }, run) => {
    const values = valuesOf.all(number) as unknown as readonly ValueRow[];
    for (const [series, look, definition, goal, value, low, high, n] of values) {
      let own = made.get(series);
      if (own === undefined) {
        own = { index: look, limit: goal, points: [], definitions: [] };
        made.set(series, own);
      }
      own.points.push({ run, value, low, high, n });
      own.definitions.push(definition);
      own.index = look;
      own.limit = goal;
    }
    if (values.length > 0) latest = values.map(([series]) => series);
  });
  return [...new Set([...latest, ...made.keys()])].map((number): ValuesOfHistory => {
    const [label, target, work, quantity, unit] = JSON.parse(keys.get(number)!);
    return { label, target, work, quantity, unit, ...made.get(number)! };
  });
}
