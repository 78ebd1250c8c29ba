import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLocked, tryLock } from '#platform/file-lock.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';

/**
 * Tables that a run, a try or a check of a connection has on servers, or had, if it died; one small file for each,
 * deleted when they are dropped.
 */
interface Leftovers {
  readonly file: string;
  /** Tables of the run: their names begin with this. */
  readonly prefix: string;
  /** A lock file that is locked while their maker is alive. */
  readonly lock: string;
  /** The servers on which the tables may be (ConfiguredTarget.place). */
  readonly places: readonly string[];
}

const fileOf = (home: Home, tag: string): string => join(home.state, `tables-${tag}.json`);

/** Notes that a run is about to make tables in these places (added to those already noted). */
export function noteTables(home: Home, tag: string, prefix: string, lock: string, places: readonly string[]): void {
  const known = readLeftovers(fileOf(home, tag))?.places ?? [];
  writeAtomically(fileOf(home, tag), JSON.stringify({ prefix, lock, places: [...new Set([...known, ...places])] }));
}

/** Tables that are made outside of a run. Disposing lets the lock go that says that their maker is alive. */
export interface HeldTables extends Disposable {
  /** They are dropped. */
  forget(): void;
}

/** Notes that this process is about to make tables whose names begin with `dyno_` + tag in a place. */
export function holdTables(home: Home, tag: string, place: string): HeldTables {
  const lockFile = join(home.state, `tables-${tag}.lock`);
  const lock = tryLock(lockFile);
  noteTables(home, tag, `dyno_${tag}_`, lockFile, [place]);
  return {
    forget() {
      const noted = tablesOf(home, tag);
      if (noted) forgetTables(noted, [place]);
    },
    [Symbol.dispose]: () => lock?.release(),
  };
}

/** The run's tables are gone from these places. */
export function forgetTables(leftovers: Leftovers, places: readonly string[]): void {
  const rest = leftovers.places.filter((place) => !places.includes(place));
  if (rest.length === 0) rmSync(leftovers.file, { force: true });
  else
    writeAtomically(leftovers.file, JSON.stringify({ prefix: leftovers.prefix, lock: leftovers.lock, places: rest }));
}

export const tablesOf = (home: Home, tag: string): Leftovers | null => readLeftovers(fileOf(home, tag));

/** The tables whose makers are no longer alive. */
export function deadRunsTables(home: Home): readonly Leftovers[] {
  return readdirSync(home.state)
    .filter((name) => /^tables-.*\.json$/.test(name))
    .flatMap((name) => readLeftovers(join(home.state, name)) ?? [])
    .filter((one) => !isLocked(one.lock));
}

function readLeftovers(file: string): Leftovers | null {
  const value = readJson(file) as Partial<Leftovers> | null;
  if (typeof value?.prefix !== 'string' || typeof value.lock !== 'string' || !Array.isArray(value.places)) return null;
  return { file, prefix: value.prefix, lock: value.lock, places: value.places.map(String) };
}
