import { closeSync, existsSync, openSync, readSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync } from 'node:sqlite';
import { DynoError } from '#model/error.ts';
import { makeFolder } from '#platform/make-folder.ts';

// An SQLite file of the user's own: Dyno never creates it, and changes neither its header nor its settings.

/** "DYNO" in the file header's application id: the file was created by Dyno. */
export const applicationId = 0x44594e4f;

const magic = 'SQLite format 3\0';

/** Throws 'badInput' where there is no SQLite database of this name. SQLite would create the file. */
export function requireDatabase(file: string): void {
  const hint = 'Write the absolute path of an SQLite database that exists.';
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
    throw new DynoError('badInput', `${file} is no file.`, { hint });
  if (headerOf(file).toString('latin1', 0, magic.length) !== magic)
    throw new DynoError('badInput', `${file} is no SQLite database.`, { hint });
}

/** The first 100 bytes, read without SQLite, which would lock the file and leave journals beside it. */
export function headerOf(file: string): Buffer {
  const header = Buffer.alloc(100);
  const handle = openSync(file, 'r');
  try {
    readSync(handle, header, 0, header.length, 0);
  } finally {
    closeSync(handle);
  }
  return header;
}

/**
 * Copies the database page by page, with transactions that are in its log alone, and marks the copy as Dyno's. The
 * database itself is only read. An existing copy stays. `timeout`: waits so many milliseconds for a program that has
 * locked the file.
 */
export async function makeCopy(file: string, copy: string, timeout: number): Promise<void> {
  if (existsSync(copy)) return;
  requireDatabase(file);
  makeFolder(dirname(copy));
  const half = `${copy}.${process.pid}.part`;
  const hadLog = hasLog(file);
  // A connection that writes would move the log of a killed program into the file.
  const source = new DatabaseSync(file, { timeout, readOnly: true });
  try {
    // The backup itself does not wait for a lock, and names no reason.
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    await backup(source, half);
    mark(half);
    renameSync(half, copy);
  } catch (thrown) {
    if ((thrown as { readonly errcode?: unknown } | null)?.errcode !== needsRollback) throw thrown;
    throw new DynoError('badInput', `${file} has a journal of a transaction that was interrupted.`, {
      hint: 'Open it once with the program that wrote it: SQLite then rolls the transaction back, which Dyno does not do in a file of yours.',
    });
  } finally {
    closeReader(source, file, hadLog);
    rmSync(half, { force: true });
  }
}

/**
 * SQLITE_READONLY_ROLLBACK: the pages of an unfinished transaction are in the file, and their former state beside it.
 */
const needsRollback = 776;

function mark(file: string): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(`PRAGMA application_id = ${applicationId}`);
  } finally {
    database.close();
  }
}

/**
 * Closes a connection that only reads. SQLite leaves the log and its index beside the file where the last connection
 * could not write, so that they are removed by one that could. `hadLog`: the log was there before.
 */
export function closeReader(database: DatabaseSync, file: string, hadLog: boolean): void {
  database.close();
  if (hadLog || !hasLog(file)) return;
  const last = new DatabaseSync(file);
  try {
    last.prepare('SELECT count(*) FROM sqlite_schema').get();
  } finally {
    last.close();
  }
}

export const hasLog = (file: string): boolean => existsSync(`${file}-wal`);
