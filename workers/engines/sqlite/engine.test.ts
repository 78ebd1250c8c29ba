import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import type { Batch } from '#model/batch/batch.ts';
import { batchOf } from '#model/batch/encode.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { readOnlyAccess } from '../shared/connecting.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';
import { toError } from './errors.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

const signal = new AbortController().signal;
const open = (more: Record<string, unknown> = {}) =>
  engine.open(config.parse({ path: folder, ...more }), 'dyno-test', signal);
const failure = failureOf(engine);

test('a database of somebody else is neither opened nor changed', async () => {
  const file = join(folder, 'dyno.sqlite');
  const foreign = new DatabaseSync(file);
  foreign.exec('CREATE TABLE precious (x)');
  foreign.close();
  const before = readFileSync(file);
  expect(await failure(open())).toMatchObject({ kind: 'notOurs' });
  expect(readFileSync(file)).toEqual(before);
  expect(existsSync(`${file}-wal`)).toBe(false);
});

test('a file that is no database is refused as well', async () => {
  writeFileSync(join(folder, 'dyno.sqlite'), 'a diary');
  expect(await failure(open())).toMatchObject({ kind: 'notOurs' });
});

test('a file of Dyno’s own opens again, also while it is open', async () => {
  await using first = await open();
  await using second = await open();
  expect((await second.fingerprint()).durability).toEqual((await first.fingerprint()).durability);
});

test('durability settings are those asked for, safe ones by default', async () => {
  await using database = await open();
  expect((await database.fingerprint()).durability).toMatchObject({ journal_mode: 'wal', synchronous: 'FULL' });
  await using faster = await open({
    path: join(folder, 'other'),
    synchronous: 'OFF',
    journalMode: 'delete',
    pageSize: 8192,
  });
  const { durability, other } = await faster.fingerprint();
  expect(durability).toMatchObject({ journal_mode: 'delete', synchronous: 'OFF' });
  expect(other.page_size).toBe('8192 bytes');
});

test('a file that was made otherwise is not measured under a wrong name', async () => {
  await using first = await open();
  expect(await failure(open({ pageSize: 8192 }))).toMatchObject({
    kind: 'badInput',
    message: expect.stringContaining('page_size 4096') as string,
  });
  await first[Symbol.asyncDispose]();
  await using other = await open({ journalMode: 'delete' });
  expect((await other.fingerprint()).durability).toMatchObject({ journal_mode: 'delete' });
});

test('a folder that cannot be made is reported with its path', async () => {
  writeFileSync(join(folder, 'file'), '');
  const error = await failure(open({ path: join(folder, 'file', 'below') }));
  expect(error?.message).toContain(join(folder, 'file', 'below'));
});

test('what the library would leave unread is refused: behind a NUL, and behind the body of a trigger', async () => {
  await using database = await open();
  await using session = await database.openSession({});
  const prepared = (text: string, method: 'bind' | 'prepared' | 'literal') =>
    session.prepareStatement!({ text, method, parameters: [], tables: {}, options: {}, isRead: true });
  const table = await prepared('CREATE TABLE b (c)', 'literal');
  const nothing: Batch = { rows: 1, columns: [] };
  await table.run(table.encode(nothing));
  const trigger = 'CREATE TRIGGER a AFTER INSERT ON b BEGIN DELETE FROM b; SELECT 1; END';
  for (const method of ['bind', 'prepared', 'literal'] as const) {
    const run = async (text: string) => {
      const statement = await prepared(text, method);
      return statement.run(statement.encode(nothing));
    };
    expect(await run('SELECT 1; -- done')).toBe(1);
    for (const rest of ['\0, 2 FROM nowhere', '\n;\0SELECT 2'])
      expect(await failure(run(`SELECT 1${rest}`)), method).toMatchObject({ kind: 'badInput' });
    const refused = await failure(run(`${trigger};\nDELETE FROM b`));
    expect(refused, method).toMatchObject({ kind: 'badInput', message: expect.stringContaining('line 2') });
  }
});

