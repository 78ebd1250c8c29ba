import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type FileLock, isLocked, tryLock } from '#platform/file-lock.ts';
import { readJson, syncFolder, writeAtomically } from '#platform/json-file.ts';
import type { Home } from '#platform/paths.ts';

/** A parameter of a user's server that a run changes. */
interface NotedParameter {
  /** The parameter's entry before the run (ParameterState.entry). */
  readonly before: string | null;
  /** The entries that the run may have given the parameter. */
  readonly set: readonly string[];
}

/** Parameters of a server by name. */
export type NotedParameters = Readonly<Record<string, NotedParameter>>;

/**
 * Tables that a run, a try or a connection check has on servers, and parameters that a run has changed there, or left
 * there when it died. Each has one small file, which is deleted when the tables are dropped and the parameters given
 * back. A process drops the tables of another one only if its own home has a note of them, because anybody can write
 * tags into a run file.
 */
interface Leftovers {
  /** Marks the sessions of the run at the servers, as `dyno-` + tag. */
  readonly tag: string;
  /** The servers on which the tables may be (ConfiguredTarget.place). */
  readonly places: readonly string[];
  /** The changed parameters by server (ConfiguredTarget.place). Absent: there are none. */
  readonly parameters?: Readonly<Record<string, NotedParameters>>;
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
  /** Records, before a change, the parameters that the process changes there. */
  noteParameters(place: string, parameters: NotedParameters): void;
  /** The parameters that the process has noted there. */
  parametersAt(place: string): NotedParameters;
  /** True if tables or changed parameters may exist anywhere. */
  readonly areNoted: boolean;
}

/** Holds the tables of a tag for this process. */
export function holdTables(home: Home, tag: string): HeldTables {
  const lock: FileLock | null = tryLock(lockOf(home, tag));
  return {
    note(place) {
      const known = tablesOf(home, tag);
      write(home, { ...known, tag, places: [...new Set([...(known?.places ?? []), place])] });
    },
    noteParameters(place, parameters) {
      const known = tablesOf(home, tag) ?? { tag, places: [] };
      write(home, { ...known, parameters: { ...known.parameters, [place]: parameters } });
      syncFolder(home.state);
    },
    parametersAt: (place) => tablesOf(home, tag)?.parameters?.[place] ?? {},
    forget: (place) => forgetTables(home, tag, place),
    get areNoted() {
      return tablesOf(home, tag) !== null;
    },
    [Symbol.dispose]: () => lock?.release(),
  };
}

/** If nothing is left to note, the file is deleted. */
function write(home: Home, { tag, places, parameters = {} }: Leftovers): void {
  if (places.length > 0 || Object.keys(parameters).length > 0) {
    writeAtomically(fileOf(home, tag), JSON.stringify({ home: identityOf(home), places, parameters }));
    return;
  }
  rmSync(fileOf(home, tag), { force: true });
  // A killed process has left its lock file.
  if (!isMakerAlive(home, tag)) rmSync(lockOf(home, tag), { force: true });
}

/** Records that the tables of a tag are dropped at a place. */
export function forgetTables(home: Home, tag: string, place: string): void {
  const noted = tablesOf(home, tag);
  if (noted) write(home, { ...noted, places: noted.places.filter((one) => one !== place) });
}

/** Records that the parameters that a tag has changed at a place are as they were. */
export function forgetParameters(home: Home, tag: string, place: string): void {
  const noted = tablesOf(home, tag);
  if (!noted) return;
  const { [place]: _, ...parameters } = noted.parameters ?? {};
  write(home, { ...noted, parameters });
}

/** The note of a tag; null if this home has created no table of it and changed no parameter, or has undone it all. */
export function tablesOf(home: Home, tag: string): Leftovers | null {
  const value = readJson(fileOf(home, tag)) as {
    readonly home?: unknown;
    readonly places?: unknown;
    readonly parameters?: unknown;
  } | null;
  if (value?.home !== identityOf(home) || !Array.isArray(value.places)) return null;
  const parameters = (value.parameters ?? {}) as NonNullable<Leftovers['parameters']>;
  return { tag, places: value.places.map(String), ...(Object.keys(parameters).length > 0 && { parameters }) };
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
