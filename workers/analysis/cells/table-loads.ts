import type { TableLoad, TrialResult } from '#protocol/measurement.ts';
import { positiveMeanInterval } from '#stats/intervals/intervals.ts';
import type { TableLoadRates } from '../run-model/run-model.ts';

/** The rates at which a cell loaded each table that a file fills, over the repeats that loaded it. */
export function tableLoadsOf(ok: readonly TrialResult[]): readonly TableLoadRates[] {
  const loads = ok.flatMap(({ tableLoads = [] }) => tableLoads.filter(({ ms }) => ms > 0));
  return [...Map.groupBy(loads, ({ table }) => table)].flatMap(([table, own]) => {
    const perSecond = (count: (one: TableLoad) => number) =>
      positiveMeanInterval(own.map((one) => (count(one) * 1_000) / one.ms));
    const rowsPerSecond = perSecond(({ rows }) => rows);
    const bytesPerSecond = perSecond(({ bytes }) => bytes);
    // All repeats load the same rows.
    const { rows, bytes } = own[0]!;
    return rowsPerSecond && bytesPerSecond ? [{ table, rows, bytes, rowsPerSecond, bytesPerSecond }] : [];
  });
}
