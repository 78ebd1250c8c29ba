import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { quick } from '#integration/results/small-experiments.fixture.ts';
import { DynoError } from '#model/error.ts';
import { projectsDyno } from './dyno-app.ts';
import { expect, test } from './fixtures.ts';

const execute = promisify(execFile);
const root = fileURLToPath(new URL('..', import.meta.url));

/** The scripts of docs/driver.md. */
async function examples(): Promise<readonly string[]> {
  const document = await readFile(join(root, 'docs/driver.md'), 'utf8');
  return [...document.matchAll(/```js\n(import [\s\S]*?)```/g)].map(([, script = '']) => script);
}

/** Installs the package, made anew, into a folder outside of the project. */
async function installDriver(folder: string): Promise<void> {
  const make = join(root, 'electron/package/make-packages.mjs');
  const { stdout } = await execute(process.execPath, [make, 'driver', '--quick'], { cwd: root });
  const linked = (name: string) => `file:${join(root, 'node_modules', name)}`;
  const dependencies = {
    '@dyno/driver': `file:${join(root, stdout.trim().split(/\s/)[0] ?? '')}`,
    'playwright-core': linked('playwright-core'),
    '@types/node': linked('@types/node'),
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }));
  const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock'];
  await execute('npm', ['install', ...options], { cwd: folder, shell: process.platform === 'win32' });
}

test('the scripts of the documentation run from a folder of their own, with the package alone', {
  tag: '@long',
}, async () => {
  test.slow(); // an installation and three starts
  const folder = await mkdtemp(join(tmpdir(), 'dyno-driver-'));
  try {
    await installDriver(folder);
    const scripts = await examples();
    expect(scripts).toHaveLength(3);
    for (const [i, script] of scripts.entries()) await writeFile(join(folder, `example-${i}.mts`), script);
    const compile = [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--module', 'nodenext'];
    const lib = ['--target', 'es2024', '--lib', 'es2024,dom,esnext.disposable', '--types', 'node'];
    const files = scripts.map((_, i) => `example-${i}.mts`);
    await execute(process.execPath, [...compile, ...lib, ...files], { cwd: folder });

    const { window, node } = await projectsDyno();
    const env = { ...process.env, DYNO_APP: root, DYNO_ELECTRON: window, DYNO_NODE: node };
    const outputs: string[] = [];
    for (const file of files) outputs.push((await execute(process.execPath, [file], { cwd: folder, env })).stdout);
    const [first, second, third] = outputs;
    expect(first).toMatch(/^complete - .+/);
    expect(first).toContain('multiRow');
    expect((await readFile(join(folder, 'inserts.pdf'))).subarray(0, 5).toString()).toBe('%PDF-');
    for (const [picture, size] of [
      ['inserts.png', [1_280, 800]],
      ['builder.png', [1_280, 800]],
    ] as const) {
      const png = await readFile(join(folder, picture));
      expect([png.readUInt32BE(16), png.readUInt32BE(20)], picture).toEqual(size);
    }
    expect(second).toMatch(/repeats: 2\b/);
    expect(second).toMatch(/seconds: 2\b/);
    expect(second).toMatch(/rows: 500\b/);
    expect(third).toMatch(/^badInput - The experiment cannot run:\nline \d+: /);
    expect(third).toContain('\ncancelled\n');
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});

/** The error of an action of the driver. */
const errorOf = (action: Promise<unknown>): Promise<DynoError> =>
  action.then(
    () => Promise.reject(new Error('The action has no error.')),
    (thrown) => (thrown instanceof DynoError ? thrown : Promise.reject(thrown)),
  );

test('inputs are set by their labels, and what the window refuses is thrown with its words', { tag: '@long' }, async ({
  dyno,
}) => {
  test.slow(); // many presses
  await dyno.write(quick);
  expect(await dyno.text()).toBe(quick);
  await dyno.fill('Repeats', 3);
  await dyno.fill('A trial ends', 'After a time');
  await dyno.fill('Measured time (s)', 0.5);
  // An input in a fold of another section.
  await dyno.fill('Order', 'declared');
  await dyno.fill('Name', 'Another name', 'Question');
  const text = await dyno.text();
  for (const line of [
    'name: Another name',
    'repeats: 3',
    'seconds: 0.5',
    'order: declared',
    '# A comment that must survive.',
  ])
    expect(text).toContain(line);

  expect((await errorOf(dyno.fill('Repeats', 'many'))).message).toContain('“many” is not understood');
  await dyno.fill('Repeats', 1);
  expect((await errorOf(dyno.fill('Repeat', 1))).data).toMatchObject({
    message: 'The form has no input with the label “Repeat”.',
    hint: expect.stringContaining('Repeats'),
  });
  expect((await errorOf(dyno.fill('Order', 'upwards'))).data.hint).toContain('declared');
  expect((await errorOf(dyno.change({ set: { 'dataset.row': 20 } }))).data.hint).toContain('dataset.rows');
  await dyno.change({ set: { 'dataset.rows': 20, 'factors.method': ['prepared'], targets: ['noop'] } });
  expect(await dyno.problems()).toEqual([]);
  expect(await dyno.text()).toContain('rows: 20\n');
});

test('a file from elsewhere runs when the script trusts it, and only then', async ({ dyno }) => {
  const folder = await mkdtemp(join(tmpdir(), 'dyno-outside-'));
  const file = join(folder, 'given.dyno.yaml');
  await writeFile(file, quick.replace('[sqlite, noop]', '[noop]').replace('repeats: 2', 'repeats: 1'));
  try {
    expect((await errorOf(dyno.open(join(folder, 'gone.dyno.yaml')))).message).toContain(
      'Could not open gone.dyno.yaml',
    );
    await dyno.open(file);
    const refused = await errorOf(dyno.start());
    expect(refused.data).toMatchObject({ kind: 'notConfirmed', hint: expect.stringContaining('trust: true') });
    expect(refused.message).toContain('“Quick check” came from elsewhere');
    expect(await dyno.runs()).toEqual([]);

    const run = await dyno.start({ trust: true });
    const seen: number[] = [];
    expect(await run.wait({ onProgress: ({ trialsDone }) => seen.push(trialsDone) })).toBe('complete');
    expect(seen.length).toBeGreaterThan(0);
    await dyno.showPage('Home');
    await run.show('Latency');
    await expect(dyno.page.getByRole('tab', { name: 'Latency', selected: true })).toBeVisible();
    const { runId, trials } = await run.results({ series: true });
    expect(runId).toBe(run.id);
    expect(trials).toHaveLength(2);
    expect(trials[0]).toHaveProperty('series');
    const report = join(folder, 'report.md');
    await run.exportReport(report, { title: 'For the boss', hide: ['engines'] });
    expect(await readFile(report, 'utf8')).toContain('# For the boss');
    expect((await errorOf(run.exportReport(report, { sections: ['wrong'] }))).message).toContain('“wrong”');
    const picture = join(folder, 'chart.png');
    await run.show('Summary');
    const { hint } = (await errorOf(dyno.screenshot(picture, { chart: 'No such chart' }))).data;
    const [chart = ''] = /(?<=^It has )[^,]+/.exec(hint ?? '') ?? [];
    await dyno.screenshot(picture, { theme: 'dark', chart });
    expect((await readFile(picture)).subarray(1, 4).toString()).toBe('PNG');
  } finally {
    await rm(folder, { recursive: true });
  }
});
