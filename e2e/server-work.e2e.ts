import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { withServerEvents } from '#analysis/server/server-events.fixture.ts';
import type { ProbeInfo } from '#engine-api/probe.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { violations } from './axe.ts';
import { answerSaveDialog } from './driver.ts';
import { expect, test } from './fixtures.ts';
import { openRecorded } from './recorded-run.ts';

const recorded = (rate = 1) => withServerEvents(fixtureJournal({ connections: [1], repeats: 2 }), 'PostgreSQL', rate);
const chartOf = (page: Page) => page.getByRole('region', { name: 'Server’s own work', exact: true });
const tableOf = (page: Page) => page.getByRole('region', { name: 'Server’s own work in numbers' });

test('a server’s own timings are shown under the throughput, and in numbers', async ({ dyno }) => {
  const { app, page, home } = dyno;
  await openRecorded(dyno, recorded());
  await page.getByRole('tab', { name: 'Time series' }).click();
  const chart = chartOf(page);
  for (const title of ['Throughput (rows/s)', /^Journal write: \d+ times, longest/, /^Data flush: /, /^Data sync: /])
    await expect(chart.locator('text').filter({ hasText: title })).toHaveCount(1);
  const journalWrites = tableOf(page).getByRole('row', { name: /Journal write PostgreSQL/ });
  await expect(journalWrites.getByRole('cell')).toHaveText([
    'PostgreSQL',
    /^\d+$/,
    /s$/,
    /ms$/,
    /ms$|–/,
    /ms$/,
    /MiB$/,
  ]);

  // Another repeat shows another timeline; the numbers cover all repeats.
  const sums = await tableOf(page).innerText();
  await expect(chart).toContainText('Repeat 1 of 2.');
  await page.getByRole('button', { name: /In repeat/ }).click();
  await page.getByRole('option', { name: '2' }).click();
  await expect(chart).toContainText('Repeat 2 of 2.');
  expect(await tableOf(page).innerText()).toBe(sums);

  const choose = async (action: string) => {
    await chart.getByRole('button', { name: /Save or read/ }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const saved = async (format: 'SVG' | 'PNG' | 'CSV') => {
    const file = join(home, `work.${format.toLowerCase()}`);
    await answerSaveDialog(app, file);
    await choose(`Save as ${format}…`);
    await expect.poll(async () => (await readFile(file).catch(() => Buffer.of())).length).toBeGreaterThan(0);
    return readFile(file);
  };
  expect((await saved('SVG')).toString()).toContain('Data flush: ');
  expect([...(await saved('PNG')).subarray(1, 4)]).toEqual([...Buffer.from('PNG')]);
  const csv = (await saved('CSV')).toString();
  expect(csv).toMatch(/^variant,target,repeat,kind,label,at ms,duration ms,bytes,/);
  expect(csv).toMatch(/method=prepared connections=1,PostgreSQL,2,DataSync,Data sync,[\d.]+,[\d.]+,,1,/);
  await choose('Show as table');
  await expect(chart.getByRole('row', { name: /DataFlush/ }).first()).toBeVisible();
});

test('thousands of pieces are few marks, and the timeline of the run has them, too', async ({ dyno }) => {
  const { page } = dyno;
  await openRecorded(dyno, recorded(80));
  await page.getByRole('tab', { name: 'Timeline' }).click();
  await expect(page.getByRole('region', { name: 'Timeline of the run' })).toContainText(/pieces of it are drawn as/);
  await page.getByRole('tab', { name: 'Time series' }).click();
  await expect(chartOf(page)).toContainText(/\d+ pieces of it are drawn as/);
  expect(await chartOf(page).locator('svg path').count()).toBeLessThan(2_500);
});

test('its chart and table are free of accessibility violations', async ({ dyno }) => {
  const { page } = dyno;
  await openRecorded(dyno, recorded());
  for (const tab of ['Timeline', 'Time series']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByText('Data flush: ').first()).toBeVisible();
    expect(await violations(page), tab).toEqual([]);
  }
});

/** PostgreSQL with a session on the CPU, two waiting for the log, a checkpoint in second 3, and a missing metric. */
function* recordedTime(): Generator<JournalRecord> {
  const probeInfo: Readonly<Record<string, ProbeInfo>> = {
    running: { unit: 'count', label: 'Running', class: 'cpu' },
    'wait:*': { unit: 'count', label: 'Waiting', class: 'log' },
    checkpoints: { unit: 'count', label: 'Checkpoints', role: 'checkpoints' },
  };
  for (const record of fixtureJournal({ connections: [4], repeats: 1 })) {
    if (record.record === 'target' && record.target.name === 'PostgreSQL')
      yield { ...record, target: { ...record.target, probeInfo } };
    else if (record.record === 'probe')
      yield {
        ...record,
        sample: {
          counters: { checkpoints: record.atMs > 2_500 ? 1 : 0 },
          gauges: { running: 1, 'wait:IO:WalSync': 2 },
          unavailable: [],
          optional: ['Plans made: need a setting.'],
        },
      };
    else yield record;
  }
}

test('what the server’s time went into stands under the throughput, and in numbers with what it did not tell', async ({
  dyno,
}) => {
  const { page } = dyno;
  await openRecorded(dyno, recordedTime());
  await page.getByRole('tab', { name: 'Time series' }).click();
  const chart = page.getByRole('region', { name: 'Where the servers’ time went', exact: true });
  // The name stands in the legend and in the band.
  await expect(chart.locator('text').filter({ hasText: /^log and commit$/ })).toHaveCount(2);
  await expect(chart.locator('text').filter({ hasText: /^checkpoint$/ })).toHaveCount(1);
  await page.getByRole('tab', { name: 'Environment' }).click();
  const numbers = page.getByRole('region', { name: 'Where the servers’ time went, in numbers' });
  await expect(numbers.getByRole('row', { name: /PostgreSQL/ }).first()).toContainText(/log.and.commit.66\.7.%/);
  await expect(numbers.getByRole('row', { name: /PostgreSQL/ }).first()).toContainText('IO:WalSync');
  await expect(numbers).toContainText('Not reported by PostgreSQL:');
  await expect(numbers).toContainText('Plans made: need a setting.');
});

test('the server’s time is free of accessibility violations', async ({ dyno }) => {
  const { page } = dyno;
  await openRecorded(dyno, recordedTime());
  for (const tab of ['Time series', 'Environment']) {
    await page.getByRole('tab', { name: tab }).click();
    await expect(page.getByText('servers’ time went').first()).toBeVisible();
    expect(await violations(page), tab).toEqual([]);
  }
});

test('what is to be known of a target, and rows in memory, are said among the conditions', async ({ dyno }) => {
  const { page } = dyno;
  const notice = 'Discontinued; tested with its open-source descendant.';
  const changed = [...recorded()].map((record): JournalRecord => {
    if (record.record === 'target' && record.target.name === 'PostgreSQL') {
      const { descriptor, fingerprint } = record.target;
      const durability = { ...fingerprint!.durability, isolation: 'NONE' };
      const target = {
        ...record.target,
        descriptor: { ...descriptor, notice },
        fingerprint: { ...fingerprint!, durability },
      };
      return { ...record, target };
    }
    if (record.record !== 'result' || record.result.target === 'No-op engine') return record;
    const medium = record.result.target === 'PostgreSQL' ? 'memory' : 'disk';
    return { ...record, result: { ...record.result, storedBytes: { tableBytes: 34e6, indexBytes: 0, medium } } };
  });
  await openRecorded(dyno, changed);
  const caveats = page.getByRole('region', { name: 'Caveats' });
  await caveats.getByText('Data quality:').click();
  await expect(caveats).toContainText('Unequal isolation');
  await expect(caveats).toContainText('PostgreSQL in memory; SQLite on disk');
  await page.getByRole('tab', { name: 'Environment' }).click();
  const like = page.getByRole('region', { name: 'Settings compared' });
  await expect(like.getByRole('row', { name: /To know/ })).toContainText(notice);
  await expect(like.getByRole('row', { name: /isolation NONE/ }).locator('.differs')).not.toHaveCount(0);
  await expect(like.getByRole('row', { name: /stored rows are counted in memory on disk/ })).toBeVisible();
  const rows = page.getByRole('region', { name: 'Rows in the tables' });
  await expect(rows.getByRole('row', { name: /PostgreSQL/ }).first()).toContainText('B in memory');
  await expect(rows.getByRole('row', { name: /SQLite/ }).first()).not.toContainText('in memory');
});
