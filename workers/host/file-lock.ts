import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export interface FileLock extends Disposable {
  release(): void;
}

/**
 * Takes an exclusive lock that the operating system gives back when the process dies, however it dies: SQLite's lock on an
 * empty file. (Pid files need a guess whether the pid is still the same program; Node has no flock.) The file stays empty
 * and is never deleted, because deleting a lock file lets two owners in.
 * @returns null where another process (or this one) holds it.
 */
export function tryLock(path: string): FileLock | null {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new DatabaseSync(path);
  try {
    database.exec('PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (thrown) {
    database.close();
    if (thrown instanceof Error && /locked|busy/i.test(thrown.message)) return null;
    throw thrown;
  }
  let held = true;
  const release = () => {
    if (!held) return;
    held = false;
    database.close();
  };
  return { release, [Symbol.dispose]: release };
}

/** True while somebody holds the lock. */
export function isLocked(path: string): boolean {
  const lock = tryLock(path);
  lock?.release();
  return lock === null;
}
