import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeAtomically } from '#platform/json-file.ts';
import { makeFolder } from '#platform/make-folder.ts';
import type { Home } from '#platform/paths.ts';

/**
 * The file of the user's note on a run, beside the run file, which contains only measurements and may be given to
 * others.
 */
export const noteFile = (home: Home, runId: string): string => join(home.runs, `${runId}.note.txt`);

/** The note on a run; empty without one. */
export function readNote(home: Home, runId: string): string {
  const file = noteFile(home, runId);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Keeps a note on a run; an empty one is removed. */
export function writeNote(home: Home, runId: string, text: string): void {
  const file = noteFile(home, runId);
  if (text.trim() === '') {
    rmSync(file, { force: true });
    return;
  }
  makeFolder(home.runs, 0o700);
  writeAtomically(file, text);
}
