import { test as anyTest, expect } from 'vitest';
import type { RunningDerby } from '#managed-servers/servers/derby.ts';
import { batchOf } from '#model/batch/encode.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { isSkipped } from '../../conformance/skipped.ts';
import { failureOf } from '../../shared/failure.fixture.ts';
import { batchWith, numberColumn, openWithTable, textColumn } from '../../shared/test-table.fixture.ts';
import { config, type DrdaConfig } from '../config.ts';
import { connect } from '../connection/connect.ts';
import { one } from '../connection/query.ts';
import { engine } from '../engine.ts';
import {
  callOnce,
  defaults,
  derbyOf,
  keysOf,
  loadRows,
  planOf,
  range,
  rowsOf,
  tableOf,
} from '../test-tables.fixture.ts';

/** Sessions and tables on Derby (isolation, chains, locks, commits), with a short lock timeout. */
const test = anyTest.skipIf(isSkipped('local-derby'));
const signal = new AbortController().signal;
const table = tableOf('dyno_derby_test');
const failure = failureOf(engine);
let server: RunningDerby;

beforeTests(async (opened) => {
  const properties = { 'derby.locks.waitTimeout': '2', 'derby.locks.deadlockTimeout': '1' };
  server = opened.use(await derbyOf({ properties }));
});

const open = () => engine.open(config.parse(server.raw), 'dyno-test', signal);
const admin = () => connect(config.parse(server.raw) as DrdaConfig, 'test-admin');

test.each(['readUncommitted', 'readCommitted', 'repeatableRead', 'serializable'] as const)(
  'isolation %s decides who waits for whom',
  async (isolation) => {
    await using database = await openWithTable(open(), table);
    await loadRows(database, table, [1]);
    await using writer = await database.openSession(defaults);
    await using reader = await database.openSession(defaults, isolation);
    const read = () => callOnce(reader, planOf(table, 'readByKey', 'prepared'), keysOf([1]));
    await writer.begin();
    await callOnce(writer, planOf(table, 'update', 'prepared'), rowsOf([1], 'new'));
    // Only uncommitted read does not wait for the writer.
    if (isolation === 'readUncommitted') expect(await read()).toBe(1);
    else expect(await failure(read())).toMatchObject({ kind: 'lockTimeout', retryable: true });
    await writer.rollback();
    // And only repeatable read and read stability keep writers out of what they have read.
    await reader.begin();
    expect(await read()).toBe(1);
    const update = failure(callOnce(writer, planOf(table, 'update', 'prepared'), rowsOf([1], 'new')));
    if (isolation === 'repeatableRead' || isolation === 'serializable')
      expect(await update).toMatchObject({ kind: 'lockTimeout' });
    else expect(await update).toBeNull();
    await reader.rollback();
  },
);

test('a literal is a value in every position of Derby’s grammar', async () => {
  await using database = await open();
  await using session = await database.openSession(defaults);
  const shown = async (text: string, n: number) => {
    const parameters = [{ name: 'n', type: { kind: 'bigint' }, nullable: false }] as const;
    const plan = { text, method: 'literal', parameters, tables: {}, options: {}, isRead: true } as const;
    const statement = await session.prepareStatement!(plan);
    const { rows } = await statement.show(statement.encode(batchOf([[n]], [{ kind: 'bigint' }])), 3);
    return rows.map((row) => row.join());
  };
  expect(await shown('VALUES(10 /:n*2 -:n, -:n, 1- -:n)', -5)).toEqual(['1,5,-4']);
  expect(await shown('VALUES CAST(:n AS BIGINT)', -(2 ** 63))).toEqual(['-9223372036854775808']);
  const day = "{fn TIMESTAMPADD(SQL_TSI_DAY,:n,TIMESTAMP('2024-01-10 00:00:00'))}";
  expect(await shown(`VALUES DATE(${day})`, -5)).toEqual(['2024-01-05']);
  const page = 'SELECT a FROM (VALUES 1, 2, 3, 4, 5) AS t(a) ORDER BY a OFFSET :n ROWS FETCH NEXT :n ROWS ONLY';
  expect(await shown(page, 2)).toEqual(['3', '4']);
});

test('what only SQLFire’s family has is refused before anything is made', async () => {
  await using database = await open();
  for (const options of [
    { distribution: 'replicate' },
    { buckets: 7 },
    { redundancy: 1 },
    { colocateWith: 'app.t' },
    { persistent: 'sync' },
    { eviction: 'lruHeap' },
  ]) {
    const error = await failure(database.prepareSchema(tableOf(table.name, options)));
    expect(error, JSON.stringify(options)).toMatchObject({ kind: 'unsupported' });
    expect(error?.message).toContain(`drda.${Object.keys(options)[0]}`);
  }
});

