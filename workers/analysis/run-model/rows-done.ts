import type { TrialView } from './run-model.ts';

/**
 * Rows processed by the end of each second. Seconds are rounded, so for a finished trial the sum is adjusted to its
 * total.
 */
export function rowsDone({ series: { atMs, rowsPerSecond }, result }: TrialView): readonly number[] {
  let sum = 0;
  const sums = atMs.map((at, i) => {
    sum += (rowsPerSecond[i]! * (at - (atMs[i - 1] ?? 0))) / 1_000;
    return sum;
  });
  const fit = result !== null && sum > 0 ? result.totals.rows / sum : 1;
  return sums.map((done) => Math.round(done * fit));
}
