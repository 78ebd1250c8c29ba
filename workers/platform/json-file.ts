import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

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

/** The value in a JSON file of Dyno's, or null where it is missing or damaged. For caches only. */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