test.each(['SELECT ?', 'SELECT @a', 'SELECT $a', 'SELECT:a', 'SELECT ?1', 'SELECT :a FROM b LIMIT:a'])(
  '%s has a parameter that nobody gives a value: it is refused',
  async (text) => {
    await using database = await open();
    await using session = await database.openSession({});
    const parameters = [{ name: 'a', type: { kind: 'bigint' }, nullable: false }] as const;
    for (const method of ['bind', 'prepared', 'literal'] as const) {
      const plan = { text, method, parameters, tables: {}, options: {}, isRead: true };
      expect(await failure(session.prepareStatement!(plan))).toMatchObject({ kind: 'badInput' });
    }
    const named = 'SELECT \'?@$:a\' AS "?", b$a, :a -- ?\n FROM (SELECT 1 AS b$a)';
    const plan = { text: named, method: 'bind', parameters, tables: {}, options: {}, isRead: true } as const;
    const select = await session.prepareStatement!(plan);
    expect((await select.show(select.encode(batchOf([[7]], [{ kind: 'bigint' }])), 1)).rows).toEqual([
      ['?@$:a', '1', '7'],
    ]);
  },
);

test.each([
  [{}, 'path'],
  [{ path: 'bench/files' }, 'absolute'],
  [{ path: '/x', pagesize: 1 }, '"pagesize"'],
  [{ path: '/x', pageSize: 5_000 }, 'power of two'],
  [{ path: '/x', journalMode: 'log' }, 'wal'],
  [{ path: '/x', cacheKib: -1 }, 'cacheKib'],
])('%j is refused, naming what is wrong', (raw, expected) => {
  expect(() => config.parse(raw)).toThrow(expected);
});

test.each([
  [2_067, 'uniqueViolation', 'UNIQUE constraint failed: t.id'],
  [1_555, 'uniqueViolation', 'UNIQUE constraint failed: t.id'],
  [1_299, 'constraint', 'NOT NULL constraint failed: t.id'],
  [5, 'lockTimeout', 'database is locked'],
  [517, 'lockTimeout', 'database is locked'],
  [13, 'diskFull', 'database or disk is full'],
  [8, 'permission', 'attempt to write a readonly database'],
  [14, 'permission', 'unable to open database file'],
  [1, 'syntax', 'near "SELEC": syntax error'],
])('result code %d is %s', (errcode, kind, message) => {
  const error = Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
  expect(toError(error)).toMatchObject({ kind, code: `SQLITE_${errcode}`, message: `SQLite: ${message}` });
});

const tableNamed = (name: string) =>
  ({ name, key: null, options: {}, columns: [{ name: 'n', type: { kind: 'bigint' }, nullable: false }] }) as const;

test('a sort memory below what a sort has at least is refused, by the size of the pages', async () => {
  await using database = await open({ pageSize: 65_536 });
  const table = tableNamed('dyno_t');
  await database.prepareSchema(table);
  await using session = await database.openSession({});
  const scan = (sortMemoryKb: number) =>
    session.prepare({
      table,
      operation: 'scan',
      method: 'prepared',
      settings: { ...defaultSettings, operation: 'scan', orderBy: 'n', sortMemoryKb },
    });
  expect(await failure(scan(15_999))).toMatchObject({ kind: 'unsupported', message: expect.stringContaining('65536') });
  const sorted = await scan(16_000);
  expect(sorted.run(sorted.encode({ rows: 0, columns: [] }))).toBe(0);
});

test('a statement that changes no rows by itself has no count, and not that of the one before', async () => {
  await using database = await open();
  await using session = await database.openSession({});
  const own = async (text: string) => {
    const plan = { text, method: 'bind', parameters: [], tables: {}, options: {}, isRead: false } as const;
    const statement = await session.prepareStatement!(plan);
    return statement.run(statement.encode({ rows: 1, columns: [] }));
  };
  expect(await own('CREATE TABLE pair (x)')).toBeNull();
  expect(await own('INSERT INTO pair VALUES (1), (2)')).toBe(2);
  expect(await own('CREATE INDEX pairs ON pair (x)')).toBeNull();
  expect(await own('DROP TABLE pair')).toBeNull();
});

