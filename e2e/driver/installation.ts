import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DynoError } from '#model/error.ts';

/** A Dyno on this machine: the programs of its window and of its command line. */
export interface Installation {
  /** The program of the window, and the arguments that lead to the app. */
  readonly window: string;
  readonly windowArgs: readonly string[];
  readonly node: string;
  /** The file of the command line. */
  readonly cli: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isPackage: boolean;
  readonly version: string;
}

const versionIn = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version;

/** Finds Dyno at a path, by default at that of DYNO_APP or where packages are installed. Builds a clone if asked to. */
export async function findInstallation(given: string | undefined, build: boolean): Promise<Installation> {
  const asked = given ?? (process.env.DYNO_APP || undefined);
  const places = asked === undefined ? usualFolders() : [resolve(asked)];
  for (const place of places) {
    const found = isClone(place) ? await clone(place, build) : packageAt(place);
    if (found !== null) return found;
  }
  throw new DynoError(
    'badInput',
    asked === undefined ? `Dyno is not installed in ${places.join(', ')}.` : `There is no Dyno at ${places.join()}.`,
    { hint: 'Name a clone of Dyno, the folder of a package, or its program: launchDyno({ dyno: … }), or DYNO_APP.' },
  );
}

/** The folders into which the packages of this system are installed. */
function usualFolders(): readonly string[] {
  const { LOCALAPPDATA = join(homedir(), 'AppData', 'Local') } = process.env;
  switch (process.platform) {
    case 'win32':
      return [join(LOCALAPPDATA, 'Programs', 'Dyno')];
    case 'darwin':
      return ['/Applications/Dyno.app', join(homedir(), 'Applications/Dyno.app')];
    default:
      return ['/usr/lib/dyno', '/usr/local/lib/dyno', join(homedir(), '.local/lib/dyno')];
  }
}

const isClone = (folder: string): boolean =>
  ['package.json', 'electron/main.ts', 'electron/setup/node.mjs'].every((file) => existsSync(join(folder, file)));

/** The package in a folder or of a program; null: there is none. */
function packageAt(place: string): Installation | null {
  if (!existsSync(place)) return null;
  const windows = statSync(place).isFile() ? [place] : programs.map((name) => join(place, name));
  for (const window of windows) {
    const resources = join(dirname(window), process.platform === 'darwin' ? '../Resources/dyno' : 'resources/dyno');
    const node = join(resources, process.platform === 'win32' ? 'node/bin/node.exe' : 'node/bin/node');
    const cli = join(resources, 'workers/cli.js');
    if (!existsSync(window) || !existsSync(cli)) continue;
    // The package brings the Node of its workers.
    return {
      window,
      windowArgs: [],
      node,
      cli,
      env: { DYNO_NODE: '' },
      isPackage: true,
      version: versionIn(resources),
    };
  }
  return null;
}

/** The program of the window, in the folder of a package or of an unpacked archive. */
const programs: readonly string[] =
  process.platform === 'win32'
    ? ['Dyno.exe']
    : process.platform === 'darwin'
      ? ['Contents/MacOS/Dyno', 'Dyno.app/Contents/MacOS/Dyno']
      : ['dyno-window', 'lib/dyno/dyno-window'];

/** A clone with Electron and Node: those that `npm test` passes, else those that `npm start` uses. */
async function clone(root: string, build: boolean): Promise<Installation> {
  const { DYNO_ELECTRON, DYNO_NODE } = process.env;
  const isPassed = DYNO_ELECTRON && DYNO_NODE;
  const { window, node, env } = isPassed
    ? { window: DYNO_ELECTRON, node: DYNO_NODE, env: {} }
    : await prepared(root, build);
  const cli = join(root, 'dist/programs/workers/cli.js');
  return {
    window,
    windowArgs: [root],
    node,
    cli,
    env: { ...env, DYNO_NODE: node },
    isPackage: false,
    version: versionIn(root),
  };
}

/** Does what `npm start` does before it opens the window. */
async function prepared(root: string, build: boolean) {
  const setup = (name: string): Promise<unknown> =>
    import(pathToFileURL(join(root, `electron/setup/${name}.mjs`)).href);
  const { ensureInstalled } = (await setup('install')) as { ensureInstalled(): Promise<void> };
  if (build) await ensureInstalled();
  const { ensureNode } = (await setup('node')) as { ensureNode(): Promise<string> };
  const node = await ensureNode();
  const { ensureWindow } = (await setup('window/ensure-window')) as {
    ensureWindow(wanted: { display: 'own' }): Promise<{ electron: string }>;
  };
  const { electron } = await ensureWindow({ display: 'own' });
  const { ensureBuilt } = (await setup('build')) as { ensureBuilt(node: string): Promise<void> };
  if (build) await ensureBuilt(node);
  const { unpackedEnvironment } = (await setup('window/unpacked-packages')) as {
    unpackedEnvironment(): Readonly<Record<string, string>>;
  };
  return { window: electron, node, env: unpackedEnvironment() };
}
