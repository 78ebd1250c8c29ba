import { beforeEach } from 'vitest';
import { DynoError } from '#model/error.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import type { StartTestServer, TestServer } from './test-server.ts';

/** The export of the engine's `test-server.fixture.ts`. */
export const serverOf =
  (id: string): StartTestServer =>
  async (folder) => {
    const fixture = (await import(`../${id}/test-server.fixture.ts`)) as { readonly startTestServer: StartTestServer };
    return fixture.startTestServer(folder);
  };

/** Does with a server what the tests of a `describe` need; whatever it opens is closed after them. */
type WithServer = (server: TestServer, opened: AsyncDisposableStack) => Promise<void>;

/** Starts a server for the tests of this `describe`, and stops it after them. */
export const startServer = (start: StartTestServer, started: WithServer): void =>
  withServer(async (opened) => opened.use(await start(temporaryFolder(opened))), started);

/**
 * Takes the server that `get` gives for the tests of this `describe`. If there is none here, the tests are skipped, and
 * say why.
 */
export function withServer(get: (opened: AsyncDisposableStack) => Promise<TestServer>, started: WithServer): void {
  let missing: string | null = null;
  beforeTests(async (opened) => {
    const server = await get(opened).catch((thrown: unknown) => {
      if (!(thrown instanceof DynoError && thrown.data.kind === 'unsupported')) throw thrown;
      missing = [thrown.message, thrown.data.hint].filter(Boolean).join(' ');
    });
    if (server) await started(server, opened);
  });
  beforeEach(({ skip }) => {
    if (missing !== null) skip(missing);
  });
}
