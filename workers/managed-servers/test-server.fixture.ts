import type { ServerKind } from './process/server-kind.ts';
import { postgres } from './servers/postgres/postgres.ts';
import { startKind } from './test-kind.fixture.ts';

/** A server of a test's or benchmark's own; stopped and deleted when disposed. `raw` is a target's configuration. */
export interface TestServer extends AsyncDisposable {
  readonly raw: Record<string, unknown>;
  /** The server's configuration with an administrator's rights. */
  readonly admin: Record<string, unknown>;
}

export async function startTestServer(kind: ServerKind = postgres): Promise<TestServer> {
  const server = await startKind(kind);
  return {
    raw: { ...server.raw },
    admin: { ...server.admin },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** The variable that names a server for tests: DYNO_TEST_POSTGRES=postgres://user:password@host:port/database. */
export const givenUrl = (engine: string): string | undefined => process.env[`DYNO_TEST_${engine.toUpperCase()}`];

/** The server that the engine's variable names, or one of our own. */
export async function givenOrTestServer(kind: ServerKind = postgres): Promise<TestServer> {
  const url = givenUrl(kind.engine);
  return url ? { raw: { url }, admin: { url }, [Symbol.asyncDispose]: async () => {} } : startTestServer(kind);
}
