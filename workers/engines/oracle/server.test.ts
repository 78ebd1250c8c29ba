import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as anyTest, expect } from 'vitest';
import { startKind } from '#managed-servers/test-kind.fixture.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { listening } from '#platform/listening.fixture.ts';
import { smokeOf, whole } from '#platform/whole.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { batchWith, ids, openWithTable, prepareOwn, idTable as table } from '../shared/test-table.fixture.ts';
import { config } from './config.ts';
import { oracleEmulator } from './emulator/oracle-emulator.fixture.ts';
import { engine } from './engine.ts';

/**
 * Faults, on an emulator of the tests' own that they may kill. What only Oracle itself shows is in errors.test.ts,
 * probe.test.ts and schema/tables.test.ts.
 */
const missing = await oracleEmulator.missing();
if (missing) console.log(`SKIPPED: ${missing.what} ${missing.fix}`);
const test = anyTest.skipIf(isSkipped('oracle') || missing !== null);
const longTest = anyTest.skipIf(isSkipped('oracle') || missing !== null || !whole);

let server: Awaited<ReturnType<typeof startKind>>;
const signal = new AbortController().signal;
const tag = `dyno-server-test-${process.pid}`;

beforeTests(async (opened) => {
  server = opened.use(await startKind(oracleEmulator));
});

const open = (more: Record<string, unknown> = {}, raw = server.raw) =>
  engine.open(config.parse({ ...raw, ...more }), tag, signal);
const failure = failureOf(engine);

test('a wrong password is distinguished from a wrong host, a silent one and one without TLS, and never repeated', async () => {
  const canary = 'c4nary-s3cret';
  await using silent = await listening();
  const { port } = silent;
  const errors = await Promise.all([
    failure(open({ password: canary })),
    failure(open({ password: canary, port: 1 })),
    failure(open({ password: canary, host: 'no.such.host.invalid' })),
    failure(open({ password: canary, port, connectTimeoutMs: 900 })),
    failure(open({ password: canary, port, connectTimeoutMs: 900, protocol: 'tcps' })),
    failure(open({ password: canary, protocol: 'tcps', walletLocation: '/nonexistent', walletPassword: canary })),
  ]);
  expect(errors.map((error) => error?.kind)).toEqual([
    'authentication',
    'unreachable',
    'unreachable',
    'unreachable',
    'unreachable',
    // Dyno reads the wallet itself, before it connects.
    'badInput',
  ]);
  expect(errors[4]?.hint).toContain('plain TCP');
  for (const error of errors) expect(error?.hint).toBeTruthy();
  expect(JSON.stringify(errors)).not.toContain(canary);
}, 30_000);

test('an attempt to connect is given up when told to', async () => {
  const stop = new AbortController();
  const attempt = failure(engine.open(config.parse({ ...server.raw }), tag, stop.signal));
  stop.abort();
  expect((await attempt)?.kind).toBe('cancelled');
});

test('probes count commits and round trips of this run, and name what is not granted', async () => {
  await using database = await openWithTable(open());
  const before = await database.probe();
  const session = await database.openSession({});
  const insert = await session.prepare({ table, operation: 'insert', method: 'prepared', settings: defaultSettings });
  for (let id = 0; id < 50; id++) await insert.run(insert.encode(ids(id, 1)));
  const during = await database.probe();
  expect(during.counters.run_roundtrips! - before.counters.run_roundtrips!).toBeGreaterThanOrEqual(50);
  expect(during.gauges.sessions! - before.gauges.sessions!).toBe(1);
  await session[Symbol.asyncDispose]();
  // PostgreSQL's sessions report their commits late, and at their end at last.
  const commits = async () => (await database.probe()).counters.user_commits! - before.counters.user_commits!;
  await expect.poll(commits, { timeout: 5_000 }).toBeGreaterThanOrEqual(50);
  const after = await database.probe();
  expect(after.counters.run_roundtrips).toBeGreaterThanOrEqual(during.counters.run_roundtrips!);
  expect(Object.keys(after.counters)).toEqual(Object.keys(before.counters));
  expect(after.unavailable.join()).toContain('GRANT SELECT ON SYS.V_$SYSTEM_EVENT TO DYNO');
  expect((await database.storedBytes(table))?.tableBytes).toBeGreaterThan(0);
});

test('the calls of a pipeline succeed and fail one by one', async () => {
  await using database = await openWithTable(open());
  await using session = await database.openSession({});
  const insert = await session.prepare({ table, operation: 'insert', method: 'pipelined', settings: defaultSettings });
  const calls = Array.from({ length: 40 }, (_, id) => insert.encode(ids(id, 1)));
  const answers = await Promise.all(calls.map((call) => insert.run(call)));
  expect(answers.every((rows) => rows === 1)).toBe(true);
  const mixed = [insert.encode(ids(100, 1)), insert.encode(ids(0, 1)), insert.encode(ids(101, 1))];
  const settled = await Promise.allSettled(mixed.map(async (call) => insert.run(call)));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect((await database.checksum(table))?.rows).toBe(42);
});

