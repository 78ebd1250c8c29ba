import { expect, test } from 'vitest';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { targetStatuses } from './target-status.ts';

// Only the properties that a tile reads.
const model = (view: object): RunModel =>
  ({
    plan: {
      targets: [{ name: 'x', engine: 'e', index: 0 }],
      variants: [{ id: 'a', label: 'a', settings: { connections: 4 } }],
    },
    targets: [],
    searches: [],
    trials: [{ trial: { variant: 'a', target: 'x' }, phase: 'measure', result: null, ...view }],
  }) as unknown as RunModel;
const series = { atMs: [1_000, 2_000], rowsPerSecond: [10, 20], errorsPerSecond: [3, 4], p99Ms: [1, 2] };
const lost = { retriesPerSecond: [2, 4], lostMsPerSecond: [400, 800] };
const none = { retriesPerSecond: [0, 0], lostMsPerSecond: [0, 0] };

test('a tile shows what retries cost while the trial runs', () => {
  const [status] = targetStatuses(model({ series: { ...series, ...lost } }));
  expect(status).toMatchObject({ errors: 7, lost: { retries: 6, share: 1_200 / 8_000 } });
  expect(targetStatuses(model({ series: { ...series, ...none } }))[0]?.lost).toBeNull();
});

test('a tile shows what retries cost after the trial', () => {
  const result = { elapsedMs: 2_500, totals: { rows: 30, calls: 30, errors: {}, retries: 7, lostMs: 1_000 } };
  const [status] = targetStatuses(model({ phase: null, series: { ...series, ...lost }, result }));
  expect(status).toMatchObject({ errors: 0, lost: { retries: 7, share: 0.1 } });
});