/** A database of the user's own with 1,000 rows, in this journal mode; `state` has all that Dyno must not change. */
function usersFile(journalMode: 'delete' | 'wal') {
  const file = join(folder, 'shop.sqlite');
  const made = new DatabaseSync(file);
  made.exec(`PRAGMA page_size = 8192; PRAGMA journal_mode = ${journalMode}; PRAGMA application_id = 7`);
  made.exec('CREATE TABLE sales (id INTEGER PRIMARY KEY, amount INTEGER, note TEXT)');
  made.exec(
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) INSERT INTO sales SELECT i, i * 7, 'note ' || i FROM n",
  );
  made.close();
  const state = () => {
    const read = new DatabaseSync(file);
    try {
      const value = (sql: string) => Object.values(read.prepare(sql).get() ?? {})[0];
      return {
        journalMode: value('PRAGMA journal_mode'),
        applicationId: value('PRAGMA application_id'),
        pageSize: value('PRAGMA page_size'),
        schema: read.prepare('SELECT name, sql FROM sqlite_schema ORDER BY name').all(),
        rows: value("SELECT group_concat(id || ':' || amount || ':' || note) FROM sales"),
      };
    } finally {
      read.close();
    }
  };
  return { file, state };
}
const filesHere = () => readdirSync(folder).sort();
const openFile = (file: string, more: Record<string, unknown> = {}) =>
  engine.open(config.parse({ file, ...more }), 'dyno-test', signal);
const ownTable = tableNamed('dyno_1_2_beside');

test.each(['delete', 'wal'] as const)('a file of the user’s own in mode %s stays as it was', async (journalMode) => {
  const { file, state } = usersFile(journalMode);
  const before = state();
  {
    await using database = await openFile(file);
    expect((await database.fingerprint()).durability.journal_mode).toBe(journalMode);
    expect(await database.userTables?.()).toMatchObject([{ name: 'sales' }]);
    await database.prepareSchema(ownTable);
    await database.settle(ownTable);
    expect(await database.leftovers('dyno_')).toEqual([ownTable.name]);
    expect(await failure(database.drop({ ...ownTable, name: 'sales' }))).toMatchObject({ kind: 'notOurs' });
    expect(await database.dropLeftovers('dyno_')).toEqual({ dropped: [ownTable.name], kept: [] });
  }
  expect(state()).toEqual(before);
  expect(filesHere()).toEqual(['shop.sqlite']);
});

test.each(['delete', 'wal'] as const)('a production connection only reads a file in mode %s', async (journalMode) => {
  const { file, state } = usersFile(journalMode);
  const before = state();
  const bytes = readFileSync(file);
  {
    await using database = await engine.open(readOnlyAccess(config.parse({ file })), 'dyno-test', signal);
    expect(await database.userTables?.()).toMatchObject([{ name: 'sales' }]);
    expect(await failure(database.prepareSchema(ownTable))).toMatchObject({ kind: 'permission' });
  }
  expect(filesHere()).toEqual(['shop.sqlite']);
  expect(readFileSync(file)).toEqual(bytes);
  expect(state()).toEqual(before);
});

test('kill -9 leaves a file of the user’s own as it was, but for a marked table that the next one drops', async () => {
  const { file, state } = usersFile('wal');
  const before = state();
  const script = `
    import { config } from ${JSON.stringify(new URL('config.ts', import.meta.url).href)};
    import { engine } from ${JSON.stringify(new URL('engine.ts', import.meta.url).href)};
    const database = await engine.open(config.parse({ file: ${JSON.stringify(file)} }), 'dyno-test', new AbortController().signal);
    await database.prepareSchema(${JSON.stringify(ownTable)});
    process.kill(process.pid, 'SIGKILL');`;
  const { signal: ended } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  expect(ended).toBe('SIGKILL');
  expect(filesHere()).toContain('shop.sqlite-wal');
  {
    await using database = await openFile(file);
    expect(await database.dropLeftovers('dyno_')).toEqual({ dropped: [ownTable.name], kept: [] });
  }
  expect(state()).toEqual(before);
  expect(filesHere()).toEqual(['shop.sqlite']);
});

