import type { AddressInfo } from 'node:net';
import mysql2 from 'mysql2';
import type mysql from 'mysql2/promise';
import { beforeEach, describe, expect, it } from 'vitest';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { isSkipped } from '../conformance/skipped.ts';
import { failureOf } from '../shared/failure.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';
import { adminOf } from './test-server.fixture.ts';

const failure = failureOf(engine);

/** Members of mysql2 that its types leave out. */
interface Client {
  /** The sequence number of the next packet; each command begins with 0. */
  sequenceId: number;
  serverHandshake(greeting: Readonly<Record<string, unknown>>): void;
  on(event: 'query' | 'stmt_prepare', listener: (sql: string) => void): void;
  on(event: 'error', listener: () => void): void;
  writeColumns(columns: readonly object[]): void;
  writeTextRow(row: readonly unknown[]): void;
  writeEof(): void;
  writeOk(): void;
  writeError(error: { readonly code: number; readonly message: string }): void;
}

interface Proxy extends AsyncDisposable {
  readonly port: number;
  /** Texts that the server has been sent. */
  readonly asked: readonly string[];
}

/** Likewise: it listens on a socket of Node's. */
interface Listener {
  on(event: 'connection', listener: (client: Client) => void): void;
  listen(port: number, host: string, backlog: undefined, done: () => void): void;
  close(): void;
  readonly _server: { address(): AddressInfo };
}

/**
 * A proxy that greets with numbers of its own, as ProxySQL, MaxScale and RDS Proxy do. `backendOf`: the connection to
 * the server that answers a client's next text.
 */
async function startProxy(
  backendOf: (client: object) => mysql.Connection,
  answers: Readonly<Record<string, string>> = {},
): Promise<Proxy> {
  const asked: string[] = [];
  let greeted = 1_000_000;
  const server = (mysql2 as unknown as { createServer(): Listener }).createServer();
  server.on('connection', (client) => {
    client.serverHandshake({
      ...{ protocolVersion: 10, serverVersion: '8.0.30', connectionId: greeted++, statusFlags: 2 },
      ...{ characterSet: 45, capabilityFlags: 0x81_a2_08 },
      authCallback: (_: unknown, done: (error: null) => void) => {
        done(null);
        client.sequenceId = 0;
      },
    });
    client.on('error', () => {});
    const tell = (names: readonly string[], rows: readonly (readonly unknown[])[]) => {
      client.writeColumns(
        names.map((name) => ({
          ...{ catalog: 'def', schema: '', table: '', orgTable: '', name, orgName: name },
          ...{ characterSet: 45, columnLength: 255, columnType: 253, flags: 0, decimals: 0 },
        })),
      );
      for (const row of rows) client.writeTextRow(row);
      client.writeEof();
    };
    const answer = async (sql: string) => {
      using after = new DisposableStack();
      after.defer(() => {
        client.sequenceId = 0;
      });
      client.sequenceId = 1;
      const own = answers[sql.toLowerCase()];
      if (own !== undefined) return tell(['answer'], [[own]]);
      asked.push(sql);
      try {
        const [rows, fields] = await backendOf(client).query({ sql, rowsAsArray: true });
        if (!Array.isArray(rows)) return client.writeOk();
        const names = fields.map(({ name }) => name);
        tell(
          names,
          (rows as unknown[][]).map((row) => row.map((value) => (value === null ? null : String(value)))),
        );
      } catch (error) {
        const { errno = 1_064, message } = error as Error & { readonly errno?: number };
        client.writeError({ code: errno, message });
      }
    };
    // mysql2 takes a text that begins with SET for one to prepare.
    for (const event of ['query', 'stmt_prepare'] as const) client.on(event, (sql) => void answer(sql));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', undefined, resolve));
  const { port } = server._server.address();
  return {
    port,
    asked,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

describe.skipIf(isSkipped('mysql'))('behind a proxy', () => {
  let server: TestServer;
  const backends: mysql.Connection[] = [];
  beforeTests(async (opened) => {
    server = opened.use(await startTestServer(mariadb));
    for (let i = 0; i < 4; i++) {
      const backend = await adminOf(server.admin);
      opened.defer(() => backend.end());
      backends.push(backend);
    }
  });
  const open = (port: number) =>
    engine.open(config.parse({ host: '127.0.0.1', port, user: 'x' }), 'dyno-proxy', new AbortController().signal);
  const stateOf = async (backend: mysql.Connection) =>
    JSON.stringify(
      (
        await backend.query(
          "SHOW SESSION VARIABLES WHERE Variable_name NOT IN ('timestamp', 'last_gtid', 'pseudo_thread_id', 'rand_seed1', 'rand_seed2')",
        )
      )[0],
    );
  /** Each client gets a connection to the server for itself. */
  const forItself = () => {
    const taken = new Map<object, mysql.Connection>();
    return (client: object) => {
      const mine = taken.get(client) ?? backends[taken.size]!;
      taken.set(client, mine);
      return mine;
    };
  };
  let before: readonly string[];
  beforeEach(async () => {
    before = await Promise.all(backends.map(stateOf));
  });

  it('a server of its own is not called a proxy', async () => {
    await using database = await engine.open(config.parse(server.raw), 'dyno-proxy', new AbortController().signal);
    expect((await database.fingerprint()).pooler).toBeUndefined();
    expect(await database.sessionsOf!('dyno-proxy', 'everybody')).toBe(0);
  });

  it('a pool that shares connections by transaction is refused before anything is set', async () => {
    let turn = 0;
    for (const backendOf of [() => backends[0]!, () => backends[turn++ % 3]!]) {
      await using proxy = await startProxy(backendOf);
      expect(await failure(open(proxy.port))).toMatchObject({
        kind: 'unsupported',
        message: expect.stringContaining('shares the server’s connections by transaction'),
      });
      expect(proxy.asked.filter((sql) => !/^select/i.test(sql))).toEqual([]);
    }
    expect(await Promise.all(backends.map(stateOf))).toEqual(before);
  });

  it.each([
    [{}, undefined],
    [{ 'select @@version_comment limit 1': '(ProxySQL)' }, 'ProxySQL'],
  ])('a proxy with a connection for each session is named, and no lock is taken there', async (answers, name) => {
    await using proxy = await startProxy(forItself(), answers as Readonly<Record<string, string>>);
    await using database = await open(proxy.port);
    const { pooler } = await database.fingerprint();
    expect(pooler).toEqual({ ...(name && { name }), shares: 'sessions', keepsStatements: true });
    expect(await database.sessionsOf!('dyno-proxy', 'everybody')).toBeNull();
    expect(proxy.asked.filter((sql) => /GET_LOCK/.test(sql))).toEqual([]);
  });
});
