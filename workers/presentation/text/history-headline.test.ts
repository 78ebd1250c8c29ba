import { expect, test } from 'vitest';
import { madeHistory } from '../charts/made-history.fixture.ts';
import { historyHeadline } from './history-headline.ts';

const answerOf = (...made: Parameters<typeof madeHistory>) => historyHeadline(madeHistory(...made));

test('the answer names the greatest change of the latest run at which something changed, and what changed with it', () => {
  const { headline, certainty, isCertain, details, facts } = answerOf({ runs: 16, cells: 4, changeAt: 10 });
  expect(headline).toMatch(/^Since Nov 19, throughput of browse is 60\s% higher \(57–63\s%\)\.$/);
  expect(certainty).toBe('Beyond the scatter of the runs, at 95 % for all cells and metrics together');
  expect(isCertain).toBe(true);
  expect(details).toEqual([
    '2 things changed at once. To separate their effects, change one at a time.',
    '2 of 4 cells changed over these runs.',
  ]);
  expect(Object.fromEntries(facts)).toMatchObject({
    'Moved first': 'throughput of browse, and 1 more (Nov 19)',
    'With it changed': expect.stringMatching(/; shared_buffers 128 MB → 1 GB$/),
    Machine: 'within ± 3 % over all runs',
  });
});

test('a change at the run at which the machine changed is called uncertain', () => {
  const history = madeHistory({ runs: 12, cells: 1, changeAt: 6 });
  const series = history.series.map((one) => ({
    ...one,
    changes: one.changes.map((change) => ({
      ...change,
      verdict: 'cannotTell' as const,
      machine: 'The fixed calculation took 12 % longer from this run on.',
    })),
  }));
  const { certainty, isCertain, details } = historyHeadline({ ...history, series });
  expect([certainty, isCertain]).toEqual(['Not certain: the machine changed, too', false]);
  expect(details[0]).toBe('The fixed calculation took 12 % longer from this run on.');
});

test('a later change that is small does not lead the answer', () => {
  const history = madeHistory({ runs: 16, cells: 2, changeAt: 8 });
  const [first, , second] = history.series;
  const small = {
    ...first!.changes[0]!,
    ...{ at: 12, since: 11 },
    before: 100,
    after: 102,
    ratio: { value: 1.02, low: 1.01, high: 1.03 },
  };
  const series = [first!, { ...second!, changes: [small] }];
  expect(historyHeadline({ ...history, series }).headline).toMatch(/^Since Nov 15, throughput of browse is 60/);
  expect(historyHeadline({ ...history, series: [series[1]!] }).headline).toMatch(/^Since Nov 22, .* 2\.0\s% higher/);
});

test('times are higher or lower, and shares of failed calls go from one value to another', () => {
  const history = madeHistory({ runs: 12, cells: 1, changeAt: 6 });
  const [first] = history.series;
  const made = (unit: 'ms' | 'share', ratio: { value: number; low: number; high: number } | null) => ({
    ...history,
    series: [
      {
        ...first!,
        ...{ unit, quantity: unit === 'ms' ? 'p99' : 'errors' },
        changes: first!.changes.map((change) => ({ ...change, before: 0.001, after: 0.02, ratio })),
      },
    ],
  });
  expect(historyHeadline(made('ms', { value: 1.2, low: 1.1, high: 1.3 })).headline).toMatch(
    /^Since Nov 12, p99 is 20\s% longer/,
  );
  expect(historyHeadline(made('share', null)).headline).toMatch(/the share of failed calls is 2\.00\s% after 0\.1/);
});

test('few runs teach what comes next, and many runs without a change say so', () => {
  expect(answerOf({ runs: 1, cells: 2 })).toMatchObject({ headline: 'There is one run so far.', facts: [] });
  expect(answerOf({ runs: 1, cells: 2 }).details[0]).toMatch(/^Run it again after a patch/);
  expect(answerOf({ runs: 3, cells: 2 }).details[0]).toMatch(/^A change is shown from 4 runs on/);
  expect(answerOf({ runs: 4, cells: 2 }).details[0]).toMatch(/^With few runs/);
  expect(answerOf({ runs: 16, cells: 2 }).headline).toBe('No change is shown over 16 runs.');
});
