import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { violations } from './axe.ts';
import { quick } from './experiments.ts';
import { expect, test } from './fixtures.ts';
import { runIds } from './journal.ts';

test('runs stand together by experiment with their fastest variant, and two of them are compared', async ({ dyno }) => {
  test.slow(); // two runs
  const { page } = dyno;
  await dyno.setYaml(quick);
  for (const turn of ['first', 'second']) {
    await dyno.run();
    expect(await dyno.waitForResult()).toBe('complete');
    if (turn === 'first') {
      await page.getByRole('tab', { name: 'Notes' }).click();
      await page.getByRole('textbox', { name: 'Note' }).fill('before the index rebuild');
      expect(await violations(page), 'notes').toEqual([]);
    }
    await page.getByRole('navigation').getByRole('link', { name: 'Builder' }).click();
  }
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  const group = page.getByRole('region', { name: 'Quick check', exact: true });
  await expect(group).toContainText('2 runs');
  await expect(group.getByText(/on sqlite$/)).toHaveCount(2);
  await expect(group.getByText('8 of 8')).toHaveCount(2);
  expect(await violations(page), 'runs').toEqual([]);

  // A small window holds every column, and no text reaches into the next one.
  await page.setViewportSize({ width: 1_024, height: 700 });
  const parts = page.locator('.page-body, .runs-table tbody th');
  const tooWide = await parts.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).length);
  expect(tooWide).toBe(0);

  const search = page.getByRole('searchbox', { name: 'Filter runs' });
  await search.fill('no such run');
  await expect(page.getByText('No run matches')).toBeVisible();
  await search.fill('index rebuild');
  await expect(group.getByText('before the index rebuild')).toBeVisible();
  await expect(group).toContainText('1 run');
  await search.fill('quick sqlite');
  await expect(group).toBeVisible();

  const compare = page.getByRole('button', { name: 'Compare', exact: true });
  await expect(compare).toBeDisabled();
  for (const box of await group.getByRole('checkbox').all()) await box.press('Space');
  await compare.click();
  await expect(page.getByRole('region', { name: 'What changed' })).toContainText('Nothing that the run files hold');
  const table = page.getByRole('region', { name: 'Comparison' });
  await expect(table.getByRole('row')).toHaveCount(1 + 4);
  await expect(page.getByText(/^Of 4 variants on their targets:/)).toBeVisible();
  expect(await violations(page), 'comparison').toEqual([]);

  // The command line works in the same home.
  const [gone] = await runIds(dyno.home);
  await rm(join(dyno.home, 'runs', `${gone}.dyno-run`));
  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  await expect(group).toContainText('1 run');
});
