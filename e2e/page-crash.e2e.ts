import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { quick } from '#integration/results/small-experiments.fixture.ts';
import { expect, test } from './fixtures.ts';

test('a page whose process crashed is loaded again with its unsaved changes; one that keeps crashing does not hold up the app', async ({
  freshDyno: dyno,
}) => {
  const { app } = dyno;
  await dyno.setYaml(quick);
  await expect
    .poll(() => readFile(join(dyno.home, 'electron/drafts.json'), 'utf8').catch(() => ''))
    .toContain('A comment that must survive');
  // Uses the main process's window, because Playwright abandons a crashed page and hides its successor.
  const pagePid = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0);
  const first = await pagePid();
  process.kill(first, 'SIGKILL');
  await expect.poll(async () => ![0, first].includes(await pagePid())).toBe(true);
  const title = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(`document.querySelector('h1')?.textContent`),
    );
  await expect.poll(title).toBe('Quick check');

  process.kill(await pagePid(), 'SIGKILL');
  const isCrashed = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.isCrashed() ?? false);
  await expect.poll(isCrashed).toBe(true);
});
