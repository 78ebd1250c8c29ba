import { expect, it } from 'vitest';
import { madeTournament, storeChanges } from '#analysis/compare/tournament.fixture.ts';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { timesOf } from '#analysis/run-model/journal-parts.fixture.ts';
import { renderText } from './run-text.ts';

it('tells what failed before the table, and what is doubtful after it', () => {
  const run = madeRun({
    trial: ({ repeat }) =>
      repeat === 1
        ? {
            result: {
              status: 'failed',
              error: {
                kind: 'serverGone',
                code: '57P01',
                message: 'The server went away.',
                hint: '',
                retryable: false,
              },
            },
          }
        : {},
    repeats: 2,
  });
  const text = renderText(run);
  const places = ['\nFailed:\n', 'rows/s ', '\nCaveats:\n'].map((part) => text.indexOf(part));
  expect(Math.min(...places)).toBeGreaterThan(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});

it('marks a percentile that is not known, and says why', () => {
  const loaded = (unfinished: number) =>
    renderText(
      madeRun({
        workload: { operation: 'readByKey', load: 'open', arrivalsPerSecond: 100, connections: 4 },
        repeats: 1,
        trial: () => {
          const response = timesOf([5, 1_000]);
          const load = {
            ...{ arrivals: 1_000 + unfinished, ended: 1_000, failed: 0, afterwards: 0, unfinished },
            ...{ responseMs: 5_000, thinkMs: 0, waiting: 0 },
            ...{ response, sinceStart: response, startError: response, wait: response },
          };
          return { rate: 100, totals: { load } };
        },
      }),
    );
  const line = (text: string) => text.split('\n').find((one) => one.startsWith('default') && one.includes('server'));
  expect(line(loaded(0))).toMatch(/5\.00\sms\s+5\.00\sms/);
  expect(loaded(0)).not.toContain('A dash at p50 or p99');
  // A twentieth of all arrivals never ended, so there is no 99th percentile.
  expect(line(loaded(53))).toMatch(/5\.00\sms\s+–/);
  expect(loaded(53)).toMatch(/A dash at p50 or p99 means: .*given up/);
});

it('has no name or message of a run file write a line of its own', () => {
  const forged = '\nFailed:\n  nothing\u001b[2K';
  const error = {
    kind: 'serverGone' as const,
    code: null,
    message: `It went away.${forged}`,
    hint: forged,
    retryable: false,
  };
  const run = madeRun({
    trial: ({ repeat }) => (repeat === 1 ? { result: { status: 'failed', error } } : {}),
    repeats: 2,
  });
  const { plan } = run;
  const named = { ...plan, experiment: { ...plan.experiment, name: `A${forged}`, question: `Is it?\u2028${forged}` } };
  const text = renderText({ ...run, plan: named });
  expect(text.split('\n').filter((line) => line === 'Failed:')).toHaveLength(1);
  for (const evil of ['\u001b', '\u2028']) expect(text).not.toContain(evil);
});

it('tells the tournament of changes of the file, whose numbers are those of the answer', () => {
  const text = renderText(madeTournament({ changes: storeChanges })).replaceAll('\u00a0', ' ');
  expect(text).toContain(
    '• With “covering index”, search is 40.6× faster (39.9–41.4×); certain at 95 % among 6 comparisons of times.',
  );
  expect(text).toMatch(
    /Tournament:\nChange +search, p95 +sell, p99 \(writes\) +Indexes +Tables +Built in +Plan, reason\n/,
  );
  expect(text).toMatch(/\ncovering index +40\.6× faster \(39\.9–41\.4×\) +10\s% slower \(8\.5–12\s%\) +12\.1 MiB/);
  expect(text).not.toContain('Judged times:');
});

it('has the costs beside the throughputs where targets have prices, and says which target has none', () => {
  const run = madeRun({
    targets: [{ name: 'Alpha' }, { name: 'Beta' }, { name: 'Gamma' }],
    trial: ({ target, repeat }) => ({ rate: (target === 'Beta' ? 1_000 : 2_000) * (1 + 0.005 * (repeat % 3)) }),
  });
  const priced = (perHour: Readonly<Record<string, number>>) => {
    const prices = { currency: 'EUR', perHour };
    return renderText({ ...run, plan: { ...run.plan, experiment: { ...run.plan.experiment, prices } } });
  };
  const lines = priced({ Alpha: 7.2, Beta: 1.8 }).split('\n');
  const from = lines.indexOf('Cost:');
  expect(lines[from + 1]).toMatch(/Price per hour \(EUR\) +Cost per million rows \(EUR\) +Rows per EUR/);
  expect(lines[from + 2]).toMatch(/Alpha .*7\.20 +0\.992 \(.*\) +1\.\d+M \(.*\) +baseline/u);
  expect(lines[from + 3]).toMatch(/Beta .*2\.\d+× \(.*\), significantly more/u);
  expect(lines[from + 4]).toMatch(/Gamma .*no price/);
  expect(priced({})).not.toContain('Cost:');
});

it('shows the bytes per second beside the rows of inserts, and no such column where nothing is known', () => {
  const textOf = (result: { readonly valueBytes?: { readonly rows: number; readonly bytes: number } }) =>
    renderText(madeRun({ workload: { operation: 'insert' }, trial: () => ({ rate: 1_000, result }) }));
  const text = textOf({ valueBytes: { rows: 2, bytes: 2_048 } });
  expect(text).toMatch(/rows\/s\s+bytes\/s\s+ratio/);
  expect(text).toMatch(/1\.00k\s.*\s1,000\sKiB\/s/);
  expect(textOf({})).not.toContain('bytes/s');
});
