import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { commitJournal } from '#analysis/cells/commits.fixture.ts';
import { callJournal } from '#analysis/cells/per-call.fixture.ts';
import { sweepJournal } from '#analysis/compare/sweep.fixture.ts';
import { emulatedNetworkRun, openLoadRun } from '#integration/results/recorded-runs.fixture.ts';
import { choose, drawnTexts, openRecorded, openTab, region } from '../dev/window.fixture.tsx';

const loads = [1, 2, 4, 8, 16, 24, 32];
const drawnLike = (chart: HTMLElement, pattern: RegExp) => drawnTexts(chart).filter((text) => pattern.test(text));
const rowOf = (table: HTMLElement, name: RegExp) => within(table).getAllByRole('row', { name })[0]!;

test('calls that are reported one by one have a table and a chart', async () => {
  await openRecorded(callJournal());
  const rows = within(await region('Reported per call')).getAllByRole('row', { name: /multiRow.*PostgreSQL/ });
  expect(rows).toHaveLength(3);
  expect(rows[0]).toHaveTextContent(/330\sms.*cold/);
  expect(rows[2]).toHaveTextContent(/55\sms.*hot/);
  await screen.findAllByText(/call 1 \(cold\) took 6\.00×/);
  const chart = await region('Service time of each call');
  await expect.poll(() => drawnLike(chart, /multiRow · Connections: 1 · call 1/)).not.toEqual([]);
});

test('commits have a table and a chart of their own', async () => {
  const dyno = await openRecorded(commitJournal(3));
  await openTab(dyno, 'Latency');
  const table = await region('Commits');
  expect(rowOf(table, /prepared.*1 PostgreSQL/)).toHaveTextContent(/3\.0\d\sms/);
  expect(within(table).queryAllByRole('row', { name: /SQLite/ })).toEqual([]);
  const chart = await region('Commit latency over Connections');
  await expect.poll(() => drawnLike(chart, /WAL\/redo per commit/)).not.toEqual([]);
});

test('a sweep over connections has its law on the chart and in numbers, and what throughput costs in latency', async () => {
  const dyno = await openRecorded(sweepJournal({ loads }));
  await openTab(dyno, 'Summary');
  const chart = await region('How it scales with connections');
  expect(chart).toHaveTextContent('the Universal Scalability Law');
  // λ 10,000, σ 0.06, κ 0.004: the peak is at √(0.94 ÷ 0.004) = 15.3 connections.
  await expect.poll(() => drawnLike(chart, /^peak 15 \(1[45]–1[67]\)$/)).not.toEqual([]);

  const sweep = await within(await region('Scalability')).findByRole('region', { name: 'PostgreSQL · prepared' });
  expect(sweep).toHaveTextContent(/Throughput is highest at 15 \(1[45]–1[67]\) connections/);
  within(sweep).getByRole('row', { name: /^σ contention 0\.0[56]\d* \(/ });
  await dyno.user.click(within(sweep).getByText('Load by load'));
  expect(within(within(sweep).getByRole('table', { name: /^Loads of/ })).getAllByRole('row')).toHaveLength(
    1 + loads.length,
  );

  const latency = await region('Latency over throughput');
  await expect.poll(() => drawnLike(latency, /^p50/)).not.toEqual([]);
  expect(drawnLike(latency, /^1 PostgreSQL$/)).not.toEqual([]);
  await choose(dyno, within(latency).getByRole('button', { name: /Save or read/ }), 'Show as table');
  await within(latency).findByRole('row', { name: /prepared PostgreSQL 32 / });
});

test('where the client was measured no law is claimed, and it says so', async () => {
  const dyno = await openRecorded(sweepJournal({ loads, saturatedFrom: 8 }));
  await openTab(dyno, 'Summary');
  expect(await region('How it scales with connections')).toHaveTextContent('The law could not be fitted');
  expect(await region('Scalability')).toHaveTextContent('At 8, 16, 24, 32 connections every repeat is client-bound.');
});

test('offered load, throughput and waiting are shown in numbers and under every chart', async () => {
  const dyno = await openRecorded(openLoadRun());
  await openTab(dyno, 'Summary');
  const load = await region('Load');
  expect(load).toHaveTextContent('response p50: 42.0 ms');
  expect(load).toHaveTextContent('wait p50: 30.0 ms');
  expect(rowOf(load, /PostgreSQL/)).toHaveTextContent('173');
  const remark =
    'Load: open, 200 arrivals/s (Poisson) on 4 connections; in stages: usual 2 s at 100 %, rush 3 s 100 % to 200 %';
  expect(await region('Comparison')).toHaveTextContent(remark);

  await openTab(dyno, 'Latency');
  expect(await region('Response time by percentile')).toHaveTextContent('Response time, from the intended start.');
  const charts = document.querySelectorAll('section.chart');
  expect(charts.length).toBeGreaterThan(1);
  for (const chart of charts) expect(chart).toHaveTextContent(remark);

  await openTab(dyno, 'Time series');
  const waiting = await region('Waiting for a connection');
  await expect.poll(() => waiting.textContent).toContain('rush');
  expect(rowOf(await region('Stages of the load'), /rush/)).toHaveTextContent('80.0');

  await openTab(dyno, 'Definition');
  expect(await screen.findByRole('row', { name: /^Stages/ })).toHaveTextContent('rush 3 s');
});

test('a network emulator’s delay stands under conditions, and a delay that it could not keep is said', async () => {
  const dyno = await openRecorded(emulatedNetworkRun());
  await openTab(dyno, 'Environment');
  const table = await region('Network between client and server');
  const cells = (name: RegExp) => within(rowOf(table, name)).getAllByRole('cell');
  expect(cells(/ 1 PostgreSQL/).map(({ textContent }) => textContent.replaceAll(/\s/g, ' '))).toEqual([
    'PostgreSQL',
    '5.20 ms',
    '5.20 ms',
    '5.20 ms',
  ]);
  // Columns that are alike in all rows are said once.
  for (const text of ['5.00\u00a0ms, 100\u00a0Mbit/s', '12.0\u00a0%'])
    expect(table).toHaveTextContent(text.replaceAll('\u00a0', ' '));
  expect(cells(/ 2 PostgreSQL/)[1]).toHaveTextContent('7.00 ms');
  expect(cells(/ 2 PostgreSQL/)[1]).toHaveClass(/differs/);
  expect(within(table).queryAllByRole('row', { name: /SQLite/ })).toEqual([]);

  await openTab(dyno, 'Summary');
  const caveats = await region('Caveats');
  await dyno.user.click(within(caveats).getByText(/Data quality:/));
  const slower = within(caveats)
    .getAllByRole('listitem')
    .find(({ textContent }) => textContent.includes('The network was slower than set'));
  expect(within(slower!).getAllByText(/ · Connections: 2 on PostgreSQL/)[0]).toBeVisible();
});
