import { type ChildProcess, spawn } from 'node:child_process';
import { _electron, chromium, type ElectronApplication, type Page } from 'playwright-core';
import { DynoError } from '#model/error.ts';

/** The start of a program of the window. */
interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** A started window and the way into it. */
export interface Attached {
  readonly page: Page;
  readonly app: ElectronApplication | null;
  readonly process: ChildProcess;
  /** The last text that a package's program has printed. */
  said(): string;
  /** Lets go of the window, which stays open. */
  detach(): Promise<void>;
}

/** Chromium's sandbox cannot work as root. */
const sandbox = (): readonly string[] => (process.getuid?.() === 0 ? ['--no-sandbox'] : []);

/** Starts a clone's Electron, whose main process Playwright enters as well. */
export async function startElectron({ program, args, env, timeoutMs }: Start): Promise<Attached> {
  const app = await _electron
    .launch({ executablePath: program, args: [...args, ...sandbox()], env: { ...env }, timeout: timeoutMs })
    .catch((thrown: unknown) => {
      throw startError(String(thrown)) ?? thrown;
    });
  const child = app.process(); // read now, because Playwright no longer knows it after the app has ended
  const page = await app.firstWindow({ timeout: timeoutMs }).catch((thrown: unknown) => {
    child.kill('SIGKILL');
    throw thrown;
  });
  return { page, app, process: child, said: () => '', detach: async () => {} };
}

/**
 * Starts the window of a package. Its fuses let nobody into the main process, so Playwright uses Chromium's own
 * protocol for the page alone.
 */
export async function startPackage({ program, args, env, timeoutMs }: Start): Promise<Attached> {
  const child = spawn(program, [...args, ...sandbox(), '--remote-debugging-port=0'], {
    env: { ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let printed = '';
  const said = () => printed;
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed = (printed + text).slice(-10_000);
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  try {
    const browser = await chromium.connectOverCDP(await debuggerOf(child, said, timeoutMs), { timeout: timeoutMs });
    const [context] = browser.contexts();
    const page = context?.pages()[0] ?? (await context?.waitForEvent('page', { timeout: timeoutMs }));
    if (page === undefined) throw new DynoError('other', 'The window has no page.');
    return { page, app: null, process: child, said, detach: () => browser.close() };
  } catch (thrown) {
    kill();
    throw thrown;
  }
}

/** The address that Chromium prints. */
function debuggerOf(child: ChildProcess, said: () => string, timeoutMs: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const fail = () =>
    reject(startError(said()) ?? new DynoError('timeout', `The window did not start:\n${said().trim()}`));
  const timer = setTimeout(fail, timeoutMs);
  child.once('error', reject).once('close', fail);
  child.stderr?.on('data', () => {
    const address = /DevTools listening on (ws:\S+)/.exec(said())?.[1];
    if (address !== undefined) resolve(address);
  });
  return promise.finally(() => clearTimeout(timer));
}

/** The reason why the window did not open, in what its program has printed; null: another one. */
function startError(said: string): DynoError | null {
  const [open] = /Dyno is already open on .*?(?=;)/.exec(said) ?? [];
  if (open !== undefined)
    return new DynoError('badInput', `${open}.`, { hint: 'Close it, or use another home: launchDyno({ home: … }).' });
  return /Missing X server|cannot open display|ozone_platform_x11/i.test(said) ? noDisplay() : null;
}

/** The error of a start without a display. */
export const noDisplay = (): DynoError =>
  new DynoError('unsupported', 'The window needs a display, and this process has none.', {
    hint: 'Run the script on a display without a screen: xvfb-run -a node SCRIPT. Debian’s package is xvfb.',
  });
