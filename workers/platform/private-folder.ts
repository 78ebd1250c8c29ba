import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

/**
 * Makes a folder in the system's folder for temporary files that this user alone can read. The caller deletes it. A
 * process that was killed could not, so this function first deletes such folders of processes that are gone.
 * @param purpose the word in the folder's name: “advise”
 */
export function makePrivateFolder(purpose: string): string {
  // Containers with other processes may share the folder for temporary files: each has a host name of its own.
  const beginning = `dyno-${purpose}-${hostname()}-`;
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = (name.startsWith(beginning) && /^(\d+)-\w{6}$/.exec(name.slice(beginning.length))) || [];
    if (pid !== undefined && !isAlive(Number(pid))) removeOwn(join(tmpdir(), name));
  }
  return mkdtempSync(join(tmpdir(), `${beginning}${process.pid}-`));
}

function removeOwn(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It belongs to another user.
  }
}
