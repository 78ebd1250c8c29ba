import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicFolder } from './process/account.ts';
import type { RunningServer, ServerKind } from './process/server-kind.ts';

/** A server of this kind for one test file, without a supervisor; stopped and deleted when disposed. */
export const startKind = (kind: ServerKind): Promise<RunningServer> =>
  startInFolder((folder) => kind.start(folder, () => {}));

/** A server for one test file, of a kind with options for tests; `start` gets its folder. */
export async function startInFolder<S extends RunningServer>(start: (folder: string) => Promise<S>): Promise<S> {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-server-'));
  const clean = () => {
    for (const one of [publicFolder(folder), folder]) rmSync(one, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const server = await start(folder);
    return {
      ...server,
      async [Symbol.asyncDispose]() {
        await server.stop();
        clean();
      },
    };
  } catch (thrown) {
    clean();
    throw thrown;
  }
}
