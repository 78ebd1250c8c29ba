import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { violations } from './axe.ts';
import { quick } from './experiments.ts';
import { expect, test } from './fixtures.ts';
import { runIds } from './journal.ts';

test('the first start is one screen with one button; the tour fills the wait and can be skipped and found again', async ({
  dyno,
}) => {
  const { app, page } = dyno;
  await expect(page.getByRole('heading', { level: 1, name: /Compare databases in a minute/ })).toBeVisible();
  await expect(page.getByText(/Dyno brings PostgreSQL and SQLite/)).toBeVisible();
  await expect(page.getByRole('region', { name: 'What will be measured' })).toContainText('cannot');
  expect(await violations(page), 'first start').toEqual([]);

  const awake = () => app.evaluate(({ powerSaveBlocker }) => [0, 1, 2, 3].some((id) => powerSaveBlocker.isStarted(id)));
  expect(await awake()).toBe(false);
  await page.getByRole('button', { name: /Run the insert comparison.*about/ }).click();
  await expect(page.getByRole('button', { name: 'Cancel run' })).toBeVisible({ timeout: 60_000 });
  expect(await awake()).toBe(true);
  const tour = page.getByRole('complementary', { name: 'Tour' });
  await expect(tour.getByRole('heading', { name: 'A run' })).toBeVisible();
  await page.keyboard.press('Enter'); // on Next, which has the focus
  await expect(page.getByRole('heading', { level: 1, name: 'Experiments' })).toBeVisible();
  await tour.getByRole('button', { name: 'Skip the tour' }).click();
  await expect(tour).toHaveCount(0);

  // The run went on meanwhile, and Home leads to it.
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await page.getByRole('region', { name: 'Last run' }).getByRole('button', { name: 'Show it' }).click();
  await dyno.cancel();
  expect(await dyno.waitForResult()).toBe('cancelled');
  await expect.poll(awake).toBe(false);

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

test('an experiment runs from the window to its report', async ({ dyno }) => {
  test.slow(); // two runs
  await dyno.setYaml(quick);
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

  // The second run is one press.
  await dyno.page.getByRole('navigation').getByRole('link', { name: 'Home' }).click();
  await expect(dyno.page.getByRole('region', { name: 'Recent runs' })).toContainText('Quick check');
  expect(await violations(dyno.page), 'home').toEqual([]);
  await dyno.page.getByRole('region', { name: 'Last run' }).getByRole('button', { name: 'Run again' }).click();
  await expect.poll(() => runIds(dyno.home), { timeout: 60_000 }).toHaveLength(2);
  await expect(dyno.page.getByRole('button', { name: 'Run again' })).toBeVisible({ timeout: 120_000 });
});
