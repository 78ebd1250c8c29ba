import { commitJournal } from '#analysis/cells/commits.fixture.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { openRecorded } from './recorded-run.ts';

test('commits have a table and a chart of their own, without accessibility violations', async ({ dyno }) => {
  const { page } = dyno;
  await openRecorded(dyno, commitJournal(3));
  await page.getByRole('tab', { name: 'Latency' }).click();
  const table = page.getByRole('region', { name: 'Commits', exact: true });
  const row = table.getByRole('row', { name: /prepared.*1 PostgreSQL/ }).first();
  await expect(row).toContainText(/3\.0\d\sms/);
  await expect(table.getByRole('row', { name: /SQLite/ })).toHaveCount(0);
  const chart = page.getByRole('region', { name: 'Commit latency over Connections' });
  await expect(
    chart
      .locator('text')
      .filter({ hasText: /WAL\/redo per commit/ })
      .first(),
  ).toBeVisible();
  expect(await violations(page)).toEqual([]);
});
