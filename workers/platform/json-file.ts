import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { DynoError, toErrorData } from '#model/error.ts';

/** Replaces a whole file atomically, even in a crash. `mode`: permissions of the new file. */
export function writeAtomically(file: string, content: string | Uint8Array, mode = 0o600): void {
  const half = `${file}.${process.pid}.${randomBytes(3).toString('hex')}.part`;
  try {
    writeFileSync(half, content, { mode, flush: true });
    renameSync(half, file);
  } catch (thrown) {
    rmSync(half, { force: true });
    throw thrown;
  }
}

/** Makes the names of a folder's files survive a crash of the machine. Windows does so by itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const open = openSync(folder, 'r');
  try {
    fsyncSync(open);
  } finally {
    closeSync(open);
  }
}

/**
 * The value in a JSON file of Dyno's that cannot be made again; null where there is no file. Throws 'badInput' where it
 * is damaged, and 'fileAccess' where it may not be read.
 */
export function readKept(file: string): unknown {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (thrown) {
    const { kind, message } = toErrorData(thrown);
    throw new DynoError(kind === 'fileAccess' ? kind : 'badInput', `${file} cannot be read: ${message}`, {
      hint: 'Put an older copy in its place, or move it away: Dyno then begins a new one.',
    });
  }
}

/** Renames a damaged file, so that a new file does not overwrite its remaining content. */
export function setAside(file: string): void {
  renameSync(file, `${file}.damaged-${new Date().toISOString().replaceAll(/[-:.]/g, '')}`);
}

/** The value in a JSON file of Dyno's, or null where it is missing or damaged. For caches only. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
