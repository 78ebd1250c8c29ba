import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quick } from '#integration/results/small-experiments.fixture.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { runIds } from './journal.ts';

test('the first start is one screen with one button, and the tour shows the pages', async ({ freshDyno: dyno }) => {
  const { app, page } = dyno;
  await expect(page.getByRole('heading', { level: 1, name: /Compare databases in a minute/ })).toBeVisible();
  await expect(page.getByText(/Dyno brings PostgreSQL and SQLite/)).toBeVisible();
  await expect(
    page.getByRole('img', { name: /Sample from another machine: rows per second of each insert method/ }),
  ).toBeVisible();
  expect(await violations(page), 'first start').toEqual([]);

  const awake = () => app.evaluate(({ powerSaveBlocker }) => [0, 1, 2, 3].some((id) => powerSaveBlocker.isStarted(id)));
  expect(await awake()).toBe(false);
  await page.getByRole('button', { name: /Run the insert comparison.*about/ }).click();
  await expect(page.getByRole('button', { name: 'Cancel run' })).toBeVisible({ timeout: 60_000 });
  expect(await awake()).toBe(true);
  // The run has continued, and Home links to it.
  const explained = page.getByRole('complementary', { name: 'First result' });
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await page.getByRole('region', { name: 'Last run' }).getByRole('button', { name: 'Show it' }).click();
  await dyno.cancel();
  expect(await dyno.waitForResult()).toBe('cancelled');
  await expect.poll(awake).toBe(false);

  // There is no complete result to explain.
  await expect(explained).toHaveCount(0);

  const tour = page.getByRole('complementary', { name: 'Tour' });
  await page.keyboard.press('?');
  await page.getByRole('button', { name: 'Take the tour' }).click();
  for (const title of ['A run', 'Experiments', 'The builder', 'Connections', 'Finding things']) {
    await expect(tour.getByRole('heading', { name: title })).toBeVisible();
    if (title === 'The builder') expect(await violations(page), 'tour').toEqual([]);
    await tour.getByRole('button', { name: /Next|Done/ }).click();
  }
  await expect(tour).toHaveCount(0);
  await expect(page.getByRole('region', { name: 'Last run' }).getByRole('button', { name: 'Resume' })).toBeVisible();
});

test('three marks explain the first result, and never again', async ({ freshDyno: dyno }) => {
  const { app, page } = dyno;
  const button = page.getByRole('button', { name: /Run the insert comparison.*about/ });
  await button.waitFor();
  // The starter with a twentieth of its trials, because their results do not matter here.
  const file = new URL('../experiments/insert-duel.dyno.yaml', import.meta.url);
  const text = (await readFile(file, 'utf8'))
    .replace('seconds: 0.25, precision: 0.1', 'seconds: 0.1')
    .replace('repeats: { min: 6, max: 9 }', 'repeats: 1');
  await app.evaluate(({ ipcMain }, short) => {
    ipcMain.removeHandler('experiments:read');
    ipcMain.handle('experiments:read', () => ({ ok: true, value: { text: short } }));
  }, text);
  await button.click();
  expect(await dyno.waitForResult()).toBe('complete');
  const explained = page.getByRole('complementary', { name: 'First result' });
  await expect(explained.getByRole('heading', { name: 'The answer' })).toBeVisible();
  expect(await violations(page), 'mark').toEqual([]);
  await explained.getByRole('button', { name: 'Next' }).click();
  await expect(explained.getByRole('heading', { name: 'The picture' })).toBeVisible();
  await explained.getByRole('button', { name: 'Next' }).click();
  await expect(explained.getByRole('heading', { name: 'The reasons' })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(explained).toHaveCount(0);
  // The keyboard continues within the page, not at the window's start.
  await expect(page.getByRole('main')).toBeFocused();
  await page.reload();
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await page
    .getByRole('region', { name: 'Insert duel' })
    .getByRole('link')
    .first()
    .or(page.getByRole('button', { name: 'Insert duel' }))
    .first()
    .click();
  await expect(page.getByRole('tab', { name: 'Summary' })).toBeVisible();
  await expect(explained).toHaveCount(0);
});

test('an experiment runs from the window to its report', { tag: '@long' }, async ({ dyno }) => {
  test.slow(); // two runs
  await dyno.setYaml(quick.replace('[sqlite, noop]', '[sqlite]'));
  await expect(dyno.page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
  await dyno.run();
  expect(await dyno.waitForResult()).toBe('complete');

  const results = await dyno.results();
  const sqlite = results.filter((row) => row.target === 'sqlite');
  expect(sqlite).toHaveLength(4);
  for (const row of sqlite) {
    expect(row).toMatchObject({ status: 'ok', error: null });
    expect(row.rows).toBeGreaterThan(0);
    expect(row.rowsPerSecond).toBeGreaterThan(0);
  }

  const folder = await mkdtemp(join(tmpdir(), 'dyno-report-'));
  try {
    const file = join(folder, 'report.html');
    await dyno.exportReport(file);
    const html = await readFile(file, 'utf8');
    expect(html).toContain('Quick check');
    expect(html).not.toMatch(/<(script|link|img)[^>]+(src|href)="https?:/);
  } finally {
    await rm(folder, { recursive: true });
  }

  // One press starts the second run.
  await dyno.page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await expect(dyno.page.getByRole('region', { name: 'Recent runs' })).toContainText('Quick check');
  expect(await violations(dyno.page), 'home').toEqual([]);
  await dyno.page.getByRole('region', { name: 'Last run' }).getByRole('button', { name: 'Run again' }).click();
  await expect.poll(() => runIds(dyno.home), { timeout: 60_000 }).toHaveLength(2);
  await expect(dyno.page.getByRole('button', { name: 'Run again' }).first()).toBeVisible({ timeout: 120_000 });
});