test('a chain that fails in the middle stores nothing, and neither does what comes next commit it', async () => {
  await using database = await openWithTable(open(), table);
  await loadRows(database, table, [3]);
  await using session = await database.openSession(defaults);
  const plan = planOf(table, 'insert', 'arrayBind', { rowsPerCall: 5 });
  const error = await failure(callOnce(session, plan, rowsOf(range(1, 5))));
  expect(error).toMatchObject({ kind: 'uniqueViolation', message: expect.stringContaining('Row 3 of the call') });
  expect(await callOnce(session, planOf(table, 'insert', 'prepared'), rowsOf([10]))).toBe(1);
  expect(await database.checksum(table)).toMatchObject({ rows: 2, columns: ['13', expect.anything()] });
});

test('of two transactions that wait for each other one is undone as a deadlock, and the other goes on', async () => {
  await using database = await openWithTable(open(), table);
  await loadRows(database, table, range(0, 10));
  const sessions = await Promise.all([database.openSession(defaults), database.openSession(defaults)]);
  const change = (n: number, key: number) =>
    callOnce(sessions[n]!, planOf(table, 'update', 'prepared'), rowsOf([key], `${n}`));
  for (const n of [0, 1]) {
    await sessions[n]!.begin();
    await change(n, n);
  }
  const errors = await Promise.all([failure(change(0, 1)), failure(change(1, 0))]);
  expect(errors.filter((error) => error === null)).toHaveLength(1);
  expect(errors.find((error) => error !== null)).toMatchObject({ kind: 'deadlock', code: '40001', retryable: true });
  for (const session of sessions) {
    await session.rollback();
    await session[Symbol.asyncDispose]();
  }
});

test('lock waits of others are seen while they last', async () => {
  await using database = await openWithTable(open(), table);
  await loadRows(database, table, [1]);
  await using holder = await database.openSession(defaults);
  await using waiter = await database.openSession(defaults);
  await holder.begin();
  await callOnce(holder, planOf(table, 'update', 'prepared'), rowsOf([1], 'held'));
  const waiting = failure(callOnce(waiter, planOf(table, 'update', 'prepared'), rowsOf([1], 'late')));
  await expect
    .poll(async () => (await database.probe()).gauges, { timeout: 2_000 })
    .toMatchObject({ 'wait:lock:ROW': 1, active: 1, writing: 1 });
  expect(await waiting).toMatchObject({ kind: 'lockTimeout' });
  await holder.rollback();
  expect((await database.probe()).gauges).toMatchObject({ active: 0, writing: 0 });
});

test('transactions are counted when those who made them are gone', async () => {
  await using database = await openWithTable(open(), table);
  const transactions = async () => (await database.probe()).counters.transactions!;
  const before = await transactions();
  const session = await database.openSession(defaults);
  const insert = await session.prepare(planOf(table, 'insert', 'prepared'));
  for (const key of range(0, 50)) await insert.run(insert.encode(rowsOf([key])));
  await session[Symbol.asyncDispose]();
  const after = await transactions();
  expect(after - before).toBeGreaterThanOrEqual(50);
  expect(after - before).toBeLessThan(150);
  expect(await transactions()).toBeGreaterThanOrEqual(after);
});

test('texts and bytes beyond 32,672 are stored and read, but not as literals', async () => {
  const columns = [
    { name: 'id', type: { kind: 'bigint' }, nullable: false },
    { name: 'text', type: { kind: 'text', maxLength: 60_000, fixed: false, ascii: false }, nullable: false },
    { name: 'blob', type: { kind: 'bytes', maxLength: 180_000, fixed: false }, nullable: false },
  ] as const;
  const wide = { ...table, name: 'dyno_wide', columns };
  await using database = await openWithTable(open(), wide);
  await using session = await database.openSession(defaults);
  const batch = (key: number, text: string) => batchWith(1, numberColumn([key]), textColumn(text), textColumn(text));
  const samples = ['', '日'.repeat(60_000), '🐘'.repeat(20_000), 'a'.repeat(32_672), 'b'.repeat(32_768)];
  for (const [key, text] of samples.entries())
    expect(await callOnce(session, planOf(wide, 'insert', 'prepared'), batch(key, text))).toBe(1);
  await database.load(
    wide,
    samples.map((text, key) => batch(100 + key, text)),
    () => {},
    signal,
  );
  const { columns: sums, rows } = (await database.checksum(wide))!;
  expect(rows).toBe(2 * samples.length);
  expect(sums[1]).toBe(sums[2]); // UTF-8 text and the same bytes
  const read = planOf(wide, 'scan', 'prepared', { fetchSize: 1 });
  expect(await callOnce(session, read, batchWith(0))).toBe(2 * samples.length);
  const error = await failure(callOnce(session, planOf(wide, 'insert', 'literal'), batch(50, samples[1]!)));
  expect(error).toMatchObject({ kind: 'limit', hint: expect.stringContaining('parameters') });
  expect(error!.message.length).toBeLessThan(200);
});

