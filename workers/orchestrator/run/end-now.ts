import { existsSync, readdirSync, statSync, unwatchFile, watchFile } from 'node:fs';
import { join } from 'node:path';
import { isLocked } from '#platform/file-lock.ts';
import { writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';

/** A run that must end at once ends within this many ms, whatever its servers do. */
export const endNowMs = 2_000;
/** Interval in ms at which a run checks for the request. The rest of the two seconds is enough for the end. */
const lookMs = 150;

const requestFile = (home: Home): string => join(home.state, 'end-now.json');

/** Requests the immediate end of every run of this home, in all processes. */
export function requestEnd(home: Home): void {
  writeAtomically(requestFile(home), JSON.stringify({ at: new Date().toISOString(), by: process.pid }));
}

/** Calls `end` when the end of all runs is requested, until it is disposed of. */
export function watchForEnd(home: Home, end: () => void): Disposable {
  const file = requestFile(home);
  const before = existsSync(file) ? statSync(file).mtimeMs : 0;
  const look = ({ mtimeMs }: { readonly mtimeMs: number }) => {
    // If the clock was set back, a later request looks older; 0 if the file does not exist.
    if (mtimeMs !== before && mtimeMs !== 0) end();
  };
  watchFile(file, { interval: lookMs, persistent: false }, look);
  return { [Symbol.dispose]: () => unwatchFile(file, look) };
}

/** The number of runs of this home that are running, in all processes. */
export const runsGoingOn = (home: Home): number =>
  readdirSync(home.state).filter((name) => /^run-.*\.lock$/.test(name) && isLocked(join(home.state, name))).length;
