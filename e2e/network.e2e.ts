import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { openRecorded } from './recorded-run.ts';

const encoded = (ms: number) => {
  const histogram = new Histogram();
  histogram.recordMany(ms * 1e6, 5_000);
  return histogram.encode();
};

/** PostgreSQL behind a network emulator that should add 5 ms and added 5.2, or 7 with two connections. */
function* recorded(): Generator<JournalRecord> {
  for (const record of fixtureJournal({ connections: [1, 2], repeats: 2 })) {
    if (record.record === 'header') {
      const variants = record.plan.variants.map((variant) => ({
        ...variant,
        settings: { ...variant.settings, networkRoundTripMs: 5, networkJitterMs: 0, networkMbit: 100 },
      }));
      yield { ...record, plan: { ...record.plan, variants } };
    } else if (record.record === 'result' && record.result.target === 'PostgreSQL') {
      const added = encoded(record.result.variant.includes('connections=2') ? 7 : 5.2);
      const network = { intended: encoded(5), added, sentBytes: 1e6, receivedBytes: 1e6, utilisation: 0.12 };
      yield { ...record, result: { ...record.result, network } };
    } else yield record;
  }
}

test('what a network emulator added to the network stands under conditions, and what it could not keep is said', async ({
  dyno,
}) => {
  const { page } = dyno;
  await openRecorded(dyno, recorded());
  await page.getByRole('tab', { name: 'Environment' }).click();
  const table = page.getByRole('region', { name: 'Network between client and server' });
  const row = (name: RegExp) => table.getByRole('row', { name }).first().getByRole('cell');
  await expect(row(/ 1 PostgreSQL/)).toHaveText([
    'PostgreSQL',
    '5.00 ms, 100 Mbit/s',
    '5.20 ms',
    '5.20 ms',
    '5.20 ms',
    '12.0 %',
  ]);
  await expect(row(/ 2 PostgreSQL/).nth(2)).toHaveText('7.00 ms');
  await expect(row(/ 2 PostgreSQL/).nth(2)).toHaveClass(/differs/);
  await expect(table.getByRole('row', { name: /SQLite/ })).toHaveCount(0);
  expect(await violations(page)).toEqual([]);

  await page.getByRole('tab', { name: 'Summary' }).click();
  await page.getByRole('region', { name: 'Caveats' }).getByText('Data quality:').click();
  const slower = page.getByRole('listitem').filter({ hasText: 'The network was slower than set' });
  await expect(slower.getByText(/ · Connections: 2 on PostgreSQL/).first()).toBeVisible();
});
