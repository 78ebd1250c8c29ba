import { callJournal } from '#analysis/cells/per-call.fixture.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { openRecorded } from './recorded-run.ts';

test('calls that are reported one by one have a table and a chart, without accessibility violations', async ({
  dyno,
}) => {
  const { page } = dyno;
  await openRecorded(dyno, callJournal());
  const table = page.getByRole('region', { name: 'Reported per call', exact: true });
  const rows = table.getByRole('row', { name: /multiRow.*PostgreSQL/ });
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText(/330\sms.*cold/);
  await expect(rows.nth(2)).toContainText(/55\sms.*hot/);
  await expect(page.getByText(/call 1 \(cold\) took 6\.00×/).first()).toBeVisible();
  const chart = page.getByRole('region', { name: 'Service time of each call' });
  await expect(chart.locator('text').filter({ hasText: 'multiRow · Connections: 1 · call 1' }).first()).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
