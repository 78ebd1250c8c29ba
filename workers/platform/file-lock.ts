import { existsSync, rmSync, statSync } from 'node:fs';
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
/** A change of a file takes some milliseconds. */
const changeMs = 10_000;

/**
 * Takes an exclusive lock, SQLite's lock on an empty file, that the operating system releases when the process ends in
 * any manner. (A pid file needs a guess that the pid is still the same program; Node has no flock.) Its owner deletes
 * the file; one that was killed leaves it, which says nothing.
 * @param waitMs How long it waits for another holder to release the lock.
 * @returns null where another process (or this one) holds it.
 */
export function tryLock(path: string, waitMs = lookMs): FileLock | null {
  try {
    makeFolder(dirname(path), 0o700);
    for (;;) {
      if (!existsSync(path)) new DatabaseSync(path).close();
      const before = identity(path);
      const database = new DatabaseSync(path);
      if (!begin(database, waitMs, 'PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')) return null;
      // If the last owner has deleted the file meanwhile, there may be a new file, with a lock of its own.
      if (before !== null && before === identity(path)) return lockOf(database, path);
      database.close();
    }
  } catch (thrown) {
    const { kind, code, message } = toErrorData(thrown);
    throw new DynoError(kind === 'diskFull' ? kind : 'fileAccess', `Making the lock file ${path}: ${message}`, {
      code,
      hint: 'Set DYNO_HOME to a folder you can write to.',
    });
  }
}

/**
 * Reads and writes a file that window and command line share while no other process does so: otherwise the change of
 * one would be lost. `change` must not ask for the same file's lock. Throws 'other' where another process does not let
 * go.
 */
export function changeAlone<T>(file: string, change: () => T): T {
  const lock = tryLock(`${file}.lock`, changeMs);
  if (!lock)
    throw new DynoError('other', `Another Dyno program is changing ${file}.`, {
      hint: 'Wait until it has finished, then try again.',
    });
  try {
    return change();
  } finally {
    lock.release();
  }
}

function lockOf(database: DatabaseSync, path: string): FileLock {
  let held = true;
  const release = () => {
    if (!held) return;
    held = false;
    // Windows refuses to delete what is open: there the file goes only if nobody else waits for it.
    if (process.platform !== 'win32') removeQuietly(path);
    database.close();
    if (process.platform === 'win32') removeQuietly(path);
  };
  return { release, [Symbol.dispose]: release };
}

function removeQuietly(path: string): void {
  try {
    rmSync(path);
  } catch {}
}

/**
 * An identity that no other file has, not even a file that reuses the number of a deleted file; null: there is no such
 * file.
 */
function identity(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino} ${found.birthtimeNs}` : null;
}

/** True while a process holds the lock. Only reads, so that runs in a read-only folder can be opened. */
export function isLocked(path: string): boolean {
  if (!existsSync(path)) return false;
  const database = openToLook(path);
  if (database === null) return false;
  const free = begin(database, 0, 'SELECT 1 FROM sqlite_schema');
  if (free) database.close();
  return !free;
}

/** Null: its owner has deleted it meanwhile. */
function openToLook(path: string): DatabaseSync | null {
  try {
    return new DatabaseSync(path, { readOnly: true });
  } catch (thrown) {
    if (!existsSync(path)) return null;
    throw thrown;
  }
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
