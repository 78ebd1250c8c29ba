import { hash } from 'node:crypto';
import { closeSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
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

/** A run with its facts. */
interface RunWithFacts {
  readonly id: string;
  readonly facts: RunFacts;
}

/** A complete run of an experiment in the index, with the values that a history shows. */
interface IndexedHistory {
  readonly runs: readonly RunWithFacts[];
  readonly series: readonly ValuesOfHistory[];
}

/**
 * An index of the run files of a home, because reading them takes time. It can be deleted at any time: it is made again
 * where it is missing, damaged or of another version. Several processes may use it together. None of its functions
 * throws; where its file cannot be used, the index is in memory.
 */
interface RunIndex {
  /** The entry of a run, exactly as `set` was given it; undefined: the file is not known in this state. */
  get(file: ReadFile): string | undefined;
  set(file: ReadFile, run: IndexedRun): void;
  /** Forgets all other runs. */
  keepOnly(ids: ReadonlySet<string>): void;
  /** The runs with these ids that are known, in this order, with their facts as `set` was given them. */
  facts(ids: readonly string[]): readonly RunWithFacts[];
  /** The same runs, and their values. */
  history(ids: readonly string[]): IndexedHistory;
}

/**
 * The parts of runs are stored once for all runs that share them: the facts, and the series of the values in their
 * order. The numbers of a run are one BLOB, because 100,000 rows take too long to read.
 */
const tables = `
CREATE TABLE run (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  bytes INTEGER NOT NULL,
  changed_ms REAL NOT NULL,
  entry TEXT NOT NULL,
  entry_hash TEXT NOT NULL,
  numbers BLOB NOT NULL
);
CREATE TABLE part (number INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
CREATE TABLE run_part (run INTEGER, name TEXT, part INTEGER NOT NULL, PRIMARY KEY (run, name)) WITHOUT ROWID;
`;

/** The name of the part that has the series of a run's values; the other parts are its facts. */
const seriesPart = 'series of the values';

/** Goes up with every change of what is kept, if no table changes. */
const contents = 2;

const sha256 = (text: string): string => hash('sha256', text);

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
    facts: (ids) => using((opened) => inTransaction(opened, () => factsOf(opened, rowsOf(opened, ids)), 'BEGIN')),
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
  const found = prepared(
    database,
    'SELECT entry, entry_hash AS hash FROM run WHERE id = ? AND bytes = ? AND changed_ms = ?',
  ).get(id, bytes, changedMs) as { readonly entry: string; readonly hash: string } | undefined;
  return found !== undefined && sha256(found.entry) === found.hash ? found.entry : undefined;
}

