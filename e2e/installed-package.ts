import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** Dyno as its .deb installs it, in a folder in place of "/". */
export interface InstalledPackage extends AsyncDisposable {
  readonly folder: string;
  /** The command line. */
  readonly dyno: string;
  /** Electron with the app. */
  readonly window: string;
  /** A copy of `window` that Playwright can drive: it accepts `--inspect`, which a fuse disables in the original. */
  readonly drivable: string;
  /** The program and arguments with which a desktop opens a file or link, by the package's own declarations. */
  open(what: string): Promise<{ readonly program: string; readonly args: readonly string[] }>;
}

/** Makes the .deb, if a source has changed since the last time, and installs it into a temporary folder. */
export async function installPackage(): Promise<InstalledPackage> {
  const script = join(root, 'electron/package/make-packages.mjs');
  const { stdout } = await execute(process.execPath, [script, 'deb', '--quick'], { env: plainEnvironment() });
  const deb = join(root, stdout.trim().split(/\s/)[0] ?? '');
  const folder = await mkdtemp(join(tmpdir(), 'dyno-installed-'));
  await unpack(deb, folder);
  const window = join(folder, 'usr/lib/dyno/dyno-window');
  const drivable = `${window}-for-tests`;
  await copyFile(window, drivable);
  await flipFuses(drivable, { version: FuseVersion.V1, [FuseV1Options.EnableNodeCliInspectArguments]: true });
  return {
    folder,
    dyno: join(folder, 'usr/bin/dyno'),
    window,
    drivable,
    async open(what) {
      const share = join(folder, 'usr/share');
      const entry = await readFile(join(share, 'applications/dyno.desktop'), 'utf8');
      const type = typeOf(what, await readFile(join(share, 'mime/packages/dyno.xml'), 'utf8'));
      if (!entryOf(entry, 'MimeType').split(';').includes(type)) throw new Error(`Dyno does not open ${type}.`);
      const [program = '', ...args] = entryOf(entry, 'Exec').split(' ');
      return { program: join(folder, program), args: args.map((arg) => (arg === '%U' ? what : arg)) };
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** As root, dpkg installs and changes owners; an ordinary user unpacks. */
async function unpack(deb: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) {
    await execute('dpkg-deb', ['-x', deb, folder]);
    return;
  }
  const database = join(folder, 'var/lib/dpkg');
  for (const name of ['info', 'triggers', 'updates']) await mkdir(join(database, name), { recursive: true });
  for (const name of ['status', 'available']) await writeFile(join(database, name), '');
  // The required libraries come from the machine.
  await execute('dpkg', [`--root=${folder}`, '--force-depends', '--force-unsafe-io', '--install', deb]);
}

/** The MIME type of a link or a file, by the globs of a shared-mime-info package: the longest one that fits. */
function typeOf(what: string, mimeInfo: string): string {
  const scheme = /^([a-z]+):\/\//.exec(what)?.[1];
  if (scheme !== undefined && scheme !== 'file') return `x-scheme-handler/${scheme}`;
  const globs = [...mimeInfo.matchAll(/<mime-type type="([^"]+)">[\s\S]*?<glob pattern="\*([^"]+)"/g)];
  const fitting = globs.filter(([, , ending]) => basename(what).endsWith(ending ?? ''));
  const longest = fitting.sort((a, b) => (b[2]?.length ?? 0) - (a[2]?.length ?? 0))[0];
  if (longest?.[1] === undefined) throw new Error(`No type is declared for ${what}.`);
  return longest[1];
}

const entryOf = (entry: string, key: string): string => new RegExp(`^${key}=(.*)$`, 'm').exec(entry)?.[1] ?? '';

/** This process's environment without the paths that `npm test` passes to the project's own app. */
export function plainEnvironment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { DYNO_NODE: _node, DYNO_ELECTRON: _electron, NODE_OPTIONS: _options, ...rest } = process.env;
  const defined = Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...Object.fromEntries(defined), ...more };
}
