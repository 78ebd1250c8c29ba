import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium, expect, test } from '@playwright/test';
import { launchDyno } from './driver.ts';
import { quick } from './experiments.ts';
import { type InstalledPackage, installPackage, plainEnvironment } from './installed-package.ts';
import { runIds } from './journal.ts';

const execute = promisify(execFile);

test.skip(process.platform !== 'linux' || !existsSync('/usr/bin/dpkg-deb'), 'a .deb is made where dpkg is');
test.describe.configure({ mode: 'serial' });

let installed: InstalledPackage;
let home: string;

test.beforeAll(async () => {
  test.setTimeout(600_000); // for a first build on a busy machine
  installed = await installPackage();
  home = await mkdtemp(join(tmpdir(), 'dyno-home-'));
});

test.afterAll(async () => {
  if (home !== undefined) {
    const env = plainEnvironment({ DYNO_HOME: home });
    for (const action of ['stop', 'reset']) await execute(installed.dyno, ['servers', action], { env });
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
  await installed?.[Symbol.asyncDispose]();
});

test('the package holds built code alone, and the command line runs an experiment', async () => {
  const programs = join(installed.folder, 'usr/lib/dyno/resources/dyno');
  const files = await readdir(programs, { recursive: true });
  expect(files.filter((file) => /\.tsx?$/.test(file))).toEqual([]);
  for (const name of ['typescript', 'vite', '@playwright', 'electron'])
    expect(files).not.toContain(`node_modules/${name}`);

  const file = join(home, 'quick.dyno.yaml');
  const report = join(home, 'report.html');
  await writeFile(file, quick);
  const env = plainEnvironment({ DYNO_HOME: home });
  const { stdout } = await execute(installed.dyno, ['run', file, '--report', report], { env });
  expect(stdout).toContain('Quick check — Does everything work?');
  expect(await readFile(report, 'utf8')).toContain('Quick check');
});

test('no argument or variable makes the window run other code than the package’s', async () => {
  const script = join(home, 'other.js');
  const proof = join(home, 'it-ran');
  await writeFile(script, `require('node:fs').writeFileSync(${JSON.stringify(proof)}, '')`);
  const start = (args: readonly string[], env: Readonly<Record<string, string>>) =>
    execute(installed.window, [...args, '--version'], { env: plainEnvironment({ DYNO_HOME: home, ...env }) });
  await start([script], { ELECTRON_RUN_AS_NODE: '1' });
  await start([], { NODE_OPTIONS: `--require ${script}` });
  expect(existsSync(proof)).toBe(false);
});

test('the installed window runs the starter and exports its report', async () => {
  const dyno = await launchDyno({ electron: installed.drivable, isPackage: true, home });
  try {
    await dyno.openExperiment('Insert duel');
    await dyno.setYaml(await shortStarter(installed));
    await expect(dyno.page.getByRole('tab', { name: /Problems/ })).toContainText('0');
    await dyno.run();
    expect(await dyno.waitForResult()).toBe('complete');
    const results = await dyno.results();
    expect(new Set(results.map(({ target }) => target))).toEqual(new Set(['embedded-postgres', 'sqlite', 'noop']));
    for (const row of results) expect(row).toMatchObject({ status: 'ok', error: null });

    const report = join(home, 'starter.html');
    await dyno.exportReport(report);
    expect(await readFile(report, 'utf8')).toContain('Insert duel');
  } finally {
    await dyno.close();
  }
});

test('a run file opens by association in the window as it is installed', async () => {
  const [run] = await runIds(home);
  const opened = await mkdtemp(join(tmpdir(), 'dyno-home-'));
  test.skip(!existsSync(new URL('../electron/open-requests.ts', import.meta.url)), 'the window opens no files yet');
  const { program, args } = await installed.open(pathToFileURL(join(home, 'runs', `${run}.dyno-run`)).href);
  expect(program).toBe(installed.window);
  const child = spawn(program, [...args, ...sandboxArgs, '--remote-debugging-port=0'], {
    env: plainEnvironment({ DYNO_HOME: opened }),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((done) => child.once('close', done));
  try {
    const browser = await chromium.connectOverCDP(await debuggingAddress(child.stderr));
    const [context] = browser.contexts();
    const page = context?.pages()[0] ?? (await context?.waitForEvent('page'));
    await expect(page!.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
    await browser.close();
  } finally {
    child.kill('SIGTERM');
    await ended;
    await rm(opened, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});

const sandboxArgs = process.getuid?.() === 0 ? ['--no-sandbox'] : [];

/** The address that Chromium prints for --remote-debugging-port. Rejects if it ends without. */
async function debuggingAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  for await (const chunk of stderr) {
    said += chunk;
    const address = /DevTools listening on (ws:\S+)/.exec(said)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`The window ended at once:\n${said}`);
}

/** The starter with a repeat each and fewer rows, as one would type it. */
async function shortStarter({ folder }: InstalledPackage): Promise<string> {
  const file = join(folder, 'usr/lib/dyno/resources/dyno/experiments/insert-duel.dyno.yaml');
  const text = await readFile(file, 'utf8');
  return text
    .replace(/^ {2}rows: 20000$/m, '  rows: 10000')
    .replace(/^(measure|sizes):\n(?:[ #].*\n|\n)*/gm, '')
    .concat('measure: { repeats: 1 }\n');
}