function write(database: DatabaseSync, { id, bytes, changedMs }: ReadFile, run: IndexedRun): void {
  forget(database, [{ id }]);
  const { lastInsertRowid: number } = prepared(
    database,
    'INSERT INTO run (id, bytes, changed_ms, entry, entry_hash, numbers) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(id, bytes, changedMs, run.entry, sha256(run.entry), numbersOf(run.values));
  const addPart = prepared(database, 'INSERT INTO run_part (run, name, part) VALUES (?, ?, ?)');
  for (const [name, part] of [...Object.entries(run.facts), [seriesPart, run.values.map(keyOf)] as const])
    addPart.run(number, name, numberOfPart(database, JSON.stringify(part)));
}

/** A series of a run's values, and everything about it that stays the same in most runs. */
type SeriesKey = readonly [
  label: string,
  target: string,
  work: string | null,
  quantity: string,
  unit: ValuesOfHistory['unit'],
  index: number,
  limit: number | null,
  definition: string,
];

const keyOf = ({ label, target, work, quantity, unit, index, limit, definition }: RunValue): SeriesKey => [
  ...([label, target, work, quantity, unit, index, limit] as const),
  sha256(definition).slice(0, 16),
];

/** Four numbers for each value: itself, its bounds, and the number of repeats. NaN: the bound is unknown. */
const numbersOfValue = 4;

const numbersOf = (values: readonly RunValue[]): Uint8Array =>
  new Uint8Array(
    Float64Array.from(values.flatMap(({ value, low, high, n }) => [value, low ?? Number.NaN, high ?? Number.NaN, n]))
      .buffer,
  );

const boundOf = (number: number): number | null => (Number.isNaN(number) ? null : number);

/** The number of the part with this text, which is added where it is missing. */
function numberOfPart(database: DatabaseSync, text: string): number | bigint {
  const own = sha256(text);
  const found = prepared(database, 'SELECT number FROM part WHERE hash = ?').get(own);
  if (found) return found.number as number;
  return prepared(database, 'INSERT INTO part (hash, text) VALUES (?, ?)').run(own, text).lastInsertRowid;
}

function forget(database: DatabaseSync, runs: readonly { readonly id: string }[]): void {
  for (const { id } of runs) {
    const number = prepared(database, 'SELECT number FROM run WHERE id = ?').get(id)?.number;
    if (number === undefined) continue;
    prepared(database, 'DELETE FROM run_part WHERE run = ?').run(number);
    prepared(database, 'DELETE FROM run WHERE number = ?').run(number);
  }
}

interface RunRow {
  readonly id: string;
  readonly number: number;
}

function rowsOf(database: DatabaseSync, ids: readonly string[]): readonly RunRow[] {
  const findRun = prepared(database, 'SELECT number FROM run WHERE id = ?');
  return ids.flatMap((id) => {
    const found = findRun.get(id) as { readonly number: number } | undefined;
    return found ? [{ id, number: found.number }] : [];
  });
}

function historyOf(database: DatabaseSync, ids: readonly string[]): IndexedHistory {
  const rows = rowsOf(database, ids);
  return { runs: factsOf(database, rows), series: seriesOf(database, rows) };
}

/** The parts of the index, each read once. */
function partsOf(database: DatabaseSync): (number: number) => unknown {
  const textOf = prepared(database, 'SELECT text FROM part WHERE number = ?');
  const known = new Map<number, unknown>();
  return (number) => {
    if (!known.has(number)) known.set(number, JSON.parse(String(textOf.get(number)?.text)));
    return known.get(number);
  };
}

/** The runs with their facts. They share equal parts, so that a comparison of two runs need not look inside. */
function factsOf(database: DatabaseSync, rows: readonly RunRow[]): readonly RunWithFacts[] {
  const ownParts = prepared(database, 'SELECT name, part FROM run_part WHERE run = ? AND name <> ?');
  const part = partsOf(database);
  return rows.map(({ id, number }) => {
    const parts = ownParts.all(number, seriesPart) as { readonly name: string; readonly part: number }[];
    // Only `write` of the same version fills the tables.
    return { id, facts: Object.fromEntries(parts.map((one) => [one.name, part(one.part)])) as never };
  });
}

/** The values of the runs by their series: those of the latest run in its order, then the others. */
function seriesOf(database: DatabaseSync, rows: readonly RunRow[]): IndexedHistory['series'] {
  const ownOf = prepared(
    database,
    'SELECT part, numbers FROM run JOIN run_part ON run = number AND name = ? WHERE number = ?',
  );
  const part = partsOf(database);
  const made = new Map<string, SeriesInMaking>();
  /** The series of each list of keys. Runs share these lists. */
  const known = new Map<number, readonly SeriesInMaking[]>();
  const seriesIn = (keys: readonly SeriesKey[]): readonly SeriesInMaking[] =>
    keys.map((key) => {
      const [label, target, work, quantity, unit] = key;
      const name = JSON.stringify([label, target, work, quantity, unit]);
      const own = made.get(name) ?? { key, points: [], definitions: [] };
      made.set(name, own);
      return own;
    });
  let latest: readonly SeriesInMaking[] = [];
  rows.forEach(({ number }, run) => {
    const own = ownOf.get(seriesPart, number) as { readonly part: number; readonly numbers: Uint8Array };
    const keys = part(own.part) as readonly SeriesKey[];
    const series = known.get(own.part) ?? seriesIn(keys);
    known.set(own.part, series);
    const numbers = new Float64Array(own.numbers.slice().buffer);
    series.forEach((one, i) => {
      const at = i * numbersOfValue;
      const [value, low, high, n] = [numbers[at]!, numbers[at + 1]!, numbers[at + 2]!, numbers[at + 3]!];
      one.points.push({ run, value, low: boundOf(low), high: boundOf(high), n });
      one.definitions.push(keys[i]!.at(-1) as string);
      one.key = keys[i]!;
    });
    if (series.length > 0) latest = series;
  });
  return [...new Set([...latest, ...made.values()])].map(({ key, points, definitions }): ValuesOfHistory => {
    const [label, target, work, quantity, unit, index, limit] = key;
    return { label, target, work, quantity, unit, index, limit, points, definitions };
  });
}

/** A series while the runs are read, with its key in the latest of them. */
interface SeriesInMaking {
  key: SeriesKey;
  readonly points: HistoryPoint[];
  readonly definitions: string[];
}
