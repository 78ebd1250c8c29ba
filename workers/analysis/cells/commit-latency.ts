import type { TrialResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { latencySummary, mergeEncoded } from '#stats/histogram/percentiles.ts';
import { meanInterval } from '#stats/intervals/intervals.ts';
import type { CommitSummary, Interval } from '../run-model/run-model.ts';

/** Latency of commits that cover several calls, over a cell's good repeats; null without any. */
export function commitSummary(ok: readonly TrialResult[]): CommitSummary | null {
  const encoded = ok.flatMap(({ totals }) => totals.commit ?? []);
  const merged = mergeEncoded(encoded);
  if (merged === null || merged.count === 0) return null;
  const timed = ok.filter(({ totals }) => totals.commit);
  return {
    latencyMs: latencySummary(merged),
    meanMs: geometricMean(encoded.map((text) => Histogram.decode(text).mean / 1e6)),
    rowsPerCommit: timed.reduce((sum, { totals }) => sum + totals.rows, 0) / merged.count,
  };
}

/** The bounds are above 0 for any number of repeats, because latencies are positive. */
export function geometricMean(values: readonly number[]): Interval | null {
  const interval = meanInterval(values.filter((value) => value > 0).map(Math.log));
  if (interval === null) return null;
  const { value, low, high, n } = interval;
  return {
    value: Math.exp(value),
    low: low === null ? null : Math.exp(low),
    high: high === null ? null : Math.exp(high),
    n,
  };
}
