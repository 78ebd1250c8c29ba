import { sweepJournal } from '#analysis/compare/sweep.fixture.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { openRecorded } from './recorded-run.ts';

const loads = [1, 2, 4, 8, 16, 24, 32];

test('a sweep over connections has its law on the chart and in numbers, and what throughput costs in latency', async ({
  dyno,
}) => {
  const { page } = dyno;
  await openRecorded(dyno, sweepJournal({ loads }));
  await page.getByRole('tab', { name: 'Summary' }).click();
  const chart = page.getByRole('region', { name: 'How it scales with connections', exact: true });
  await expect(chart).toContainText('the Universal Scalability Law');
  // λ 10,000, σ 0.06, κ 0.004: the peak is at √(0.94 ÷ 0.004) = 15.3 connections.
  await expect(chart.locator('text').filter({ hasText: /^peak 15 \(1[45]–1[67]\)$/ })).not.toHaveCount(0);

  const numbers = page.getByRole('region', { name: 'Scalability', exact: true });
  const sweep = numbers.getByRole('region', { name: 'PostgreSQL · prepared' });
  await expect(sweep).toContainText(/Throughput is highest at 15 \(1[45]–1[67]\) connections/);
  await expect(sweep.getByRole('row', { name: /^σ contention 0\.0[56]\d* \(/ })).toBeVisible();
  await sweep.getByText('Load by load').press('Enter');
  await expect(sweep.getByRole('table', { name: /^Loads of/ }).getByRole('row')).toHaveCount(1 + loads.length);

  const latency = page.getByRole('region', { name: 'Latency over throughput', exact: true });
  await expect(latency.locator('text').filter({ hasText: /^p50/ })).not.toHaveCount(0);
  await expect(latency.locator('text').filter({ hasText: /^1 PostgreSQL$/ })).not.toHaveCount(0);
  await latency.getByRole('button', { name: /Save or read/ }).click();
  await page.getByRole('menuitem', { name: 'Show as table' }).click();
  await expect(latency.getByRole('row', { name: /prepared PostgreSQL 32 / })).toBeVisible();
});

test('where the client was measured no law is claimed, and it says so', async ({ dyno }) => {
  const { page } = dyno;
  await openRecorded(dyno, sweepJournal({ loads, saturatedFrom: 8 }));
  await page.getByRole('tab', { name: 'Summary' }).click();
  await expect(page.getByRole('region', { name: 'How it scales with connections', exact: true })).toContainText(
    'No law is drawn',
  );
  await expect(page.getByRole('region', { name: 'Scalability', exact: true })).toContainText(
    'At 8, 16, 24, 32 connections every repeat is client-bound.',
  );
});

test('its charts and tables are free of accessibility violations', async ({ dyno }) => {
  const { page } = dyno;
  await openRecorded(dyno, sweepJournal({ loads }));
  await page.getByRole('tab', { name: 'Summary' }).click();
  await page.getByText('Load by load').first().click();
  expect(await violations(page)).toEqual([]);
});
