import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serverTimeRun, serverWorkRun } from '#integration/results/recorded-runs.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { choose, drawnTexts, openRecorded, openTab, region } from '../dev/window.fixture.tsx';

const chartOf = () => region('Server’s own work');
const tableOf = () => region('Server’s own work in numbers');
const drawnLike = (chart: HTMLElement, pattern: RegExp) => drawnTexts(chart).filter((text) => pattern.test(text));

test('a server’s own timings are shown under the throughput, and in numbers', async () => {
  const dyno = await openRecorded(serverWorkRun());
  await openTab(dyno, 'Time series');
  const chart = await chartOf();
  for (const title of [/Throughput \(rows\/s\)/, /^Journal write: \d+ times, longest/, /^Data flush: /, /^Data sync: /])
    await expect.poll(() => drawnLike(chart, title)).toHaveLength(1);
  const table = await tableOf();
  const journalWrites = within(table).getAllByRole('row', { name: /Journal write PostgreSQL/ })[0]!;
  const texts = within(journalWrites)
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);
  for (const [i, pattern] of [/^PostgreSQL$/, /^\d+$/, /s$/, /ms$/, /ms$|–/, /ms$/, /MiB$/].entries())
    expect(texts[i]).toMatch(pattern);
  expect(texts).toHaveLength(7);

  // Another repeat shows another timeline; the numbers cover all repeats.
  const sums = table.textContent;
  expect(chart).toHaveTextContent('Repeat 1 of 2.');
  await choose(dyno, screen.getByRole('button', { name: /In repeat/ }), '2');
  await expect.poll(async () => (await chartOf()).textContent).toContain('Repeat 2 of 2.');
  expect((await tableOf()).textContent).toBe(sums);

  const save = async (format: string) =>
    choose(dyno, within(await chartOf()).getByRole('button', { name: /Save or read/ }), `Save as ${format}…`);
  // The test has no server for the file of the font.
  vi.stubGlobal('fetch', async () => new Response('font'));
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  await save('SVG');
  await save('CSV');
  await expect.poll(() => dyno.saved.map(({ format }) => format)).toEqual(['svg', 'csv']);
  const [svg, csv] = dyno.saved.map(({ data }) => data);
  expect(svg).toContain('Data flush: ');
  expect(csv).toMatch(/^variant,target,repeat,kind,label,at ms,duration ms,bytes,/);
  expect(csv).toMatch(/method=prepared connections=1,PostgreSQL,2,DataSync,Data sync,[\d.]+,[\d.]+,,1,/);
  await choose(dyno, within(await chartOf()).getByRole('button', { name: /Save or read/ }), 'Show as table');
  expect((await within(await chartOf()).findAllByRole('row', { name: /DataFlush/ }))[0]).toBeVisible();
});

test('thousands of pieces are few marks, and the timeline of the run has them, too', async () => {
  const dyno = await openRecorded(serverWorkRun(80));
  await openTab(dyno, 'Timeline');
  expect(await region('Timeline of the run')).toHaveTextContent(/pieces of work are drawn as/);
  await openTab(dyno, 'Time series');
  const chart = await chartOf();
  expect(chart).toHaveTextContent(/\d+ pieces of work are drawn as/);
  const marks = () => chart.querySelectorAll('svg path').length;
  await expect.poll(marks).toBeGreaterThan(0);
  expect(marks()).toBeLessThan(2_500);
});

test('what the server’s time went into stands under the throughput, and in numbers with what it did not tell', async () => {
  const dyno = await openRecorded(serverTimeRun());
  await openTab(dyno, 'Time series');
  const chart = await region('Where the servers’ time went');
  // The name is in the legend and in the band.
  await expect.poll(() => drawnLike(chart, /^log and commit$/)).toHaveLength(2);
  expect(drawnLike(chart, /^checkpoint$/)).toHaveLength(1);
  await openTab(dyno, 'Environment');
  const numbers = await region('Where the servers’ time went, in numbers');
  const row = within(numbers).getAllByRole('row', { name: /PostgreSQL/ })[0];
  expect(row).toHaveTextContent(/log.and.commit.66\.7.%/);
  expect(row).toHaveTextContent('IO:WalSync');
  expect(numbers).toHaveTextContent('Not reported by PostgreSQL:');
  expect(numbers).toHaveTextContent('Plans made: need a setting.');
});

test('what is to be known of a target, and rows in memory, are said among the conditions', async () => {
  const notice = 'Discontinued; tested with its open-source descendant.';
  const changed = [...serverWorkRun()].map((record): JournalRecord => {
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
  const dyno = await openRecorded(changed);
  const caveats = await region('Caveats');
  await dyno.user.click(within(caveats).getByText(/Data quality:/));
  expect(caveats).toHaveTextContent('Unequal isolation');
  expect(caveats).toHaveTextContent('PostgreSQL in memory; SQLite on disk');
  await openTab(dyno, 'Environment');
  const like = within(await region('Settings compared'));
  expect(like.getByRole('row', { name: /Notes/ })).toHaveTextContent(notice);
  expect(like.getByRole('row', { name: /isolation NONE/ }).querySelector('.differs')).not.toBeNull();
  like.getByRole('row', { name: /stored rows are counted in memory on disk/ });
  const rows = within(await region('Rows in the tables'));
  expect(rows.getAllByRole('row', { name: /PostgreSQL/ })[0]).toHaveTextContent('B in memory');
  expect(rows.getAllByRole('row', { name: /SQLite/ })[0]).not.toHaveTextContent('in memory');
});
