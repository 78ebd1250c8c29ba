import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ElectronApplication, Page } from '@playwright/test';
import type { DynoApp } from './dyno-app.ts';

/**
 * Brings an app back to its first start: ends its runs; deletes what its home and its page keep; gives Electron's
 * dialogs and shell, which tests replace, their own functions again; loads the page anew, in the system's theme and a
 * window of the first size. What stays tells a page nothing: the calibration, what is known of the gallery, Chromium's
 * profile, and what the main process remembers of connections and programs that are no longer there.
 *
 * Throws where anything else is left; such an app is of no further use.
 */
export type Reset = () => Promise<void>;

/** Call it before the first test; the result resets the app before each later test. */
export async function resetOf({ app, page, home }: DynoApp): Promise<Reset> {
  await keepFunctions(app);
  const size = await page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
  return async () => {
    await page.evaluate(endAndForget);
    await giveBackFunctions(app);
    await emptyHome(home);
    await page.emulateMedia({ colorScheme: null, reducedMotion: null });
    if ((await page.evaluate(() => innerWidth)) !== size.width) await page.setViewportSize(size);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: /Compare databases/ }).waitFor();
    const left = await whatIsLeft(page);
    if (left.length > 0) throw new Error(`The app still has ${JSON.stringify(left)}.`);
  };
}

interface PageBridge {
  readonly dyno: { request(channel: string, argument: unknown): Promise<{ readonly value: readonly unknown[] }> };
}

/** Runs in the page. Ends the runs, and discards drafts that the page would otherwise send again. */
async function endAndForget(): Promise<void> {
  const { dyno } = window as unknown as PageBridge;
  const live = async () => {
    const { value } = await dyno.request('runs:list', null);
    return (value as readonly { id: string; status: string }[]).filter(({ status }) => status === 'running');
  };
  for (const { id } of await live()) await dyno.request('runs:cancel', { runId: id });
  while ((await live()).length > 0) await new Promise((later) => setTimeout(later, 50));
  const last = Number(setTimeout(() => {}));
  for (let timer = 1; timer <= last; timer++) clearTimeout(timer);
  await dyno.request('drafts:keep', { drafts: [] });
  localStorage.clear();
  history.replaceState(null, '', location.pathname);
}

interface Kept {
  kept: { readonly dialog: object; readonly shell: object };
}

const keepFunctions = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ dialog, shell }) => {
    Object.assign(globalThis, { kept: { dialog: { ...dialog }, shell: { ...shell } } });
  });

const giveBackFunctions = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ dialog, shell }) => {
    const { kept } = globalThis as unknown as Kept;
    Object.assign(dialog, kept.dialog);
    Object.assign(shell, kept.shell);
  });

const staying = ['calibration.json', 'library.json', 'electron'];
const folders = ['runs', 'reports', 'experiments', 'trash', 'state', 'embedded'];

async function emptyHome(home: string): Promise<void> {
  const servers = (await readdir(join(home, 'embedded'))).filter((name) =>
    existsSync(join(home, 'embedded', name, 'supervisor.log')),
  );
  if (servers.length > 0) throw new Error(`The app has started ${servers.join(', ')}.`);
  const remove = (...path: readonly string[]) => rm(join(home, ...path), { recursive: true, force: true });
  for (const name of await readdir(home))
    if (folders.includes(name)) for (const inner of await readdir(join(home, name))) await remove(name, inner);
    else if (!staying.includes(name)) await remove(name);
  for (const name of ['passwords.json', 'recent.json']) await remove('electron', name);
}

/** The differences between the page's state and that of a newly started page. */
const whatIsLeft = (page: Page): Promise<readonly unknown[]> =>
  page.evaluate(async () => {
    const { dyno } = window as unknown as PageBridge;
    const lists = ['drafts:list', 'runs:list', 'files:recent'];
    const answers = await Promise.all(lists.map((channel) => dyno.request(channel, null)));
    return answers.flatMap(({ value }) => value);
  });
