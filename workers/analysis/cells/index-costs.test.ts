import { expect, test } from 'vitest';
import type { TrialResult } from '#protocol/measurement.ts';
import { indexCostsOf, indexCostText } from './index-costs.ts';

const trial = (bytes: number | null, buildMs: number | null): TrialResult =>
  ({
    indexBytes: [
      { index: 'at', bytes, ...(bytes === null && { why: 'This user may not read it.' }) },
      { index: 'id of sales', bytes: 8_192 },
    ],
    ...(buildMs !== null && { builds: [{ part: 'index on at', ms: buildMs, counted: false }] }),
  }) as unknown as TrialResult;

test('an index costs what the repeats have on average, and each by its own name', () => {
  expect(indexCostsOf([trial(1_000, 10), trial(3_000, 30)])).toEqual([
    { index: 'at', bytes: 2_000, why: null, buildMs: 20 },
    { index: 'id of sales', bytes: 8_192, why: null, buildMs: null },
  ]);
});

test('a size that the server does not tell is no zero, and has the reason', () => {
  const [cost] = indexCostsOf([trial(null, 10)]);
  expect(cost).toEqual({ index: 'at', bytes: null, why: 'This user may not read it.', buildMs: 10 });
  expect(indexCostText(cost!)).toContain('size not known: This user may not read it.');
});

test('a trial without indexes has no costs', () => {
  expect(indexCostsOf([{} as TrialResult])).toEqual([]);
});
