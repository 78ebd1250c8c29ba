import type { RunningServer, ServerKind } from './process/server-kind.ts';
import { postgres } from './servers/postgres/postgres.ts';
import { startKind } from './test-kind.fixture.ts';

/** A server of a test's or benchmark's own, or a given one; what is its own is stopped and deleted when disposed. */
export type TestServer = Pick<RunningServer, 'raw' | 'admin'> & AsyncDisposable;

export const startTestServer = (kind: ServerKind = postgres): Promise<RunningServer> => startKind(kind);

/** The variable that names a server for tests: DYNO_TEST_POSTGRES=postgres://user:password@host:port/database. */
export const givenUrl = (engine: string): string | undefined => process.env[`DYNO_TEST_${engine.toUpperCase()}`];

/** The server that the engine's variable names, or one of our own. */
export async function givenOrTestServer(kind: ServerKind = postgres): Promise<TestServer> {
  const url = givenUrl(kind.engine);
  return url ? { raw: { url }, admin: { url }, [Symbol.asyncDispose]: async () => {} } : startTestServer(kind);
}
