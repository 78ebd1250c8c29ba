import type { RunningServer, ServerKind } from './process/server-kind.ts';
import { postgres } from './servers/postgres/postgres.ts';
import { joinSharedServer } from './shared-server.fixture.ts';
import { startKind } from './test-kind.fixture.ts';

/** A server for tests or benchmarks. */
export type TestServer = Pick<RunningServer, 'raw' | 'admin'> & AsyncDisposable;

/** A server of a test's own: for tests that change, kill or watch it. It is stopped and deleted when disposed. */
export const startTestServer = (kind: ServerKind = postgres): Promise<RunningServer> => startKind(kind);

/**
 * The server that all test files share, which ends with the run of the tests: for tests that have tables of their own
 * there and leave the rest of the server as it is. Outside of Vitest: a server of one's own.
 */
export async function sharedTestServer(kind: ServerKind = postgres): Promise<TestServer> {
  const folder = process.env.DYNO_TEST_SERVERS; // shared-servers.setup.mjs
  if (folder === undefined) return startKind(kind);
  return { ...(await joinSharedServer(kind, folder)), [Symbol.asyncDispose]: async () => {} };
}

/** The variable that names a server for tests: DYNO_TEST_POSTGRES=postgres://user:password@host:port/database. */
export const givenUrl = (engine: string): string | undefined => process.env[`DYNO_TEST_${engine.toUpperCase()}`];

/** The server that the engine's variable names, or the one that all test files share. */
export async function givenOrTestServer(kind: ServerKind = postgres): Promise<TestServer> {
  const url = givenUrl(kind.engine);
  return url ? { raw: { url }, admin: { url }, [Symbol.asyncDispose]: async () => {} } : sharedTestServer(kind);
}
