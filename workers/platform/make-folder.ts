import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder and its missing parents. Throws the system's error. Node's own mkdirSync({ recursive: true }) never
 * returns where the system creates nothing in an existing folder, as in /proc.
 */
export function makeFolder(path: string, mode = 0o777): void {
  try {
    mkdirSync(path, { mode });
  } catch (thrown) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
    const isParentMissing = thrown instanceof Error && 'code' in thrown && thrown.code === 'ENOENT';
    if (!isParentMissing || existsSync(dirname(path))) throw thrown;
    makeFolder(dirname(path), mode);
    makeFolder(path, mode);
  }
}
