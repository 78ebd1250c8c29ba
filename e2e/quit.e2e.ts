import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slow } from '#integration/results/small-experiments.fixture.ts';
import { type DynoApp, launchApp } from './dyno-app.ts';
import { expect, test } from './fixtures.ts';

/** Closes the window twice before the question is answered, and keeps it open. Returns the number of questions. */
const closeTwice = ({ app }: DynoApp): Promise<number> =>
  app.evaluate(async ({ BrowserWindow, dialog }) => {
    const answers: ((answer: Electron.MessageBoxReturnValue) => void)[] = [];
    dialog.showMessageBox = (() => new Promise((answer) => answers.push(answer))) as typeof dialog.showMessageBox;
    const [window] = BrowserWindow.getAllWindows();
    window?.close();
    window?.close();
    await new Promise((later) => setTimeout(later, 100));
    for (const answer of answers) answer({ response: 0, checkboxChecked: false });
    return answers.length;
  });

/** Closes the window as a user would, and answers the question with this button. Returns the question. */
const closeWindow = ({ app }: DynoApp, button: string): Promise<string> =>
  app.evaluate(
    ({ BrowserWindow, dialog }, wanted) =>
      new Promise<string>((asked) => {
        dialog.showMessageBox = (async (_window: unknown, options: Electron.MessageBoxOptions) => {
          asked(options.message);
          return { response: options.buttons?.indexOf(wanted) ?? -1, checkboxChecked: false };
        }) as typeof dialog.showMessageBox;
        BrowserWindow.getAllWindows()[0]?.close();
      }),
    button,
  );

test('quitting during a run asks; the run is cancelled with a complete journal', async () => {
  const home = await mkdtemp(join(tmpdir(), 'dyno-home-'));
  try {
    const dyno = await launchApp({ home });
    await dyno.setYaml(slow);
    await dyno.run();

    expect(await closeTwice(dyno)).toBe(1);
    expect(await closeWindow(dyno, 'Keep Running')).toBe('Dyno is still running “Slow check”.');
    await expect(dyno.page.getByRole('button', { name: 'Cancel run' })).toBeVisible();
    expect(dyno.app.process().exitCode).toBeNull();

    const gone = new Promise((done) => dyno.app.process().once('exit', done));
    await closeWindow(dyno, 'Cancel Run and Quit').catch(() => {});
    expect(await gone).toBe(0);
    expect((await dyno.records()).at(-1)).toMatchObject({ record: 'end', status: 'cancelled' });
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});

test('unsaved changes survive a kill and a quit, and are discarded only on request', async () => {
  const home = await mkdtemp(join(tmpdir(), 'dyno-home-'));
  const drafts = join(home, 'electron/drafts.json');
  const forms = join(home, 'electron/connection-drafts.json');
  try {
    const killed = await launchApp({ home });
    await killed.openExperiment('Insert duel');
    await killed.showSection('Measurement');
    await killed.page.getByRole('textbox', { name: 'Maximum repeats' }).fill('17');
    await killed.page.getByRole('textbox', { name: 'Maximum repeats' }).press('Tab');
    // A second experiment replaces the first, which is set aside.
    await killed.openExperiment('Read by key');
    await killed.page
      .getByRole('region', { name: 'Form' })
      .getByRole('textbox', { name: 'Name', exact: true })
      .fill('Half typed');
    await expect.poll(() => readFile(drafts, 'utf8').catch(() => '')).toMatch(/max: 17[\s\S]*Half typed/);
    const dead = new Promise((done) => killed.app.process().once('exit', done));
    killed.app.process().kill('SIGKILL');
    await dead;

    const dyno = await launchApp({ home });
    await expect(dyno.page.getByRole('heading', { level: 1, name: 'Half typed' })).toBeVisible();
    await expect(dyno.page.getByText('Unsaved changes were restored')).toBeVisible();
    // The question also names changes that were set aside.
    expect(await closeWindow(dyno, 'Keep Editing')).toBe('The changes of “Insert duel”, “Read by key” are not saved.');
    await dyno.page.getByRole('button', { name: '1 draft with unsaved changes' }).click();
    await dyno.page.getByRole('menuitem', { name: 'Restore “Insert duel”' }).click();
    await dyno.showSection('Measurement');
    await expect(dyno.page.getByRole('textbox', { name: 'Maximum repeats' })).toHaveValue('17');
    await expect(dyno.page.getByText('Unsaved changes', { exact: true })).toBeVisible();

    expect(await closeWindow(dyno, 'Keep Editing')).toBe('The changes of “Read by key”, “Insert duel” are not saved.');
    await expect(dyno.page.getByText('Unsaved changes', { exact: true })).toBeVisible();
    // A connection without a saved version.
    await dyno.page.getByRole('navigation').getByRole('link', { name: 'Connections' }).click();
    await dyno.page.getByRole('button', { name: 'New connection' }).first().click();
    await dyno.page.getByRole('textbox', { name: 'Host' }).fill('db.example.com');
    await dyno.page.getByRole('textbox', { name: 'Port', exact: true }).fill('54x32');
    await expect.poll(() => readFile(forms, 'utf8').catch(() => '')).toMatch(/54x32/);
    const quit = new Promise((done) => dyno.app.process().once('exit', done));
    await closeWindow(dyno, 'Quit Without Saving').catch(() => {});
    expect(await quit).toBe(0);

    const last = await launchApp({ home });
    await expect(last.page.getByRole('heading', { level: 1, name: 'Insert duel' })).toBeVisible();
    await last.page.getByRole('navigation').getByRole('link', { name: 'Connections' }).click();
    await last.page.getByRole('button', { name: 'New connection' }).first().click();
    await expect(last.page.getByRole('textbox', { name: 'Host' })).toHaveValue('db.example.com');
    const port = last.page.getByRole('textbox', { name: 'Port', exact: true });
    await expect(port).toHaveValue('54x32');
    await expect(port).toHaveAttribute('aria-invalid', 'true');
    const gone = new Promise((done) => last.app.process().once('exit', done));
    await closeWindow(last, 'Discard Changes and Quit').catch(() => {});
    expect(await gone).toBe(0);
    await expect(access(drafts)).rejects.toThrow('ENOENT');
    await expect(access(forms)).rejects.toThrow('ENOENT');
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});

test('files that were opened together are all kept, and asked about', { tag: '@long' }, async () => {
  const home = await mkdtemp(join(tmpdir(), 'dyno-home-'));
  const names = ['first', 'second', 'third'];
  const args = names.map((name) => join(home, `${name}.sql`));
  try {
    for (const file of args) await writeFile(file, `SELECT '${file}';`);
    const dyno = await launchApp({ home, args });
    await expect(dyno.page.getByRole('heading', { level: 1, name: 'third' })).toBeVisible();
    await expect(dyno.page.getByText('Opened in the builder')).toHaveCount(1);
    await expect(dyno.page.getByText('This is the last of 3 files.')).toBeVisible();
    await expect(dyno.page.getByRole('button', { name: '2 drafts with unsaved changes' })).toBeVisible();
    const drafts = join(home, 'electron/drafts.json');
    await expect.poll(() => readFile(drafts, 'utf8').catch(() => '')).toMatch(/first[\s\S]*second[\s\S]*third/);
    expect(await closeWindow(dyno, 'Keep Editing')).toBe('The changes of “first”, “second”, “third” are not saved.');
    await dyno.close();
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});
