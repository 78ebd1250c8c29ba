import { type ExecFileException, execFile } from 'node:child_process';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { serverEnvironment } from '../process/server-process.ts';
import { executablesIn, listed, systemFolders, toolsFolder } from './tools.ts';

const run = promisify(execFile);

/** A server's program on this machine. */
export interface InstalledServer {
  readonly program: string;
  /** Example: '10.11.19'. */
  readonly version: string;
  /** The answer of the program to `--version`, which may name the product. */
  readonly said: string;
  /** The folder into which Dyno has fetched it. Null: it belongs to the system or the user. */
  readonly fetched: string | null;
}

/** How a product's programs are found, and how they say their version. */
interface Sought {
  /** The names of the program, the preferred one first. */
  readonly names: readonly string[];
  /** Folders of the system, beside the PATH. Absent: the usual ones. */
  readonly folders?: readonly string[];
  /** Programs at other places, which come first. */
  readonly more?: readonly string[];
  readonly versionArgs: readonly string[];
}

/** Folders that have an installation of one version in each of their folders. */
const parents: readonly string[] = [
  ...['/opt', '/usr/local', '/opt/homebrew/opt', '/usr/local/opt', '/home/linuxbrew/.linuxbrew/opt'],
  ...['', 'MySQL', 'MongoDB\\Server'].map((vendor) => join(process.env.ProgramFiles ?? 'C:\\Program Files', vendor)),
];

/** The folders of an installation that may have its programs. */
const inside: readonly string[] = ['', 'bin', 'sbin', 'libexec'];

/**
 * Every program of one of these names: those of the PATH and the system come first, then those in the folders of
 * DYNO_SERVERS, in installations side by side, and in those that Dyno has fetched. DYNO_SERVERS lists folders as the
 * PATH does: each is an installation, or has several of them.
 */
export function installedServers(sought: Sought): Promise<readonly InstalledServer[]> {
  const key = JSON.stringify(sought);
  const search = searches.get(key) ?? findServers(sought).finally(() => searches.delete(key));
  searches.set(key, search);
  return search;
}

/** The searches under way: all versions of a product are asked for at once, and one search answers for all of them. */
const searches = new Map<string, Promise<readonly InstalledServer[]>>();

async function findServers({
  names,
  folders = systemFolders,
  more = [],
  versionArgs,
}: Sought): Promise<readonly InstalledServer[]> {
  const named = listed(process.env.DYNO_SERVERS);
  const found = [
    ...more,
    ...executablesIn([...listed(process.env.PATH), ...folders], names),
    ...executablesIn([...named, ...named.flatMap(foldersIn)].flatMap(programFolders), names),
    ...executablesIn([...parents, toolsFolder()].flatMap(foldersIn).flatMap(programFolders), names),
  ];
  // Debian's mysqld is a link to mariadbd.
  const programs = found.filter(
    (program, i) => found.findIndex((one) => realpathSync(one) === realpathSync(program)) === i,
  );
  const all = await Promise.all(programs.map((program) => askVersion(program, versionArgs)));
  return all.filter((one) => one !== null);
}

const programFolders = (installation: string): readonly string[] => inside.map((name) => join(installation, name));

function foldersIn(parent: string): readonly string[] {
  try {
    return readdirSync(parent, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map(({ name }) => join(parent, name));
  } catch {
    return [];
  }
}

/** Programs by their path and time of change, because the window asks often. */
const known = new Map<string, Promise<InstalledServer | null>>();

function askVersion(program: string, args: readonly string[]): Promise<InstalledServer | null> {
  const key = `${program} ${statSync(program).mtimeMs}`;
  const asked =
    known.get(key) ??
    versionOf(program, args).catch(() => {
      known.delete(key);
      return null;
    });
  known.set(key, asked);
  return asked;
}

/** A busy machine may take seconds to load a program of 200 MB. */
const answerMs = 30_000;

/** Null: the program does not run here, or says no version. Throws if it does not answer in time. */
async function versionOf(program: string, args: readonly string[]): Promise<InstalledServer | null> {
  const inTools = relative(toolsFolder(), program);
  const fetched = inTools.startsWith('..') ? null : join(toolsFolder(), inTools.split(sep)[0] ?? '');
  const env = serverEnvironment(fetched === null ? {} : { LD_LIBRARY_PATH: join(fetched, 'lib') });
  try {
    const { stdout: said } = await run(program, [...args], { windowsHide: true, env, timeout: answerMs });
    const [, version] = /(?:Ver |version v|PgBouncer )(\d+\.\d+(?:\.\d+)?)/.exec(said) ?? [];
    return version === undefined ? null : { program, version, said, fetched };
  } catch (thrown) {
    if ((thrown as ExecFileException).killed) throw thrown;
    return null;
  }
}

/** The newest program of a series such as '10.11' or '8'. Null: there is none. */
export const newestOf = <S extends Pick<InstalledServer, 'version'>>(all: readonly S[], series: string): S | null =>
  all
    .filter(({ version }) => version === series || version.startsWith(`${series}.`))
    .toSorted((a, b) => compareVersions(b.version, a.version))[0] ?? null;

function compareVersions(a: string, b: string): number {
  const [x, y] = [a, b].map((version) => version.split('.').map(Number));
  return (x ?? []).map((part, index) => part - (y?.[index] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
