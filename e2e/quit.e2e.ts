import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type DynoApp, launchDyno } from './driver.ts';
import { slow } from './experiments.ts';

/** Closes the window as a user would, and answers the question with this button. */
async function closeWindow({ app }: DynoApp, button: string): Promise<void> {
  await app.evaluate(({ BrowserWindow, dialog }, wanted) => {
    dialog.showMessageBox = (async (_window: unknown, options: Electron.MessageBoxOptions) => ({
      response: options.buttons?.indexOf(wanted) ?? -1,
      checkboxChecked: false,
    })) as typeof dialog.showMessageBox;
    BrowserWindow.getAllWindows()[0]?.close();
  }, button);
}

test('quitting during a run asks; the run is cancelled with a complete journal', async () => {
  const home = await mkdtemp(join(tmpdir(), 'dyno-home-'));
  try {
    const dyno = await launchDyno({ home });
    await dyno.setYaml(slow);
    await dyno.run();

    await closeWindow(dyno, 'Keep Running');
    await expect(dyno.page.getByRole('button', { name: 'Cancel run' })).toBeVisible();
    expect(dyno.app.process().exitCode).toBeNull();

    const gone = new Promise((done) => dyno.app.process().once('exit', done));
    await closeWindow(dyno, 'Cancel Run and Quit');
    expect(await gone).toBe(0);
    expect((await dyno.records()).at(-1)).toMatchObject({ record: 'end', status: 'cancelled' });
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});

test('quitting with unsaved changes asks', async () => {
  const dyno = await launchDyno();
  try {
    await dyno.openExperiment('Insert duel');
    await dyno.page.getByRole('textbox', { name: 'Repeats' }).fill('2');
    await dyno.page.getByRole('textbox', { name: 'Repeats' }).press('Tab');
    await expect(dyno.page.getByText('Unsaved changes')).toBeVisible();

    await closeWindow(dyno, 'Keep Editing');
    await expect(dyno.page.getByText('Unsaved changes')).toBeVisible();
    const gone = new Promise((done) => dyno.app.process().once('exit', done));
    await closeWindow(dyno, 'Quit Without Saving');
    expect(await gone).toBe(0);
  } finally {
    await dyno.close();
  }
});
