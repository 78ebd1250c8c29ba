import type { Page } from '@playwright/test';
import { partLabels } from '#analysis/client/client-time.ts';
import { callTime, processTime } from '#analysis/findings/shared/findings.fixture.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { ClientHealth } from '#protocol/measurement.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { openRecorded } from './recorded-run.ts';

/** A run whose trials had two client processes each, the second one busier at encoding than the first. */
function* recorded(): Generator<JournalRecord> {
  const health = <T extends ClientHealth>(before: T, worker: number): T => ({
    ...before,
    processTime: processTime({ encodeMs: 2_500 + 2_000 * worker, decodeMs: 1_500 }),
    callTime: callTime(100, { seen: 50, sendMs: 0.5, waitMs: 3, receiveMs: 1.5, roundTrips: 2 }),
  });
  for (const record of fixtureJournal({ connections: [4], repeats: 2 }))
    if (record.record === 'snapshot')
      for (const worker of [0, 1])
        yield { ...record, snapshot: { ...record.snapshot, worker, health: health(record.snapshot.health, worker) } };
    else if (record.record === 'result')
      yield { ...record, result: { ...record.result, health: health(record.result.health, 0) } };
    else yield record;
}

const openTab = (page: Page, name: string) => page.getByRole('tab', { name }).click();

test('bands of the clients’ time are shown under the throughput, for all processes or each one', async ({ dyno }) => {
  const { page } = dyno;
  await openRecorded(dyno, recorded());
  await openTab(page, 'Time series');
  const chart = page.getByRole('region', { name: 'Where the clients’ time went', exact: true });
  const text = (pattern: string | RegExp) => chart.locator('text').filter({ hasText: pattern });
  await expect(text('Throughput (rows/s)')).toHaveCount(1);
  await expect(text('Client’s time, PostgreSQL')).toHaveCount(1);
  await expect(text(partLabels.wait).first()).toBeVisible();
  await expect(text(partLabels.generate)).toHaveCount(0);

  // The checkbox is set by keyboard.
  await page.getByRole('checkbox', { name: 'Each client process by itself' }).press('Space');
  await expect(text('Client’s time, PostgreSQL, process 1')).toHaveCount(1);
  await expect(text('Client’s time, PostgreSQL, process 2')).toHaveCount(1);

  await chart.getByRole('button', { name: /Save or read/ }).click();
  await page.getByRole('menuitem', { name: 'Show as table' }).click();
  await expect(chart.getByRole('columnheader', { name: `${partLabels.encode} (share)` })).toBeVisible();
});

test('cells have a bar of the clients’ time, and one of a mean call', async ({ dyno }) => {
  const { page } = dyno;
  await openRecorded(dyno, recorded());
  await openTab(page, 'Latency');
  const calls = page.getByRole('region', { name: 'A call, from its start to its answer' });
  await expect(calls).toContainText('prepared · Connections: 4 · PostgreSQL');
  await expect(calls).toContainText(/5\.00.ms, 2\.0 round trips/);
  const shares = page.getByRole('region', { name: 'Where the client’s time went', exact: true });
  for (const share of [/55\.0.%/, /25\.0.%/, /15\.0.%/]) await expect(shares).toContainText(share);
});

test('both are free of accessibility violations', async ({ dyno }) => {
  const { page } = dyno;
  await openRecorded(dyno, recorded());
  for (const tab of ['Time series', 'Latency']) {
    await openTab(page, tab);
    await expect(page.getByText(partLabels.wait).first()).toBeVisible();
    expect(await violations(page), tab).toEqual([]);
  }
});
