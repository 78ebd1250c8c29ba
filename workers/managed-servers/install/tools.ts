import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder in which `dyno servers install` keeps products; it outlives a checkout. */
export const toolsFolder = (environment: NodeJS.ProcessEnv = process.env): string =>
  join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), 'dyno', 'managed-servers');

/** Folders of programs that are not on every user's PATH. */
export const systemFolders = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/opt/homebrew/bin'];

/** The first program of one of these names on the PATH or in `folders`. Null: there is none. */
export const findProgram = (names: readonly string[], folders: readonly string[] = systemFolders): string | null =>
  executablesIn([...listed(process.env.PATH), ...folders], names)[0] ?? null;

/** The folders of a variable that lists them as PATH does. */
export const listed = (folders: string | undefined): readonly string[] =>
  (folders ?? '').split(delimiter).filter(Boolean);

/** The programs of these names in these folders; all programs of the first name come first. */
export function executablesIn(folders: readonly string[], names: readonly string[]): readonly string[] {
  const ending = process.platform === 'win32' ? '.exe' : '';
  return names.flatMap((name) => folders.map((folder) => join(folder, `${name}${ending}`))).filter(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const mongodVersion = '8.2.0';
export const mongodFolder = (): string => join(toolsFolder(), `mongod-${mongodVersion}`);

/** A mongod: DYNO_MONGOD's or the PATH's, else the installed one. `libraries` goes into LD_LIBRARY_PATH. */
export function findMongod(): { readonly program: string; readonly libraries: string | null } | null {
  const named = process.env.DYNO_MONGOD;
  const own = named ? (isExecutable(named) ? named : null) : findProgram(['mongod']);
  if (own || named) return own ? { program: own, libraries: null } : null;
  const program = join(mongodFolder(), 'bin', 'mongod');
  return isExecutable(program) ? { program, libraries: join(mongodFolder(), 'lib') } : null;
}

/** Python packages that tests need: the Oracle protocol emulator, and a parser of T-SQL. */
export type PythonTool = 'seerdb' | 'sqlfluff';

/** Every wheel that may be installed for the tool, by its SHA-256. */
export const requirementsOf = (tool: PythonTool): string =>
  fileURLToPath(new URL(`requirements/${tool}.txt`, import.meta.url));

/** The folder is named after its requirements, so that the installation of an older Dyno does not count. */
export function pythonFolder(tool: PythonTool): string {
  const hash = createHash('sha256')
    .update(readFileSync(requirementsOf(tool)))
    .digest('hex')
    .slice(0, 8);
  return join(toolsFolder(), `python-${tool}-${hash}`);
}

/** A file in a tool's folder with the path of the interpreter for which the tool was installed. */
export const interpreterFile = 'interpreter';

/** A folder for PYTHONPATH with an installed Python package and its dependencies. Null: not installed. */
export function pythonPackage(tool: PythonTool): string | null {
  const folder = pythonFolder(tool);
  return existsSync(join(folder, interpreterFile)) ? folder : null;
}

/** The interpreter for which a tool was installed (compiled parts fit no other version), else the one on the PATH. */
export function findPython(tool?: PythonTool): string | null {
  const folder = tool === undefined ? null : pythonPackage(tool);
  const installed = folder && readFileSync(join(folder, interpreterFile), 'utf8').trim();
  return installed && isExecutable(installed) ? installed : findProgram(['python3', 'python']);
}

/** The system's PostgreSQL (any major version) with an extension, newest first. Null: there is none. */
export function findPostgresWith(extension: string): { readonly bin: string; readonly major: number } | null {
  for (const { bin, share, major } of systemPostgres())
    if (existsSync(join(share, 'extension', `${extension}.control`))) return { bin, major };
  return null;
}

/** Debian's layout, then that of the PostgreSQL project's RPMs. */
function systemPostgres(): readonly { readonly bin: string; readonly share: string; readonly major: number }[] {
  const debian = majors('/usr/lib/postgresql', /^(\d+)$/).map(({ folder, major }) => ({
    bin: join(folder, 'bin'),
    share: join('/usr/share/postgresql', String(major)),
    major,
  }));
  const rpm = majors('/usr', /^pgsql-(\d+)$/).map(({ folder, major }) => ({
    bin: join(folder, 'bin'),
    share: join(folder, 'share'),
    major,
  }));
  return [...debian, ...rpm].filter(({ bin }) => isExecutable(join(bin, 'postgres')));
}

function majors(parent: string, name: RegExp): { readonly folder: string; readonly major: number }[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .flatMap((entry) => {
      const major = Number(name.exec(entry)?.[1] ?? 0);
      return major > 0 ? [{ folder: join(parent, entry), major }] : [];
    })
    .sort((a, b) => b.major - a.major);
}
