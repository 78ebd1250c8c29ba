import { existsSync, readdirSync, statSync, unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { isLocked } from '#platform/file-lock.ts';
import { writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';

/** A run that is to end at once is over within so many ms, whatever its servers do. */
export const endNowMs = 2_000;
/** So often, in ms, a run looks whether it is to end: what is left of the two seconds is enough for the end. */
const lookMs = 150;

const requestFile = (home: Home): string => join(home.state, 'end-now.json');

/** Asks every run of this home, of whatever process, to end at once. */
export function requestEnd(home: Home): void {
  writeAtomically(requestFile(home), JSON.stringify({ at: new Date().toISOString(), by: process.pid }));
}

/** Calls `end` when somebody asks for the end of all runs, until it is disposed. */
export function watchForEnd(home: Home, end: () => void): Disposable {
  const file = requestFile(home);
  const before = existsSync(file) ? statSync(file).mtimeMs : 0;
  const look = ({ mtimeMs }: { readonly mtimeMs: number }) => {
    // A clock that was set back makes a later request older; 0: the file is gone.
    if (mtimeMs !== before && mtimeMs !== 0) end();
  };
  watchFile(file, { interval: lookMs, persistent: false }, look);
  return { [Symbol.dispose]: () => unwatchFile(file, look) };
}

/** The number of runs of this home that are going on, in all processes. */
export const runsGoingOn = (home: Home): number =>
  readdirSync(home.state).filter((name) => /^run-.*\.lock$/.test(name) && isLocked(join(home.state, name))).length;
