import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeOf } from '../paths.ts';
import { holdEmbeddedPostgres, resetLab, stopLab } from './lab.ts';

/** An embedded PostgreSQL of a test's or benchmark's own; stopped and deleted when disposed. `raw` is a target's configuration. */
export interface TestServer extends AsyncDisposable {
  readonly raw: Record<string, unknown>;
}

export async function startTestServer(): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-postgres-'));
  const home = homeOf({ DYNO_HOME: folder });
  const held = await holdEmbeddedPostgres(home);
  return {
    raw: { ...held.address },
    async [Symbol.asyncDispose]() {
      await held[Symbol.asyncDispose]();
      await stopLab(home);
      await resetLab(home); // as root its data is outside of the home
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The server that DYNO_TEST_POSTGRES names (postgres://user:password@host:port/database), or one of our own. */
export async function givenOrTestServer(): Promise<TestServer> {
  const url = process.env.DYNO_TEST_POSTGRES;
  return url ? { raw: { url }, [Symbol.asyncDispose]: async () => {} } : startTestServer();
}
