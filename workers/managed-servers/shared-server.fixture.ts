import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ErrorData, fromErrorData } from '#model/error.ts';
import type { RunningServer, ServerKind } from './process/server-kind.ts';

/** How to reach a server of all test files, or the reason why it could not be started. */
export type SharedServer = Pick<RunningServer, 'raw' | 'admin'> | { readonly error: ErrorData };

const program = fileURLToPath(new URL('./shared-server-process.fixture.ts', import.meta.url));
/** A new RavenDB takes the longest, on a machine that starts several servers. */
const startWithinMs = 170_000;

/** The server of this kind that all test files share. The first file that asks has it started, the others wait. */
export async function joinSharedServer(
  kind: ServerKind,
  folder: string,
): Promise<Pick<RunningServer, 'raw' | 'admin'>> {
  if (isFirst(join(folder, kind.id))) {
    const log = openSync(join(folder, `${kind.id}.log`), 'a');
    const args = [program, kind.id, folder, String(process.ppid)];
    spawn(process.execPath, args, { detached: true, stdio: ['ignore', log, log] }).unref();
    closeSync(log);
  }
  for (const end = performance.now() + startWithinMs; performance.now() < end; await sleep(50)) {
    const started = readStarted(join(folder, `${kind.id}.json`));
    if (started && 'error' in started) throw fromErrorData(started.error);
    if (started) return started;
  }
  throw new Error(`${kind.label} did not start: ${readFileSync(join(folder, `${kind.id}.log`), 'utf8')}`);
}

function isFirst(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch {
    return false;
  }
}

function readStarted(file: string): SharedServer | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SharedServer;
  } catch {
    return null;
  }
}
