import { expect, test } from 'vitest';
import { countedMs, throughputOf } from '#planning/rates/trial-rate.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { buildCostCaveat } from '../caveats/work-caveats.ts';
import type { CellSummary } from '../run-model/run-model.ts';
import { buildCostOf, buildCostText } from './build-cost.ts';

const trial = (keyMs: number | null, counted = true): TrialResult =>
  ({
    elapsedMs: 1_000,
    totals: { rows: 3_000, calls: 30 },
    ...(keyMs !== null && {
      builds: [
        { part: 'key', ms: keyMs, counted },
        { part: 'index on at', ms: 100, counted },
      ],
    }),
  }) as unknown as TrialResult;

test('throughput includes the time to build indexes over rows that were inserted in the measured phase', () => {
  expect(throughputOf(trial(null))).toBe(3_000);
  expect(throughputOf(trial(400))).toBe(2_000);
  expect(throughputOf(trial(400, false))).toBe(3_000);
  expect(countedMs(trial(400))).toBe(500);
});

test('a cell lists the built indexes, their times, and the rate without them', () => {
  const buildCost = buildCostOf([trial(400), trial(600), trial(null)]);
  expect(buildCost).toMatchObject({
    counted: true,
    parts: [
      { part: 'key', ms: 500 },
      { part: 'index on at', ms: 100 },
    ],
  });
  expect(buildCost?.totalMs.value).toBe(600);
  expect(buildCost?.loadPerSecond?.value).toBe(3_000);
  expect(buildCostText(buildCost!)).toBe('key 500\u00a0ms, index on at 100\u00a0ms');
});

test('without built indexes there is no report', () => {
  expect(buildCostOf([trial(null)])).toBeNull();
  expect(buildCostCaveat({ buildCost: null } as CellSummary)).toBeNull();
});

test('a rate that includes building is marked, and other rates are not', () => {
  const caveat = (counted: boolean) =>
    buildCostCaveat({ variant: 'v', target: 't', buildCost: buildCostOf([trial(400, counted)]) } as CellSummary);
  expect(caveat(true)?.text).toContain('The rate that is shown and compared includes both.');
  expect(caveat(false)).toBeNull();
});
