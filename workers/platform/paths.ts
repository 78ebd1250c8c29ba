import { createHash } from 'node:crypto';
import { accessSync, constants, opendirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynoError, toErrorData } from '#model/error.ts';
import { makeFolder } from './make-folder.ts';

/** The folders and files of Dyno's home. Absolute paths; `ensureHome` creates the folders. */
export interface Home {
  readonly root: string;
  /** Run journals, one file a run. */
  readonly runs: string;
  /** Reports without an explicit file name. */
  readonly reports: string;
  /** The user's own experiments. */
  readonly experiments: string;
  /** Deleted experiments and runs, which can be restored. */
  readonly trash: string;
  /** Data of the managed servers. */
  readonly embedded: string;
  /** Lock files and notes about runs in progress. */
  readonly state: string;
  readonly calibration: string;
  /** The durations of earlier runs, for estimates; the file may be lost. */
  readonly durations: string;
  /** The index of the library's files; it can be made again. */
  readonly library: string;
  /** The index of what the library's experiments do outside of Dyno; it can be made again. */
  readonly libraryParts: string;
  /** The index of the runs' files, a SQLite database; it can be made again. */
  readonly runIndex: string;
  /** The pinned baselines of experiments. */
  readonly baselines: string;
  /** The user's connections, without secrets. */
  readonly connections: string;
  /** The user's load hosts, without secrets. */
  readonly loadHosts: string;
}

/** Project root, with the gallery, package.json and the drivers. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url));
/** The folder of the experiments that come with Dyno. */
export const galleryFolder = join(projectRoot, 'experiments');

/** Dyno's home from DYNO_HOME, else the platform's user data folder. */
export function homeOf(environment: Readonly<Record<string, string | undefined>> = process.env): Home {
  const root = environment.DYNO_HOME ? resolve(environment.DYNO_HOME) : platformHome(environment);
  return {
    root,
    runs: join(root, 'runs'),
    reports: join(root, 'reports'),
    experiments: join(root, 'experiments'),
    trash: join(root, 'trash'),
    embedded: join(root, 'embedded'),
    state: join(root, 'state'),
    calibration: join(root, 'calibration.json'),
    durations: join(root, 'durations.json'),
    library: join(root, 'library.json'),
    libraryParts: join(root, 'library-parts.json'),
    runIndex: join(root, 'run-index.sqlite'),
    baselines: join(root, 'baselines.json'),
    connections: join(root, 'connections.json'),
    loadHosts: join(root, 'load-hosts.json'),
  };
}

function platformHome(environment: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'win32')
    return join(environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'dyno');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'dyno');
  return join(environment.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'dyno');
}

/** Creates the folders and checks that they can be written to. Throws 'fileAccess' or 'diskFull' naming the home. */
export function ensureHome(home: Home): void {
  try {
    const { root, runs, reports, experiments, trash, embedded, state } = home;
    for (const folder of [root, runs, reports, experiments, trash, embedded, state]) {
      makeFolder(folder, 0o700);
      accessSync(folder, constants.W_OK);
    }
  } catch (thrown) {
    const data = toErrorData(thrown);
    const isFile = data.code === 'EEXIST' || data.code === 'ENOTDIR';
    throw new DynoError(
      data.kind === 'diskFull' ? data.kind : 'fileAccess',
      `Dyno's folder ${home.root} cannot be used: ${isFile ? 'it is a file, or something above it or in it is. ' : ''}${data.message}`,
      {
        code: data.code,
        hint:
          data.kind === 'diskFull'
            ? 'Free some space, or set DYNO_HOME to a folder on another disk.'
            : 'Set DYNO_HOME to a folder you can write to.',
      },
    );
  }
}

/** Checks that the home is readable, and creates a missing one. Throws as ensureHome does. */
export function ensureReadableHome(home: Home): void {
  try {
    opendirSync(home.root).closeSync();
  } catch {
    ensureHome(home);
  }
}

/** True for the folder itself and paths below it; links are not followed. */
export function isBelow(folder: string, path: string): boolean {
  const rest = relative(folder, resolve(path));
  return rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest);
}

/** A short, stable name for a path: for lock files and sockets. */
export const pathHash = (path: string): string => createHash('sha256').update(resolve(path)).digest('hex').slice(0, 16);
