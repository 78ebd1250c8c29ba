import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicFolder } from './account.ts';
import type { RunningServer, ServerKind } from './server-kind.ts';

/** A server of this kind for one test file, without a keeper; stopped and deleted when disposed. */
export async function startKind(kind: ServerKind): Promise<RunningServer & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-lab-'));
  const clean = () => {
    for (const one of [publicFolder(folder), folder]) rmSync(one, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const server = await kind.start(folder, () => {});
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