test('a folder beside the file gets a copy, and the file itself stays as it was', async () => {
  const { file } = usersFile('delete');
  const bytes = readFileSync(file);
  const path = join(folder, 'copies');
  {
    await using database = await openFile(file, { path, journalMode: 'wal' });
    expect((await database.fingerprint()).durability.journal_mode).toBe('wal');
    expect(await database.userTables?.()).toMatchObject([{ name: 'sales' }]);
    await database.prepareSchema(ownTable);
  }
  expect(readFileSync(file)).toEqual(bytes);
  const [name = '', ...more] = readdirSync(path);
  expect([name, more]).toEqual([expect.stringMatching(/^copy-[0-9a-f]{8}-of-shop\.sqlite$/), []]);
  await using again = await openFile(file, { path });
  expect(await again.leftovers('dyno_'), 'a copy is made once').toEqual([ownTable.name]);
  const others = new DatabaseSync(join(folder, name));
  others.exec('CREATE TABLE precious (x)');
  others.close();
  expect(await failure(openFile(file, { path: folder })), 'of somebody else').toMatchObject({ kind: 'notOurs' });
});

test.each(['a log', 'a journal'])('a copy leaves %s of a killed program beside the file as it was', async (left) => {
  const { file } = usersFile(left === 'a log' ? 'wal' : 'delete');
  // With a small cache, SQLite writes pages of an unfinished transaction into the file.
  const unfinished = 'PRAGMA cache_size = 1; BEGIN; UPDATE sales SET note = note || hex(zeroblob(500))';
  const change = left === 'a log' ? 'CREATE TABLE late (x)' : unfinished;
  const script = `
    import { DatabaseSync } from 'node:sqlite';
    const database = new DatabaseSync(${JSON.stringify(file)});
    database.exec(${JSON.stringify(change)});
    process.kill(process.pid, 'SIGKILL');`;
  spawnSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' });
  const beside = left === 'a log' ? `${file}-wal` : `${file}-journal`;
  const before = [file, beside].map((one) => readFileSync(one));
  const path = join(folder, 'copies');
  const opening = openFile(file, { path });
  if (left === 'a log') {
    await using database = await opening;
    expect((await database.userTables?.())?.map(({ name }) => name)).toEqual(['late', 'sales']);
  } else expect(await failure(opening)).toMatchObject({ kind: 'badInput' });
  expect([file, beside].map((one) => readFileSync(one))).toEqual(before);
});

test('files of one name in different folders get copies of their own', async () => {
  const path = join(folder, 'copies');
  const tables: unknown[] = [];
  for (const shop of ['north', 'south']) {
    const file = join(folder, shop, 'shop.sqlite');
    mkdirSync(join(folder, shop));
    const made = new DatabaseSync(file);
    made.exec(`CREATE TABLE ${shop} (id INTEGER PRIMARY KEY)`);
    made.close();
    await using database = await openFile(file, { path });
    tables.push(...((await database.userTables?.()) ?? []).map(({ name }) => name));
  }
  expect(tables).toEqual(['north', 'south']);
});

test('a copy of a file that another program has locked fails with the reason', async () => {
  const { file } = usersFile('delete');
  using other = new DatabaseSync(file);
  other.exec('BEGIN EXCLUSIVE');
  const path = join(folder, 'copies');
  expect(await failure(openFile(file, { path, busyTimeoutMs: 10 }))).toMatchObject({ kind: 'lockTimeout' });
  expect(readdirSync(path)).toEqual([]);
});

test('a file of the user’s own has to exist, and keeps its settings', async () => {
  const missing = join(folder, 'none.sqlite');
  expect(await failure(openFile(missing))).toMatchObject({ kind: 'badInput' });
  expect(existsSync(missing)).toBe(false);
  writeFileSync(missing, 'a diary');
  expect((await failure(openFile(missing)))?.message).toContain('is no SQLite database');
  expect(() => config.parse({ file: missing, journalMode: 'wal' })).toThrow('journalMode is that of your own file');
  expect(() => config.parse({ file: missing, path: folder, pageSize: 8192 })).toThrow('pageSize');
  expect(() => config.parse({ file: 'shop.sqlite' })).toThrow('file must be absolute');
  expect(() => config.parse({})).toThrow('file one of your own');
});
