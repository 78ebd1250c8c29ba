import { expect, test } from './fixtures.ts';

test('a page whose process crashed is loaded again; one that keeps crashing does not hold up the app', async ({
  dyno,
}) => {
  const { app, page } = dyno;
  await expect(page.getByRole('heading', { level: 1, name: 'Insert duel' })).toBeVisible();
  // Asks the main process's window, because Playwright gives up a crashed page and hides its successor.
  const pagePid = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0);
  const first = await pagePid();
  process.kill(first, 'SIGKILL');
  await expect.poll(async () => ![0, first].includes(await pagePid())).toBe(true);

  process.kill(await pagePid(), 'SIGKILL');
  const isCrashed = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.isCrashed() ?? false);
  await expect.poll(isCrashed).toBe(true);
});
