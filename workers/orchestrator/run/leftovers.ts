import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type FileLock, isLocked, tryLock } from '#platform/file-lock.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';

/**
 * Tables that a run, a try or a check of a connection has on servers, or had, if it died; one small file for each,
 * deleted when they are dropped. A process drops the tables of another one only by a note of its own home: tags that a
 * run file names are nobody's proof.
 */
interface Leftovers {
  /** Marks the maker's sessions at the servers, as `dyno-` + tag. */
  readonly tag: string;
  /** The servers on which the tables may be (ConfiguredTarget.place). */
  readonly places: readonly string[];
}

/** A tag that no other process has: the maker's sessions and tables at the servers have it in their names. */
export const newTag = (): string => randomBytes(4).toString('hex');

/** The tables of one maker: their names begin with this. */
export const tablePrefixOf = (tag: string): string => `dyno_${tag}_`;

const fileOf = (home: Home, tag: string): string => join(home.state, `tables-${tag}.json`);
/** The maker holds this lock as long as it lives, wherever its run file is, and by whichever name. */
const lockOf = (home: Home, tag: string): string => join(home.state, `tables-${tag}.lock`);

/**
 * The folder and machine of a home. In a copy of the home, on this machine or on another one, the locks of the makers
 * are nobody's: the copy's notes say nothing of who is alive.
 */
function identityOf(home: Home): string {
  const { dev, ino } = statSync(home.state, { bigint: true });
  return `${hostname()} ${dev} ${ino}`;
}

/** Tables that this process makes. Disposing lets the lock go that says that their maker is alive. */
export interface HeldTables extends Disposable {
  /** The process is about to make tables there, whose names begin with tablePrefixOf(tag). */
  note(place: string): void;
  /** The tables there are gone. */
  forget(place: string): void;
  /** True if tables may be anywhere. */
  readonly areNoted: boolean;
}

/** Holds the tables of a tag for this process. */
export function holdTables(home: Home, tag: string): HeldTables {
  const lock: FileLock | null = tryLock(lockOf(home, tag));
  return {
    note(place) {
      const known = tablesOf(home, tag)?.places ?? [];
      write(home, { tag, places: [...new Set([...known, place])] });
    },
    forget: (place) => forgetTables(home, tag, place),
    get areNoted() {
      return tablesOf(home, tag) !== null;
    },
    [Symbol.dispose]: () => lock?.release(),
  };
}

const write = (home: Home, { tag, places }: Leftovers): void =>
  writeAtomically(fileOf(home, tag), JSON.stringify({ home: identityOf(home), places }));

/** The tables of a tag are gone from a place. */
export function forgetTables(home: Home, tag: string, place: string): void {
  const noted = tablesOf(home, tag);
  if (!noted) return;
  const places = noted.places.filter((one) => one !== place);
  if (places.length > 0) {
    write(home, { tag, places });
    return;
  }
  rmSync(fileOf(home, tag), { force: true });
  // A maker that was killed has left its lock file.
  if (!isMakerAlive(home, tag)) rmSync(lockOf(home, tag), { force: true });
}

/** The note of a tag; null: this home has made no table of it, or has dropped them all. */
export function tablesOf(home: Home, tag: string): Leftovers | null {
  const value = readJson(fileOf(home, tag)) as { readonly home?: unknown; readonly places?: unknown } | null;
  if (value?.home !== identityOf(home) || !Array.isArray(value.places)) return null;
  return { tag, places: value.places.map(String) };
}

/** True if the process that makes the tables of a tag is alive, and belongs to this home. */
export const isMakerAlive = (home: Home, tag: string): boolean => isLocked(lockOf(home, tag));

/** The tables whose makers are no longer alive. */
export function deadRunsTables(home: Home): readonly Leftovers[] {
  return readdirSync(home.state)
    .flatMap((name) => /^tables-([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? [])
    .flatMap((tag) => tablesOf(home, tag) ?? [])
    .filter(({ tag }) => !isMakerAlive(home, tag));
}
