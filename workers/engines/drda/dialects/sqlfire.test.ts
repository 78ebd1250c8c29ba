import { test as anyTest, expect } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import { snappydata } from '#managed-servers/servers/snappydata.ts';
import { sharedTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { isWriteConflict } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { isSkipped } from '../../conformance/skipped.ts';
import { failureOf } from '../../shared/failure.fixture.ts';
import { config, type DrdaConfig } from '../config.ts';
import { connect } from '../connection/connect.ts';
import { one, query, run } from '../connection/query.ts';
import { engine } from '../engine.ts';
import {
  callOnce,
  defaults,
  keysOf,
  loadRows,
  planOf,
  range,
  rowStoreOf,
  rowsOf,
  tableOf,
} from '../test-tables.fixture.ts';

/**
 * These tests are about features that only SQLFire's family has. Only `npm run test:long` starts a snappydata-store of
 * the tests' own, which has a second user.
 */
const test = anyTest.skipIf(isSkipped('local-snappydata'));
const longTest = anyTest.skipIf(isSkipped('local-snappydata') || !whole);
const signal = new AbortController().signal;
const canary = 'c4nary-s3cret';
const table = tableOf('dyno_family_test');
const failure = failureOf(engine);
let server: TestServer;

beforeTests(async (opened) => {
  server = opened.use(await (whole ? rowStoreOf({ users: { limited: canary } }) : sharedTestServer(snappydata)));
});

const open = (more: Record<string, unknown> = {}) =>
  engine.open(config.parse({ ...server.raw, ...more }), 'dyno-test', signal);
const admin = () => connect(config.parse(server.raw) as DrdaConfig, 'test-admin');

async function withTable(use: (database: Database) => Promise<void>, options: Options = {}): Promise<void> {
  await using database = await open();
  await database.prepareSchema(tableOf(table.name, options));
  try {
    await use(database);
  } finally {
    await database.drop(table);
  }
}

test('it is known for what it is, though it calls itself Apache Derby', async () => {
  await using database = await open();
  const { product, durability, memory, other, unavailable } = await database.fingerprint();
  expect(product).toMatch(/^snappydata-store \d/);
  expect(durability['default isolation']).toContain('a rollback undoes nothing');
  expect(memory).toMatchObject({ 'critical heap': '90 %', 'eviction heap': '80 %' });
  expect(other['not shown by SQL']).toContain('JMX');
  expect(unavailable).toEqual([]);
});

longTest('no error repeats a password, and a user may see the members’ settings without their secrets', async () => {
  const errors = await Promise.all([
    failure(open({ password: canary })),
    failure(open({ user: 'limited', password: canary, ssl: 'require' })),
  ]);
  expect(errors.map((error) => error?.kind)).toEqual(['authentication', 'tls']);
  await using database = await open({ user: 'limited', password: canary });
  const seen = JSON.stringify([errors, await database.fingerprint(), await database.probe()]);
  expect(seen).not.toContain(canary);
  expect(seen).not.toContain(String(server.raw.password));
});

longTest('a user without rights is told which one is missing', async () => {
  await withTable(async () => {
    await using database = await open({ user: 'limited', password: canary });
    const error = await failure(database.checksum(table));
    expect(error).toMatchObject({ kind: 'permission', code: '42502', hint: expect.stringContaining('dyno grants') });
    expect(error?.message).toMatch(/^LIMITED has no right to SELECT/);
  });
});

test('by default a rollback undoes what a transaction did, as it sets CS', async () => {
  await withTable(async (database) => {
    await using session = await database.openSession(defaults);
    await session.begin();
    await callOnce(session, planOf(table, 'insert', 'prepared', { callsPerCommit: 10 }), rowsOf([1]));
    await session.rollback();
    expect((await database.checksum(table))?.rows).toBe(0);
  });
});

test('of two transactions that change one row the later one is refused at once, and succeeds when tried again', async () => {
  await withTable(async (database) => {
    await loadRows(database, table, [1]);
    await using first = await database.openSession(defaults);
    await using second = await database.openSession(defaults);
    const update = planOf(table, 'update', 'prepared', { callsPerCommit: 2 });
    await first.begin();
    await second.begin();
    await callOnce(first, update, rowsOf([1], 'first'));
    const error = await failure(callOnce(second, update, rowsOf([1], 'second')));
    expect(error).toMatchObject({ kind: 'serialization', code: 'X0Z02', retryable: true });
    expect(isWriteConflict(error!)).toBe(true);
    await second.rollback();
    await first.commit();
    await second.begin();
    expect(await callOnce(second, update, rowsOf([1], 'second'))).toBe(1);
    await second.commit();
  });
});

test.each([
  [{}, 'REPLICATE'],
  [{ distribution: 'replicate' }, 'REPLICATE'],
  [{ distribution: 'partitionByKey', buckets: 7 }, /^PARTITION.*totalNumBuckets=7.*PARTITION BY PRIMARY KEY/],
  [{ distribution: 'partitionByKey', redundancy: 1 }, /redundantCopies=1/],
  [{ distribution: 'partitionByColumn' }, /PARTITION BY COLUMN \(TEXT\)/],
  [
    { distribution: 'partitionByKey', eviction: 'lruCount', evictionCount: 50, evictionAction: 'destroy' },
    /lru-entry-count; action=local-destroy; maximum=50/,
  ],
] as const)('a table of %j is kept so', async (options, expected) => {
  await withTable(async (database) => {
    const boss = await admin();
    const [row = []] = await query(
      boss,
      'SELECT DATAPOLICY, PARTITIONATTRS, EVICTIONATTRS, RESOLVER FROM SYS.SYSTABLES WHERE TABLENAME = ?',
      ['DYNO_FAMILY_TEST'],
    );
    expect(row.map((value) => value ?? '').join(' ')).toMatch(expected);
    await boss.close();
    await loadRows(database, table, range(0, 20));
    await using session = await database.openSession(defaults);
    expect(await callOnce(session, planOf(table, 'readByKey', 'prepared'), keysOf([7]))).toBe(1);
  }, options);
});

test('a row cannot move to another partition: where updates change the only column to partition by, the cell is empty', async () => {
  await withTable(
    async (database) => {
      await using session = await database.openSession(defaults);
      const error = await failure(session.prepare(planOf(table, 'update', 'prepared')));
      expect(error).toMatchObject({ kind: 'unsupported', code: '0A000' });
      expect(error?.message).toContain('partition');
    },
    { distribution: 'partitionByColumn' },
  );
});

test('a table is kept beside another one of the same partitions', async () => {
  const other = tableOf('dyno_family_other', { distribution: 'partitionByKey', buckets: 11 });
  await using database = await open();
  await database.prepareSchema(other);
  const beside = tableOf(table.name, {
    distribution: 'partitionByKey',
    buckets: 11,
    colocateWith: 'dyno.dyno_family_other',
  });
  await database.prepareSchema(beside);
  const boss = await admin();
  expect(
    await one(boss, 'SELECT PARTITIONATTRS FROM SYS.SYSTABLES WHERE TABLENAME = ?', ['DYNO_FAMILY_TEST']),
  ).toContain('colocatedWith=/DYNO/DYNO_FAMILY_OTHER');
  await boss.close();
  expect([...(await database.dropLeftovers('dyno_family_')).dropped].sort()).toEqual([
    'dyno_family_other',
    'dyno_family_test',
  ]);
});

test.each([
  [{ persistent: 'sync' }, /PERSISTENT_REPLICATE/],
  [{ persistent: 'async', distribution: 'partitionByKey' }, /^PERSISTENT_PARTITION/],
  [
    { distribution: 'partitionByKey', buckets: 1, eviction: 'lruCount', evictionCount: 5 },
    /lru-entry-count; action=overflow-to-disk; maximum=5/,
  ],
  [{ eviction: 'lruHeap' }, /lru-heap-percentage; action=overflow-to-disk/],
] as const)('rows of a table of %j are all found, in memory or on disk', async (options, expected) => {
  await withTable(async (database) => {
    const boss = await admin();
    const [row = []] = await query(boss, 'SELECT DATAPOLICY, EVICTIONATTRS FROM SYS.SYSTABLES WHERE TABLENAME = ?', [
      'DYNO_FAMILY_TEST',
    ]);
    expect(row.map((value) => value ?? '').join(' ')).toMatch(expected);
    await loadRows(database, table, range(0, 40));
    const rows = 'SELECT NUM_ROWS FROM SYS.MEMORYANALYTICS WHERE TABLE_NAME = ? AND INDEX_NAME IS NULL';
    expect(Number(await one(boss, rows, ['DYNO.DYNO_FAMILY_TEST']))).toBe(40);
    await boss.close();
    await using session = await database.openSession(defaults);
    const read = planOf(table, 'readByKey', 'multiRow', { rowsPerCall: 40 });
    expect(await callOnce(session, read, keysOf(range(0, 40)))).toBe(40);
    expect((await database.checksum(table))?.rows).toBe(40);
  }, options);
});

test('a server without a catalog on disk is not asked for a table on disk, at which it would end the connection', async () => {
  await using memory = await rowStoreOf({ properties: { 'persist-dd': 'false' } });
  await using database = await engine.open(config.parse(memory.raw), 'dyno-test', signal);
  for (const options of [{ persistent: 'sync' }, { distribution: 'partitionByKey', eviction: 'lruHeap' }] as const) {
    const error = await failure(database.prepareSchema(tableOf(table.name, options)));
    expect(error).toMatchObject({ kind: 'unsupported', message: expect.stringContaining('persist-dd=false') });
    await database.ping();
  }
});

test.each([
  [{ redundancy: 1 }, 'partitioned tables'],
  [{ buckets: 5, distribution: 'replicate' }, 'partitioned tables'],
  [{ eviction: 'lruCount', evictionAction: 'destroy' }, 'replicated'],
  [{ distribution: 'partitionByKey', colocateWith: 'a b' }, 'no table’s name'],
] as const)('%j is refused in words, and the connection goes on', async (options, words) => {
  await using database = await open();
  const error = await failure(database.prepareSchema(tableOf(table.name, options)));
  expect(error).toMatchObject({ kind: 'unsupported', message: expect.stringContaining(words) });
  await database.ping();
});

test('levels of isolation that only Derby has are refused before a session is opened', async () => {
  await using database = await open();
  expect(await failure(database.openSession(defaults, 'readUncommitted'))).toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('gives CS instead'),
  });
  expect(await failure(database.openSession(defaults, 'serializable'))).toMatchObject({ kind: 'unsupported' });
});

