import { existsSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { writeAtomically } from '#platform/json-file.ts';
import { makeFolder } from '#platform/make-folder.ts';
import type { Home } from '#platform/paths.ts';
import { runFileEnding } from './journal-file.ts';

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

/** The note on the run of a run file. Empty for a file outside of the home. */
export const noteOfFile = (home: Home, file: string): string =>
  resolve(dirname(file)) === resolve(home.runs) ? readNote(home, basename(file, runFileEnding)) : '';

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
