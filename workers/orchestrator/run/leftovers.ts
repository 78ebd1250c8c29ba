import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLocked } from '#platform/file-lock.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';

/** Tables that a run has (or had, if it died) on servers; one small file a run, deleted when they are dropped. */
interface Leftovers {
  readonly file: string;
  /** Tables of the run: their names begin with this. */
  readonly prefix: string;
  /** The run's lock file: it is locked while the run is alive. */
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

/** The run's tables are gone from these places. */
export function forgetTables(leftovers: Leftovers, places: readonly string[]): void {
  const rest = leftovers.places.filter((place) => !places.includes(place));
  if (rest.length === 0) rmSync(leftovers.file, { force: true });
  else
    writeAtomically(leftovers.file, JSON.stringify({ prefix: leftovers.prefix, lock: leftovers.lock, places: rest }));
}

export const tablesOf = (home: Home, tag: string): Leftovers | null => readLeftovers(fileOf(home, tag));

/** The tables of runs that are no longer alive. */
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
