import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DynoError, toErrorData } from '#model/error.ts';
import { makeFolder } from './make-folder.ts';

/** A held lock; disposing it releases it. */
export interface FileLock extends Disposable {
  release(): void;
}

/** A process that only checks (isLocked) holds a shared lock for a moment, which is no reason to give up. */
const lookMs = 200;

/**
 * Takes an exclusive lock, SQLite's lock on an empty file, that the operating system releases when the process ends in
 * any manner. (A pid file needs a guess that the pid is still the same program; Node has no flock.) The file stays
 * empty and is never deleted, because deleting a lock file lets two owners in.
 * @returns null where another process (or this one) holds it.
 */
export function tryLock(path: string): FileLock | null {
  try {
    makeFolder(dirname(path), 0o700);
    const database = new DatabaseSync(path);
    if (!begin(database, lookMs, 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')) return null;
    let held = true;
    const release = () => {
      if (!held) return;
      held = false;
      database.close();
    };
    return { release, [Symbol.dispose]: release };
  } catch (thrown) {
    const { kind, code, message } = toErrorData(thrown);
    throw new DynoError(kind === 'diskFull' ? kind : 'permission', `Making the lock file ${path}: ${message}`, {
      code,
      hint: 'Set DYNO_HOME to a folder you can write to.',
    });
  }
}

/** True while a process holds the lock. Only reads, so that runs in a read-only folder can be opened. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = new DatabaseSync(path, { readOnly: true });
  const free = begin(database, 0, 'SELECT 1 FROM sqlite_schema');
  if (free) database.close();
  return !free;
}

/** False, with the database closed, where another connection has the lock. */
function begin(database: DatabaseSync, waitMs: number, sql: string): boolean {
  try {
    database.exec(`PRAGMA busy_timeout = ${waitMs}; ${sql}`);
    return true;
  } catch (thrown) {
    database.close();
    if (thrown instanceof Error && /locked|busy/i.test(thrown.message)) return false;
    throw thrown;
  }
}