test('a table is not partitioned by a column with nulls', async () => {
  await using database = await open();
  const nullable = tableOf(table.name, { distribution: 'partitionByColumn' });
  const columns = nullable.columns.map((column, c) => ({ ...column, nullable: c > 0 }));
  expect(await failure(database.prepareSchema({ ...nullable, columns }))).toMatchObject({
    kind: 'unsupported',
    message: expect.stringContaining('without nulls'),
  });
});

test('memory of a table is told, and grows with its rows', async () => {
  await withTable(async (database) => {
    const empty = await database.storedBytes(table);
    await loadRows(database, table, range(0, 1_000));
    const full = await database.storedBytes(table);
    expect(full?.medium).toBe('memory');
    const perRow = (full!.tableBytes - empty!.tableBytes) / 1_000;
    expect(perRow).toBeGreaterThan(20);
    expect(perRow).toBeLessThan(400);
  });
});

test('a load that fails leaves an empty table empty', async () => {
  await withTable(async (database) => {
    const batches = [rowsOf(range(0, 500)), rowsOf([700, 3])];
    expect(await failure(database.load(table, batches, () => {}, signal))).toMatchObject({ kind: 'uniqueViolation' });
    expect((await database.checksum(table))?.rows).toBe(0);
  });
});

longTest(
  'a server killed under a session is reported as gone',
  async () => {
    await using other = await rowStoreOf();
    const database = await engine.open(config.parse(other.raw), 'dyno-test', signal);
    await database.prepareSchema(table);
    const session = await database.openSession(defaults);
    const insert = await session.prepare(planOf(table, 'insert', 'prepared'));
    let written = 0;
    const writing = failure(
      (async () => {
        for (;;) written += await insert.run(insert.encode(rowsOf([written])));
      })(),
    );
    await expect.poll(() => written, { timeout: 20_000 }).toBeGreaterThan(10);
    process.kill(other.pid, 'SIGKILL');
    expect(await writing).toMatchObject({ kind: 'serverGone' });
    expect(await failure(database.ping())).toMatchObject({ kind: 'serverGone' });
    await session[Symbol.asyncDispose]();
    await database[Symbol.asyncDispose]();
  },
  60_000,
);

test('rows of others are left alone: a table without the mark is neither dropped nor changed', async () => {
  const boss = await admin();
  await run(boss, 'CREATE TABLE DYNO.DYNO_FAMILY_FOREIGN (X INTEGER CONSTRAINT SOMEBODYS PRIMARY KEY)');
  await using database = await open();
  expect(await failure(database.prepareSchema(tableOf('dyno_family_foreign')))).toMatchObject({ kind: 'notOurs' });
  expect((await database.dropLeftovers('dyno_family_')).dropped).toEqual([]);
  await run(boss, 'DROP TABLE DYNO.DYNO_FAMILY_FOREIGN');
  await boss.close();
});
