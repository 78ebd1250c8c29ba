import { once } from 'node:events';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { listening } from '#platform/listening.fixture.ts';
import { failureOf } from '../../shared/failure.fixture.ts';
import { config, type SqlServerConfig } from '../config.ts';
import { close, connect } from '../connection/connect.ts';
import type { Server } from '../connection/server.ts';
import { toError } from '../errors.ts';
import { openPool } from '../mssql/pool.ts';
import { openMssqlSession } from '../mssql/session.ts';
import { sessionOptions } from '../options.ts';
import { commit, execute } from './request.ts';
import { done, errorToken, tdsServer } from './tds-server.fixture.ts';

const failure = failureOf({ toError });
const parsed = (port: number) =>
  config.parse({ host: '127.0.0.1', port, user: 'app', password: 'x', encrypt: 'false' }) as SqlServerConfig;
const opened = (port: number) => connect(parsed(port), 'dyno-test', sessionOptions({}));
const hungUp = { kind: 'serverGone', message: 'The connection to the server was lost (socket hang up).' };

test('a connection that was cut between two calls says so with every call', async () => {
  await using server = await tdsServer();
  const connection = await opened(server.port);
  const lost = once(connection, 'end');
  server.hangUp();
  await lost;
  expect(await failure(execute(connection, 'SELECT 1'))).toMatchObject(hungUp);
  expect(await failure(commit(connection))).toMatchObject(hungUp);
  await close(connection);
});

test('what the server said when it ended the session is not replaced by what follows from it', async () => {
  const words = 'Cannot continue the execution because the session is in the kill state.';
  const killed = { kind: 'serverGone', code: '596', message: words, hint: expect.stringContaining('administrator') };
  await using server = await tdsServer((body) =>
    body.includes(Buffer.from('WAITFOR', 'utf16le'))
      ? { tokens: errorToken(596, 21, words), hangUp: true }
      : { tokens: done(null) },
  );
  const connection = await opened(server.port);
  expect(await failure(execute(connection, "WAITFOR DELAY '1'"))).toMatchObject(killed);
  expect(await failure(execute(connection, 'SELECT 1'))).toMatchObject(killed);
  await close(connection);
});

test('so does a session over the pool of mssql, which would open another connection', async () => {
  await using server = await tdsServer();
  const pool = await openPool(parsed(server.port), 'dyno-test', sessionOptions({}));
  await using session = openMssqlSession(pool, { emulator: null } as Server);
  const lost = once(pool.connection, 'end');
  server.hangUp();
  await lost;
  expect(await failure(Promise.resolve(session.begin()))).toMatchObject(hungUp);
  expect(await failure(Promise.resolve(session.begin()))).toMatchObject(hungUp);
});

/** A server before 2022 does not know the TLS record with which TDS 8.0 begins: it hangs up, or resets. */
test.each([
  ['ends', (socket: Socket) => socket.end()],
  ['resets', (socket: Socket) => socket.resetAndDestroy()],
] as const)(
  'encrypt: strict on an older server, which %s the connection, is told by the versions',
  async (_what, refuse) => {
    const sockets: Socket[] = [];
    await using older = await listening((socket) => {
      sockets.push(socket);
      socket.on('error', () => {});
      socket.once('data', () => refuse(socket));
    });
    const strict = { ...parsed(older.port), encrypt: 'strict' } as SqlServerConfig;
    expect(await failure(connect(strict, 'dyno-test', sessionOptions({})))).toMatchObject({
      kind: 'tls',
      hint: expect.stringMatching(/SQL Server 2022.*encrypt: true/),
    });
    expect(sockets.length).toBeGreaterThan(0);
  },
);
