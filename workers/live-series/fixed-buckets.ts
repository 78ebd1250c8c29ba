import type { Histogram } from '#stats/histogram/histogram.ts';

/** Counts of durations in buckets whose bounds never change, as monitoring systems store them. */
export type FixedBuckets = ReturnType<Histogram['inBuckets']>;

/** No durations, for this number of bounds. */
export const noDurations = (bounds: number): FixedBuckets => ({
  counts: Array<number>(bounds + 1).fill(0),
  sumNs: 0,
});

/** Joins two counts with the same bounds, number by number. */
export const joinBuckets = (
  a: FixedBuckets,
  b: FixedBuckets,
  join: (a: number, b: number) => number,
): FixedBuckets => ({
  counts: a.counts.map((count, at) => join(count, b.counts[at]!)),
  sumNs: join(a.sumNs, b.sumNs),
});
