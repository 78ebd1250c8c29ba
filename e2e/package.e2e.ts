import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { quick } from '#integration/results/small-experiments.fixture.ts';
import { startPackage } from './driver/attach.ts';
import { launchApp } from './dyno-app.ts';
import { expect, test } from './fixtures.ts';
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

test('the package holds built code alone, and the command line runs an experiment', { tag: '@long' }, async () => {
  const programs = join(installed.folder, 'usr/lib/dyno/resources/dyno');
  const files = await readdir(programs, { recursive: true });
  expect(files.filter((file) => /\.tsx?$/.test(file))).toEqual([]);
  for (const name of ['typescript', 'vite', '@playwright', 'electron', '@types', '@rollup'])
    expect(files).not.toContain(`node_modules/${name}`);

  const file = join(home, 'quick.dyno.yaml');
  const report = join(home, 'report.html');
  await writeFile(file, quick);
  const env = plainEnvironment({ DYNO_HOME: home });
  const { stdout } = await execute(installed.dyno, ['run', file, '--report', report], { env });
  expect(stdout).toContain('Quick check — Does everything work?');
  expect(await readFile(report, 'utf8')).toContain('Quick check');
});

test('no argument or variable makes the window run or debug other code than the package’s', {
  tag: '@long',
}, async () => {
  const script = join(home, 'other.cjs');
  const proof = join(home, 'it-ran');
  await writeFile(script, `require('node:fs').writeFileSync(${JSON.stringify(proof)}, '')`);
  await using window = await startInstalled({
    program: installed.window,
    args: ['--inspect=0', '--require', script],
    env: { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: `--require ${script}` },
  });
  await expect(window.page.getByRole('navigation')).toBeVisible();
  expect(window.page.url()).toBe('app://dyno/index.html');
  expect(window.said()).not.toContain('Debugger listening');
  expect(existsSync(proof)).toBe(false);
});

test('the installed window runs the starter and exports its report', { tag: '@long' }, async () => {
  const dyno = await launchApp({ dyno: installed.drivable, home });
  try {
    await dyno.openExperiment('Insert duel');
    await dyno.setYaml(await shortStarter(installed));
    await expect(dyno.page.getByRole('tab', { name: /Problems/ })).toContainText('0');
    await dyno.run();
    expect(await dyno.waitForResult()).toBe('complete');
    const results = await dyno.results();
    expect(new Set(results.map(({ target }) => target))).toEqual(new Set(['embedded-postgres', 'sqlite']));
    for (const row of results) expect(row).toMatchObject({ status: 'ok', error: null });

    const report = join(home, 'starter.html');
    await dyno.exportReport(report);
    expect(await readFile(report, 'utf8')).toContain('Insert duel');
  } finally {
    await dyno.close();
  }
});

test('a run file opens by association in the window as it is installed', { tag: '@long' }, async () => {
  const [run] = await runIds(home);
  const file = pathToFileURL(join(home, 'runs', `${run}.dyno-run`)).href;
  await using window = await startInstalled(await installed.open(file));
  await expect(window.page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
});

test('a link shows an experiment, and runs nothing', { tag: '@long' }, async () => {
  await using window = await startInstalled(await installed.open('dyno://open?gallery=insert-duel'));
  await expect(window.page.getByRole('heading', { level: 1, name: 'Insert duel' })).toBeVisible();
  await expect(window.page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  expect(await runIds(window.home)).toEqual([]);
});

interface Start {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the installed window with a separate home, and drives its page with Chromium's own protocol. */
async function startInstalled({ program, args, env = {} }: Start) {
  const own = await mkdtemp(join(tmpdir(), 'dyno-home-'));
  const remove = () => rm(own, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  const start = { program, args, env: { ...plainEnvironment(), ...env, DYNO_HOME: own }, timeoutMs: 60_000 };
  const {
    page,
    process: child,
    said,
    detach,
  } = await startPackage(start).catch(async (thrown: unknown) => {
    await remove();
    throw thrown;
  });
  return {
    page,
    home: own,
    said,
    async [Symbol.asyncDispose]() {
      const ended = new Promise((done) => child.once('close', done));
      await detach();
      child.kill('SIGTERM');
      await ended;
      await remove();
    },
  };
}

/** The starter with one repeat, as typed on a command line. */
async function shortStarter({ folder }: InstalledPackage): Promise<string> {
  const file = join(folder, 'usr/lib/dyno/resources/dyno/experiments/insert-duel.dyno.yaml');
  const text = await readFile(file, 'utf8');
  return text
    .replace(/^(measure|sizes):\n(?:[ #].*\n|\n)*/gm, '')
    .concat('measure: { until: { seconds: 0.3 }, repeats: 1 }\n');
}
