import { expect, test } from 'vitest';
import { waits } from '#engine-api/probe-info.ts';
import { lightTheme } from '#presentation/charts/kit/theme.ts';
import { waitHistogram } from '#presentation/charts/wait-histogram.ts';
import { waitCsv, waitTable } from '#presentation/tables/server/wait-table.ts';
import { type MadeRun, madeRun } from '../findings/shared/findings.fixture.ts';
import { serverSummaries } from './server-summary.ts';

const most = (count: number, totalMs: number, more: object = {}) => ({
  ...{ name: 'direct path read temp', class: 'User I/O', count, totalMs, longestMs: null },
  ...more,
});
const run = (trial: MadeRun['trial'], target: object = {}) =>
  madeRun({ targets: [{ name: 'server', ...target }], repeats: 2, ...(trial && { trial }) });
const waitsOf = (model: ReturnType<typeof run>) => serverSummaries(model)[0]?.waits ?? null;

test('counted waits of all repeats are added up, with their histograms', () => {
  const model = run(({ repeat }: { readonly repeat: number }) => ({
    result: {
      waits: {
        ...{ totalMs: 100, kinds: 7 },
        most: [
          most(10, 60, {
            ...{ longestMs: repeat * 8, isBound: true },
            buckets: [
              [repeat, 4],
              [8, 6],
            ],
          }),
          { name: 'log file sync', class: 'Commit', count: 1, totalMs: 5, longestMs: 5 },
        ],
      },
    },
  }));
  expect(waitsOf(model)).toEqual({
    ...{ method: 'counted', totalMs: 200, kinds: 7 },
    most: [
      {
        ...{ name: 'direct path read temp', class: 'User I/O', count: 20, totalMs: 120 },
        ...{ longest: { ms: 16, isBound: true } },
        buckets: [
          [1, 4],
          [2, 4],
          [8, 12],
        ],
      },
      {
        ...{ name: 'log file sync', class: 'Commit', count: 2, totalMs: 10, buckets: [] },
        longest: { ms: 5, isBound: false },
      },
    ],
  });
  const [first] = waitTable(model).rows;
  expect(first!.cells.slice(1).map(String)).toEqual([
    ...['server', 'direct path read temp', 'User I/O', '20', '120\u00a0ms', '60.0\u00a0%', '6.00\u00a0ms'],
    ...['≤ 16.0\u00a0ms', 'counted'],
  ]);
  expect(waitCsv(model).rows).toHaveLength(2);
});

test('the distribution of waits is drawn without the bounds of a damaged file that a log axis has not', () => {
  const buckets = [
    [-1e-6, 2],
    [0, 4],
    [8, 6],
  ];
  const model = run(() => ({ result: { waits: { totalMs: 60, kinds: 1, most: [most(12, 60, { buckets })] } } }));
  expect(waitsOf(model)?.most[0]?.buckets).toEqual([[8, 12]]);
  expect(waitHistogram(model, 'direct path read temp', lightTheme).data.rows).toHaveLength(1);
});

test('a repeat that does not tell the longest wait leaves it unknown', () => {
  const model = run(({ repeat }: { readonly repeat: number }) => ({
    result: { waits: { totalMs: 1, kinds: 1, most: [most(1, 1, { longestMs: repeat === 1 ? 1 : null })] } },
  }));
  expect(waitsOf(model)?.most[0]?.longest).toBeNull();
});

test('a server without counts has the waits of sampled sessions, without those for the next call', () => {
  const probeInfo = {
    'wait:IO:*': waits('I/O', 'dataIo'),
    'wait:Client:*': waits('Client', 'client'),
    running: waits('Running', 'cpu'),
  };
  const gauges = { 'wait:IO:WALSync': 2, 'wait:Client:ClientRead': 3, running: 1 };
  const model = run(() => ({ elapsedMs: 10_000, gauges }), { probeInfo });
  const found = waitsOf(model);
  expect(found).toMatchObject({ method: 'sampled', kinds: 1 });
  expect(found?.most).toEqual([
    {
      ...{ name: 'WALSync', class: 'IO', count: null, longest: null, buckets: [] },
      totalMs: expect.closeTo(40_000, -3),
    },
  ]);
  expect(waitTable(run(undefined)).rows).toEqual([]);
});
