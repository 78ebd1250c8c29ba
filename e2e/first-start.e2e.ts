import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { quick } from './experiments.ts';
import { expect, test } from './fixtures.ts';

test('the first start shows the starter experiment, ready to run', async ({ dyno }) => {
  await expect(dyno.page.getByRole('heading', { level: 1, name: /insert duel/i })).toBeVisible();
  await expect(dyno.page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
});

test('an experiment runs from the window to its report', async ({ dyno }) => {
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
});
