import { expect, test } from 'vitest';
import type { Engine } from '#engine-api/engine.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { RunningServer } from '#managed-servers/process/server-kind.ts';
import type { Options } from '#model/settings/options.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName, TableOperation } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { batches, expectedChecksum, keyBatch, makeRows, noParameters, table, toBatch } from '../conformance/rows.ts';
import { failureOf } from './failure.fixture.ts';
import { prepareOwn } from './test-table.fixture.ts';

type Own = readonly [text: string, method: MethodName];

interface SocketServer {
  readonly start: () => Promise<RunningServer>;
  /** A target's configuration by the server's socket, or by one that is not there. */
  readonly target: (server: RunningServer, which: 'there' | 'missing') => Readonly<Record<string, unknown>>;
  /** The file that is missing then, as the error names it. */
  readonly missing: (server: RunningServer) => string;
  /** Every way to the socket has these options. */
  readonly ways: readonly Options[];
  readonly inserts: readonly MethodName[];
  /** A statement that finds one row over a socket alone, and one that takes a minute. */
  readonly onSocket: Own;
  readonly slow: Own;
}

/** Tests an engine on a server's Unix socket. */
export function testUnixSocket(engine: Engine, on: SocketServer): void {
  const { descriptor } = engine;
  const signal = new AbortController().signal;
  const failure = failureOf(engine);
  let server: RunningServer;
  beforeTests(async (opened) => {
    server = opened.use(await on.start());
  });
  const open = (which: 'there' | 'missing' = 'there') => engine.open(on.target(server, which), 'dyno-socket', signal);

  test.each(on.ways)('reads, writes and sends rows by every method over a socket: %j', async (way) => {
    await using database = await open();
    const options = { ...optionsFor(descriptor, defaultSettings), ...way };
    const own = { ...table(`dyno_s${process.pid}`), options };
    await database.prepareSchema(own);
    try {
      const rows = makeRows(0, 300);
      await database.load(own, batches(rows.slice(0, 100), 50), () => {}, signal);
      await using session = await database.openSession(options);
      const prepare = (operation: TableOperation, method: MethodName) =>
        session.prepare({ table: own, operation, method, settings: { ...defaultSettings, operation, method } });
      let next = 100;
      for (const method of on.inserts) {
        const insert = await prepare('insert', method);
        for (let i = 0; i < 3; i++) expect(await insert.run(insert.encode(toBatch(rows.slice(next, ++next))))).toBe(1);
      }
      const read = await prepare('readByKey', 'prepared');
      expect(await read.run(read.encode(keyBatch(rows.slice(0, 1))))).toBe(1);
      expect(await database.checksum(own)).toEqual(expectedChecksum(rows.slice(0, next), descriptor.emptyIsNull));
      const { sent = 0, received = 0 } = session.wireBytes() ?? {};
      expect(sent).toBeGreaterThan(0);
      expect(received).toBeGreaterThan(0);
      const where = await prepareOwn(session, ...on.onSocket);
      expect(await where.run(where.encode(noParameters))).toBe(1);
    } finally {
      await database.drop(own);
    }
  });

  test('stops a running statement over another connection to the socket', async () => {
    await using database = await open();
    await using session = await database.openSession(optionsFor(descriptor, defaultSettings));
    const sleep = await prepareOwn(session, ...on.slow);
    const running = failure(Promise.resolve(sleep.run(sleep.encode(noParameters))));
    await new Promise((resolve) => setTimeout(resolve, 200));
    await session.cancel();
    expect(await running).toMatchObject({ kind: 'cancelled' });
  });

  test('names the socket that is not there', async () => {
    expect(await failure(open('missing'))).toMatchObject({
      kind: 'unreachable',
      message: expect.stringContaining(on.missing(server)),
    });
  });
}
