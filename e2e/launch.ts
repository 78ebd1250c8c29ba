import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

const root = fileURLToPath(new URL('..', import.meta.url));

export interface LaunchOptions {
  /** Dyno's home (DYNO_HOME). Default: a new temporary one, which `close` removes. */
  readonly home?: string;
  /** Additional environment of the app, such as passwords that experiments name as `${env:NAME}`. */
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of the start, as from a file association or a link. Default: none. */
  readonly args?: readonly string[];
  /** The Electron executable. Default: the one that `npm start` uses. */
  readonly electron?: string;
  /** True if the executable belongs to a package, which includes the app and its Node. */
  readonly isPackage?: boolean;
}

/** The open app and its window. */
export interface LaunchedApp {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly home: string;
  /** Quits the app, cancelling a live run without asking, and removes a temporary home. */
  close(): Promise<void>;
}

const running = new Set<ChildProcess>();

/** Kills the processes of an abandoned test, because Playwright would ask the app to quit and wait forever. */
export function killApps(): void {
  for (const child of running) child.kill('SIGKILL');
}

/** Starts the real app and waits for its window. */
export async function launch(options: LaunchOptions = {}): Promise<LaunchedApp> {
  const found = await findRuntimes();
  const executablePath = options.electron ?? found.electron;
  const home = options.home ?? (await newHome());
  const removeHome = async () => {
    if (options.home !== undefined) return;
    await forgetServer(found.node, home);
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  const starting = _electron.launch({
    executablePath,
    args: [
      ...(options.isPackage ? [] : [root]),
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
      ...(options.args ?? []),
    ],
    cwd: root,
    env: environment({
      ...found.env,
      ...options.env,
      DYNO_HOME: home,
      DYNO_NODE: options.isPackage ? '' : found.node,
    }),
  });
  const app = await starting.catch(async (error: unknown) => {
    await removeHome();
    throw error;
  });
  askAgain(app);
  const child = app.process(); // read now, because Playwright no longer knows it after the app has ended
  running.add(child);
  child.once('exit', () => running.delete(child));
  const page = await app.firstWindow();
  await page.waitForLoadState('domcontentloaded');
  return {
    app,
    page,
    home,
    async close() {
      // A signal quits the app, because nobody answers "still running — quit?".
      const gone = child.exitCode !== null || child.signalCode !== null;
      let inTime = true;
      if (!gone) {
        const closed = new Promise<void>((done) => child.once('exit', () => done()));
        child.kill('SIGTERM');
        const patience = setTimeout(() => {
          inTime = false;
          child.kill('SIGKILL');
        }, quitsWithinMs);
        await closed;
        clearTimeout(patience);
      }
      await removeHome();
      if (!inTime) throw new Error(`The app did not quit within ${quitsWithinMs / 1_000} s.`);
    },
  };
}

async function newHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'dyno-home-'));
  const calibration = process.env.DYNO_TEST_CALIBRATION; // electron/setup/test-steps.mjs
  if (calibration !== undefined) await copyFile(calibration, join(home, 'calibration.json'));
  return home;
}

/** The app itself gives its runs 15 s (electron/quit.ts). */
const quitsWithinMs = 60_000;

const mostAsked = 10;

/** Repeats a request that V8's inspector has lost, as it does with requests during a garbage collection. */
function askAgain(app: ElectronApplication): void {
  const evaluate = app.evaluate.bind(app) as (...request: unknown[]) => Promise<unknown>;
  const patient = async (...request: unknown[]) => {
    for (let asked = 1; ; asked++) {
      try {
        return await evaluate(...request);
      } catch (error) {
        if (asked === mostAsked || !String(error).includes('promise was garbage collected')) throw error;
        await sleep(100 * asked);
      }
    }
  };
  app.evaluate = patient as typeof app.evaluate;
}

/** Stops the servers that Dyno started in a home, and deletes their data, which root stores outside the home. */
async function forgetServer(node: string, home: string): Promise<void> {
  const embedded = join(home, 'embedded');
  const kinds = existsSync(embedded) ? readdirSync(embedded) : [];
  if (!kinds.some((kind) => existsSync(join(embedded, kind, 'supervisor.log')))) return;
  for (const action of ['stop', 'reset']) {
    const env = environment({ DYNO_HOME: home, NODE_NO_WARNINGS: '1' });
    await promisify(execFile)(node, [join(root, 'dist/programs/workers/cli.js'), 'servers', action], { env });
  }
}

/** This process's environment, without variables that change what Electron does. */
function environment(more: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && entry[0] !== 'ELECTRON_RUN_AS_NODE' && entry[0] !== 'NODE_OPTIONS',
  );
  return { ...Object.fromEntries(inherited), ...more };
}

/** Paths of Electron and Node: those that `npm test` passes, else those that `npm start` uses. */
export async function findRuntimes(): Promise<{
  readonly electron: string;
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;
}> {
  const { DYNO_ELECTRON: electron, DYNO_NODE: node } = process.env;
  if (electron && node) return { electron, node, env: {} };
  const setup = (name: string) => import(new URL(`../electron/setup/${name}.mjs`, import.meta.url).href);
  const { ensureNode } = (await setup('node')) as { ensureNode(): Promise<string> };
  const { ensureWindow } = (await setup('window/ensure-window')) as {
    ensureWindow(wanted: { display: 'own' }): Promise<{ electron: string }>;
  };
  const { unpackedEnvironment } = (await setup('window/unpacked-packages')) as {
    unpackedEnvironment(): Readonly<Record<string, string>>;
  };
  const window = await ensureWindow({ display: 'own' });
  return { electron: window.electron, node: await ensureNode(), env: unpackedEnvironment() };
}
