import { namedRun } from '#integration/results/recorded-runs.fixture.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { writeRecorded } from './recorded-run.ts';

test('the runs, their notes and their comparison fit into a small window, without accessibility violations', async ({
  dyno,
}) => {
  const { page } = dyno;
  const rail = (name: string) => page.getByRole('navigation').getByRole('link', { name }).click();
  await writeRecorded(
    dyno,
    namedRun('Insert duel', '2026-11-20T08:00:00Z', 0.6),
    namedRun('Insert duel', '2026-11-21T08:00:00Z', 0.5),
  );
  await rail('Runs');
  const group = page.getByRole('region', { name: 'Insert duel', exact: true });
  await group.getByRole('button', { name: /2026/ }).last().click();
  await page.getByRole('tab', { name: 'Notes' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill('before the index rebuild');
  expect(await violations(page), 'notes').toEqual([]);
  await rail('Runs');
  await expect(group.getByText('before the index rebuild')).toBeVisible();
  expect(await violations(page), 'runs').toEqual([]);

  // A small window holds every column, and no text reaches into the next one.
  await page.setViewportSize({ width: 1_024, height: 700 });
  const parts = page.locator('.page-body, .runs-table tbody th');
  const tooWide = await parts.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  expect(tooWide).toBe(0);

  for (const box of await group.getByRole('checkbox').all()) await box.press('Space');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await expect(page.getByRole('region', { name: 'What changed' })).toBeVisible();
  expect(await violations(page), 'comparison').toEqual([]);
});
