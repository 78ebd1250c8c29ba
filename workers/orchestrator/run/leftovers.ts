import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type FileLock, isLocked, tryLock } from '#platform/file-lock.ts';
import { readJson, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';

/**
 * Tables that a run, a try or a connection check has on servers, or left there when it died. Each has one small file,
 * which is deleted when the tables are dropped. A process drops the tables of another one only if its own home has a
 * note of them, because anybody can write tags into a run file.
 */
interface Leftovers {
  /** Marks the sessions of the run at the servers, as `dyno-` + tag. */
  readonly tag: string;
  /** The servers on which the tables may be (ConfiguredTarget.place). */
  readonly places: readonly string[];
}

/** A tag that no other process has. The names of its sessions and tables on the servers contain it. */
export const newTag = (): string => randomBytes(4).toString('hex');

/** The common prefix of the table names of one process. */
export const tablePrefixOf = (tag: string): string => `dyno_${tag}_`;

const fileOf = (home: Home, tag: string): string => join(home.state, `tables-${tag}.json`);
/** The process that created the tables holds this lock while it lives, wherever its run file is. */
const lockOf = (home: Home, tag: string): string => join(home.state, `tables-${tag}.lock`);

/**
 * The folder and machine of a home. If the home was copied, on this machine or to another one, nobody holds the locks
 * of the copy, so the copy's notes do not show who is alive.
 */
function identityOf(home: Home): string {
  const { dev, ino } = statSync(home.state, { bigint: true });
  return `${hostname()} ${dev} ${ino}`;
}

/** Tables that this process creates. Disposing of it releases the lock that shows that the process is alive. */
export interface HeldTables extends Disposable {
  /** Records that the process is about to create tables there, whose names begin with tablePrefixOf(tag). */
  note(place: string): void;
  /** Records that the tables there are dropped. */
  forget(place: string): void;
  /** True if tables may exist anywhere. */
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

/** Records that the tables of a tag are dropped at a place. */
export function forgetTables(home: Home, tag: string, place: string): void {
  const noted = tablesOf(home, tag);
  if (!noted) return;
  const places = noted.places.filter((one) => one !== place);
  if (places.length > 0) {
    write(home, { tag, places });
    return;
  }
  rmSync(fileOf(home, tag), { force: true });
  // A killed process has left its lock file.
  if (!isMakerAlive(home, tag)) rmSync(lockOf(home, tag), { force: true });
}

/** The note of a tag; null if this home has created no table of it, or has dropped them all. */
export function tablesOf(home: Home, tag: string): Leftovers | null {
  const value = readJson(fileOf(home, tag)) as { readonly home?: unknown; readonly places?: unknown } | null;
  if (value?.home !== identityOf(home) || !Array.isArray(value.places)) return null;
  return { tag, places: value.places.map(String) };
}

/** True if the process that creates the tables of a tag is alive and belongs to this home. */
export const isMakerAlive = (home: Home, tag: string): boolean => isLocked(lockOf(home, tag));

/** The tables whose processes are no longer alive. */
export function deadRunsTables(home: Home): readonly Leftovers[] {
  return readdirSync(home.state)
    .flatMap((name) => /^tables-([0-9a-f]{8})\.json$/.exec(name)?.[1] ?? [])
    .flatMap((tag) => tablesOf(home, tag) ?? [])
    .filter(({ tag }) => !isMakerAlive(home, tag));
}
