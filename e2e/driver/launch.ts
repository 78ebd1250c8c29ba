import { existsSync, readdirSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DynoError } from '#model/error.ts';
import type { Dyno, LaunchOptions } from './api.ts';
import { type Attached, noDisplay, startElectron, startPackage } from './attach.ts';
import { runCommand } from './command-line.ts';
import { dynoOf } from './dyno.ts';
import { environment } from './environment.ts';
import { findInstallation, type Installation } from './installation.ts';
import { request } from './window.ts';

/**
 * Starts Dyno, and resolves when its window is there:
 *
 *     await using dyno = await launchDyno();
 *     await dyno.open('orders.dyno.yaml');
 *     const run = await dyno.start({ trust: true });
 *     await run.wait();
 *     console.log((await run.results()).answer.headline);
 */
export async function launchDyno(options: LaunchOptions = {}): Promise<Dyno> {
  return launchFrom(await findInstallation(options.dyno, options.build ?? true), options);
}

/** Starts the Dyno of an installation. `attach`: the way into its window. */
export async function launchFrom(
  installation: Installation,
  { home: wanted, env = {}, args = [], calibration, timeoutMs = 60_000 }: Omit<LaunchOptions, 'dyno' | 'build'>,
  attach = installation.isPackage ? startPackage : startElectron,
): Promise<Dyno> {
  const all = environment({ ...installation.env, ...env });
  if (process.platform === 'linux' && !all.DISPLAY && !all.WAYLAND_DISPLAY) throw noDisplay();
  const own = wanted === undefined ? await mkdtemp(join(tmpdir(), 'dyno-home-')) : null;
  const home = own ?? (wanted ? resolve(wanted) : null);
  const removeHome = async () => {
    if (own !== null) await forgetHome(installation, own);
  };
  try {
    if (calibration !== undefined && home !== null) await copyFile(calibration, join(home, 'calibration.json'));
    const attached = await attach({
      program: installation.window,
      args: [...installation.windowArgs, ...args],
      env: { ...all, ...(home !== null && { DYNO_HOME: home }) },
      timeoutMs,
    });
    const close = () => quit(attached).finally(removeHome);
    try {
      await attached.page.getByRole('navigation').waitFor({ timeout: timeoutMs });
      const found = home ?? (await request(attached.page, 'app:info', null)).home;
      return dynoOf(attached, installation, found, close);
    } catch (thrown) {
      await quit(attached);
      throw thrown;
    }
  } catch (thrown) {
    await removeHome();
    throw thrown;
  }
}

/** The app itself gives its runs 15 s (electron/quit.ts). */
const quitsWithinMs = 60_000;

/** Ends the app by a signal, because nobody answers whether to quit although a run is going on. */
async function quit({ process: child, detach }: Attached): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  let inTime = true;
  const ended = new Promise((done) => child.once('exit', done));
  await detach();
  child.kill('SIGTERM');
  const patience = setTimeout(() => {
    inTime = false;
    child.kill('SIGKILL');
  }, quitsWithinMs);
  await ended;
  clearTimeout(patience);
  if (!inTime) throw new DynoError('timeout', `Dyno did not quit within ${quitsWithinMs / 1_000} s.`);
}

/** Removes a temporary home, and before it the servers of the home, whose data root stores elsewhere. */
async function forgetHome(installation: Installation, home: string): Promise<void> {
  const embedded = join(home, 'embedded');
  const kinds = existsSync(embedded) ? readdirSync(embedded) : [];
  if (kinds.some((kind) => existsSync(join(embedded, kind, 'supervisor.log'))))
    for (const action of ['stop', 'reset']) await runCommand(installation, home, ['servers', action]);
  await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
