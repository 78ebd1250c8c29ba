import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import { sampleStatistics } from './sample.ts';
import { fromBounds, fromBuckets } from './statistics.ts';

test('a sample gives nulls, frequent values, bounds of the others, and the order of rows', () => {
  const random = new Sfc32(1);
  const values = Array.from({ length: 2_000 }, (_, i) => {
    const unit = random.unit();
    return unit < 0.25 ? null : unit < 0.5 ? 7 : 1_000 + i;
  });
  const found = sampleStatistics(values, 100_000);
  expect(found.nullShare).toBeCloseTo(0.25, 1);
  expect(found.common.map(({ value }) => value)).toEqual([7]);
  expect(found.common[0]!.share).toBeCloseTo(0.25, 1);
  expect(found.bounds[0]).toBeGreaterThanOrEqual(1_000);
  expect(found.bounds.length).toBe(101);
  // A third of the values are equal, so that the others alone ascend.
  expect(found.rowOrder).toBeCloseTo(0.44, 1);
  // Half of the rows have values of their own.
  expect(found.distinct).toBeGreaterThan(30_000);
});

test('few values that all repeat themselves are listed as a whole', () => {
  const found = sampleStatistics(
    Array.from({ length: 900 }, (_, i) => 'abc'[i % 3]!),
    900,
  );
  expect(found).toMatchObject({ nullShare: 0, distinct: 3, bounds: [], meanBytes: 1 });
  expect(found.common.length).toBe(3);
});

test('buckets become frequent values and bounds of equal shares', () => {
  const found = fromBuckets([
    { low: 1, high: 1, share: 0.5, distinct: 1 },
    { low: 2, high: 12, share: 0.25, distinct: 10 },
    { low: 12, high: 112, share: 0.25, distinct: 100 },
  ]);
  expect(found).toMatchObject({ common: [{ value: 1, share: 0.5 }], distinct: 111 });
  expect([found.bounds[0], found.bounds[50], found.bounds.at(-1)]).toEqual([2, 12, 112]);
});

test('a value that several bounds repeat is a frequent one', () => {
  const found = fromBounds([0, 5, 5, 5, 9], 1);
  expect(found).toEqual({ common: [{ value: 5, share: 0.6 }], bounds: [0, 9] });
});
