import { expect, test } from 'vitest';
import { timesOf } from '#analysis/run-model/journal-parts.fixture.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { joinBuckets, noDurations } from './fixed-buckets.ts';

const boundsNs = [1_000_000, 10_000_000];
const bucketsOf = (...times: readonly (readonly [ms: number, calls: number])[]) =>
  Histogram.decode(timesOf(...times)).inBuckets(boundsNs);

test('the buckets of two seconds join to those of both', () => {
  const joined = joinBuckets(bucketsOf([0.5, 3], [5, 1]), bucketsOf([5, 2], [50, 1]), (a, b) => a + b);
  expect(joined.counts).toEqual([3, 3, 1]);
  expect(joined).toEqual(bucketsOf([0.5, 3], [5, 3], [50, 1]));
  expect(joinBuckets(joined, noDurations(boundsNs.length), Math.max)).toEqual(joined);
});