test('an array that fails outside a transaction leaves none of its rows', async () => {
  await using database = await openWithTable(open());
  await using session = await database.openSession({});
  const insert = await session.prepare({ table, operation: 'insert', method: 'arrayBind', settings: defaultSettings });
  await insert.run(insert.encode(ids(5, 1)));
  expect(await failure(Promise.resolve(insert.run(insert.encode(ids(0, 10)))))).toMatchObject({
    kind: 'uniqueViolation',
  });
  expect(await insert.run(insert.encode(ids(50, 10)))).toBe(10);
  expect((await database.checksum(table))?.rows).toBe(11);
});

test('what the emulator lacks is refused as such, not answered by something else', async () => {
  await using database = await openWithTable(open());
  await using session = await database.openSession({});
  const prepare = (method: 'bulk' | 'serverLoop', options: TablePlan['options'] = {}) =>
    failure(session.prepare({ table: { ...table, options }, operation: 'insert', method, settings: defaultSettings }));
  expect(await prepare('bulk')).toMatchObject({ kind: 'unsupported', message: expect.stringContaining('emulator') });
  expect(await prepare('serverLoop', { serverLoop: 'forall' })).toMatchObject({ kind: 'unsupported' });
  expect(await failure(database.emptyCache!())).toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('no buffer cache of its own'),
  });
  const { emulator, product } = await database.fingerprint();
  expect(emulator).toMatch(/^seerdb mirror over PostgreSQL \d+$/);
  expect(product).toContain('emulator');
});

test('a loop at the server inserts its rows, committed by each call or by each turn', async () => {
  for (const loopCommit of ['perCall', 'perTurn']) {
    const own = { ...table, options: { loopCommit } };
    await using database = await openWithTable(open(), own);
    await using session = await database.openSession(own.options);
    const settings = { ...defaultSettings, method: 'serverLoop' } as const;
    const insert = await session.prepare({ table: own, operation: 'insert', method: 'serverLoop', settings });
    expect(await insert.run(insert.encode(batchWith(20)))).toBe(20);
    expect((await database.checksum(own))?.rows).toBe(20);
  }
});

test('statements of one’s own name columns without quotes', async () => {
  await using database = await openWithTable(open());
  await using session = await database.openSession({});
  const prepare = (text: string, isRead: boolean) =>
    prepareOwn(session, text, 'prepared', { parameters: [...table.columns], tables: { table }, isRead });
  const insert = await prepare('INSERT INTO {table} (id) VALUES (:id)', false);
  expect(await insert.run(insert.encode(ids(7, 1)))).toBe(1);
  const select = await prepare("SELECT Id, 'id' AS told, COUNT(*) AS n FROM {table} WHERE id = :id GROUP BY ID", true);
  expect((await select.show(select.encode(ids(7, 1)), 1)).rows).toEqual([['7', 'id', '1']]);
});

test('INSERT ALL says how many rows fit', async () => {
  await using database = await open();
  await using session = await database.openSession({});
  const prepare = (rowsPerCall: number) =>
    failure(
      session.prepare({
        table: { ...table, options: { multiRow: 'insertAll' } },
        operation: 'insert',
        method: 'multiRow',
        settings: { ...defaultSettings, rowsPerCall },
      }),
    );
  expect(await prepare(999)).toBeNull();
  expect(await prepare(1_000)).toMatchObject({ kind: 'limit', hint: expect.stringContaining('999') });
});

const killed = [
  ['a load', 'load'],
  ['a call', 'measure'],
  ['a checksum after the clock', 'drain'],
] as const;
test.each(smokeOf(killed))(
  'a server killed during %s is reported as serverGone, and another goes on',
  async (_, phase) => {
    await using doomed = await startKind(oracleEmulator);
    const database = await open({}, doomed.raw);
    const session = await database.openSession({});
    await using other = await open();
    await database.prepareSchema(table);
    const kill = () => process.kill(doomed.pid, 'SIGKILL');
    const insert = await session.prepare({
      table,
      operation: 'insert',
      method: 'serverLoop',
      settings: defaultSettings,
    });
    function* batches() {
      for (let from = 0; from < 1_000_000; from += 500) {
        if (from === 1_000) kill();
        yield ids(from, 500);
      }
    }
    const running =
      phase === 'load'
        ? database.load(table, batches(), () => {}, signal)
        : phase === 'measure'
          ? Promise.resolve(insert.run(insert.encode(batchWith(1_000_000))))
          : (async () => {
              await doomed.gone;
              return database.checksum(table);
            })();
    if (phase !== 'load') setTimeout(kill, 200);
    expect(await failure(running)).toMatchObject({ kind: 'serverGone' });
    // Nothing of it hangs: a new session is refused, the old ones close.
    expect((await failure(database.openSession({})))?.kind).toBe('unreachable');
    await session[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
    await other.ping();
  },
  60_000,
);

longTest(
  'when the emulator’s mirror or its PostgreSQL dies, the other one ends, too',
  async () => {
    const postgresPid = (dataFolder: string): number | null => {
      const file = join(dataFolder, 'postmaster.pid');
      return existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : null;
    };
    await using first = await startKind(oracleEmulator);
    process.kill(first.pid, 'SIGKILL');
    await expect.poll(() => postgresPid(first.dataFolder), { timeout: 20_000 }).toBeNull();
    await using second = await startKind(oracleEmulator);
    process.kill(postgresPid(second.dataFolder) ?? 0, 'SIGKILL');
    await second.gone;
    const alive = async () => (await failure(open({}, second.raw)))?.code;
    await expect.poll(alive, { timeout: 20_000 }).toBe('NJS-503');
  },
  60_000,
);
