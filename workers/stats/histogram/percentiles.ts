import { Histogram } from './histogram.ts';

/**
 * Percentiles of a latency in ms, each null where the values are too few for it (percentileMs), and how many values
 * there are.
 */
export interface LatencySummary {
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly p999: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly count: number;
}

/**
 * The p-th percentile in ms, or null where fewer than 10 values lie beyond it (count · (1 − p) < 10): such a percentile
 * is the luck of a handful of calls. So p50 needs 20 calls, p99 needs 1,000, p99.9 needs 10,000.
 */
export const percentileMs = (histogram: Histogram, p: number): number | null => percentilesMs(histogram, [p])[0];

/**
 * `percentileMs` of several, each at least as high as the one before, in one pass over the histogram. `givenUp`: how
 * many more never ended. They count as longer than all that did, and a percentile that lies among them is not known.
 */
export function percentilesMs<const All extends readonly number[]>(
  histogram: Histogram,
  all: All,
  givenUp = 0,
): { readonly [I in keyof All]: number | null } {
  const whole = histogram.count + givenUp;
  const ranks = all.map((p) => rankAmong(p, histogram.count, givenUp));
  // The tolerance is for 1 − 0.999, which differs slightly from 0.001 in binary.
  const isKnown = (i: number) => whole * (1 - all[i]! / 100) >= 10 - 1e-6 && ranks[i]! <= 100;
  const values = histogram
    .percentiles(ranks.map((rank) => Math.min(rank, 100)))
    .map((ns, i) => (isKnown(i) ? ns / 1e6 : null));
  return values as readonly (number | null)[] as { readonly [I in keyof All]: number | null };
}

/**
 * The rank (percent) that the p-th percentile of all values has among the ended values; above 100: it exceeds all of
 * them.
 */
export const rankAmong = (p: number, ended: number, givenUp: number): number => (p * (ended + givenUp)) / ended;

const nothing: LatencySummary = {
  p50: null,
  p90: null,
  p95: null,
  p99: null,
  p999: null,
  max: null,
  mean: null,
  count: 0,
};

/**
 * Percentiles, maximum and mean of a histogram in ms, all null where it is empty. Null: nothing was counted. Where some
 * were given up (`percentilesMs`), nobody knows the maximum and the mean of all.
 */
export function latencySummary(histogram: Histogram | null, givenUp = 0): LatencySummary {
  if (histogram === null || histogram.count === 0) return nothing;
  const [p50, p90, p95, p99, p999] = percentilesMs(histogram, [50, 90, 95, 99, 99.9], givenUp);
  const ends = givenUp > 0 ? { max: null, mean: null } : { max: histogram.max / 1e6, mean: histogram.mean / 1e6 };
  return { p50, p90, p95, p99, p999, ...ends, count: histogram.count };
}

/** Encoded histograms merged into one; null for none. `used`: a histogram whose values are no longer needed. */
export function mergeEncoded(encoded: readonly string[], used: Histogram | null = null): Histogram | null {
  if (encoded.length === 0) return null;
  const merged = used ?? new Histogram();
  merged.reset();
  for (const text of encoded) merged.addEncoded(text);
  return merged;
}
