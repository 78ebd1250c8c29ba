import { expect, test } from 'vitest';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { targetStatuses } from './target-status.ts';

// The model has only the properties that the status reads.
const model = (view: object): RunModel =>
  ({
    plan: {
      targets: [{ name: 'x', engine: 'e', index: 0 }],
      variants: [{ id: 'a', label: 'a', settings: { connections: 4 } }],
    },
    targets: [],
    sessionsLeft: [],
    halted: null,
    searches: [],
    trials: [{ trial: { variant: 'a', target: 'x' }, phase: 'measure', result: null, ...view }],
  }) as unknown as RunModel;
const series = {
  ...{ atMs: [1_000, 2_000], rowsPerSecond: [10, 20], callsPerSecond: [5, 10], errorsPerSecond: [3, 4] },
  ...{ p99Ms: [1, null], maxMs: [4, 8] },
};
const lost = { retriesPerSecond: [2, 4], lostMsPerSecond: [400, 800] };
/** A trial of 2.5 s whose calls take 3 ms each. */
function resultOf(calls: number) {
  const histogram = new Histogram();
  histogram.recordMany(3e6, calls);
  const totals = { rows: calls, calls, errors: {}, retries: 7, lostMs: 1_000, service: histogram.encode() };
  return { elapsedMs: 2_500, totals };
}
const none = { retriesPerSecond: [0, 0], lostMsPerSecond: [0, 0] };

test('a tile shows what retries cost while the trial runs', () => {
  const [status] = targetStatuses(model({ series: { ...series, ...lost } }));
  expect(status).toMatchObject({ errors: 7, lost: { retries: 6, share: 1_200 / 8_000 } });
  expect(targetStatuses(model({ series: { ...series, ...none } }))[0]?.lost).toBeNull();
});

test('a tile shows what retries cost after the trial', () => {
  const [status] = targetStatuses(model({ phase: null, series: { ...series, ...lost }, result: resultOf(30) }));
  expect(status).toMatchObject({ errors: 0, lost: { retries: 7, share: 0.1 } });
});

test('a trial has its p99 once it is over, or its longest call where the calls are too few for that', () => {
  const of = (calls: number) =>
    targetStatuses(model({ phase: null, series: { ...series, ...none }, result: resultOf(calls) }))[0]!.figures!;
  expect(of(2_000)).toMatchObject({ perSecond: 800, latency: { of: 'p99', ms: expect.closeTo(3, 1) } });
  expect(of(30)).toMatchObject({ perSecond: 12, latency: { of: 'max', ms: expect.closeTo(3, 1) } });
});

test('while a trial runs, its figures are those of its last second', () => {
  const [status] = targetStatuses(model({ series: { ...series, ...none } }));
  expect(status!.figures).toEqual({ perSecond: 20, latency: { of: 'max', ms: 8 } });
  expect(status!.rates).toEqual([10, 20]);
});
