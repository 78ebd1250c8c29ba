import { expect, test } from './fixtures.ts';

test('a page whose process crashed is loaded again', async ({ dyno }) => {
  const { app, page } = dyno;
  await expect(page.getByRole('heading', { level: 1, name: /Compare databases/ })).toBeVisible();
  // Asks the main process's window, because Playwright gives up a crashed page and hides its successor.
  const pagePid = () =>
    app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0);
  const before = await pagePid();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.forcefullyCrashRenderer());
  await expect.poll(async () => ![0, before].includes(await pagePid())).toBe(true);
});