test('reading a table for its checksum can be ended, and the connection goes on', async () => {
  await using database = await openWithTable(open(), table);
  await loadRows(database, table, range(0, 5_000));
  const reading = failure(database.checksum(table));
  await database.cancel();
  expect(await reading).toMatchObject({ kind: 'cancelled' });
  expect((await database.checksum(table))?.rows).toBe(5_000);
});

test('reads, updates and deletes in flight at once all arrive', async () => {
  await using database = await openWithTable(open(), table);
  const keys = range(0, 100);
  await loadRows(database, table, keys);
  await using session = await database.openSession(defaults);
  for (const [operation, batch] of [
    ['readByKey', keysOf],
    ['update', rowsOf],
    ['delete', keysOf],
  ] as const) {
    const prepared = await session.prepare(planOf(table, operation, 'pipelined', { pipelineDepth: 8 }));
    const calls = keys.map((key) => prepared.encode(batch([key])));
    // More than the depth, too: they wait for each other.
    const touched = await Promise.all(calls.map((call) => prepared.run(call)));
    expect(touched, operation).toEqual(keys.map(() => 1));
  }
  expect((await database.checksum(table))?.rows).toBe(0);
});

test('a table without a key is loaded, settled, marked and dropped, too', async () => {
  const keyless = { ...table, name: 'dyno_keyless', key: null };
  await using database = await open();
  await database.prepareSchema(keyless);
  await loadRows(database, keyless, [1, 1, 2]);
  await database.settle(keyless);
  expect(await database.checksum(keyless)).toMatchObject({ rows: 3, columns: ['4', expect.anything()] });
  expect((await database.dropLeftovers('dyno_key')).dropped).toEqual(['dyno_keyless']);
});

test('calls of a session that has not begun a transaction end it by themselves, also those that fail', async () => {
  await using database = await openWithTable(open(), table);
  const boss = await admin();
  await using session = await database.openSession(defaults);
  for (const [i, method] of (
    ['literal', 'bind', 'prepared', 'pipelined', 'multiRow', 'arrayBind'] as const
  ).entries()) {
    const rows = method === 'multiRow' || method === 'arrayBind' ? 3 : 1;
    const insert = () =>
      callOnce(session, planOf(table, 'insert', method, { rowsPerCall: rows }), rowsOf(range(10 * i, rows)));
    await insert();
    expect(await one(boss, 'SELECT COUNT(*) FROM SYSCS_DIAG.LOCK_TABLE'), method).toBe(0);
    // A failed call leaves nothing locked either.
    expect(await failure(insert()), method).toMatchObject({ kind: 'uniqueViolation' });
    expect(await one(boss, 'SELECT COUNT(*) FROM SYSCS_DIAG.LOCK_TABLE'), `refused ${method}`).toBe(0);
  }
  for (const method of ['literal', 'bind', 'prepared', 'pipelined', 'multiRow'] as const) {
    await callOnce(session, planOf(table, 'readByKey', method, { rowsPerCall: 1 }), keysOf([20]));
    expect(await one(boss, 'SELECT COUNT(*) FROM SYSCS_DIAG.LOCK_TABLE'), `read ${method}`).toBe(0);
  }
  await boss.close();
});

test('a procedure has no count of rows, whatever the server answers', async () => {
  await using database = await open();
  await using session = await database.openSession(defaults);
  for (const method of ['literal', 'bind', 'prepared'] as const) {
    const text = 'CALL SYSCS_UTIL.SYSCS_SET_RUNTIMESTATISTICS(0)';
    const plan = { text, method, parameters: [], tables: {}, options: defaults, isRead: false };
    const own = await session.prepareStatement!(plan);
    const call = () => own.encode(batchWith(1));
    expect(await own.run(call()), method).toBeNull();
    expect((await own.answer(call(), 1)).read(), method).toMatchObject({ rows: [], count: null });
    expect(await own.show(call(), 9), method).toMatchObject({ rows: [], count: null });
  }
});
