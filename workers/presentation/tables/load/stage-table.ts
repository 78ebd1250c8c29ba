import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import { placeStages } from '#model/stages.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { LoadCounts } from '#protocol/measurement.ts';
import { latencySummary, mergeEncoded } from '#stats/histogram/percentiles.ts';
import { cellColumns, cellTexts, type NotedTable, numbers, words } from '../shared/panel-table.ts';

/** The result of each stage of the load, cell by cell. Empty without stages. */
export function stageTable({ plan, trials, cells }: RunModel): NotedTable {
  const stages = placeStages(plan.measure.stages ?? []);
  const told = trials.flatMap(({ trial, result }) =>
    result?.status === 'ok' && result.stages ? [{ trial, counts: result.stages }] : [],
  );
  const byCell = Map.groupBy(told, ({ trial }) => keyOf(trial));
  return {
    note: 'Units of work by the stage of their intended start; all repeats are merged. Waiting is the mean number of units that wait for a connection. A dash means: too few units.',
    columns: [
      ...[...cellColumns, ...words('Stage')],
      ...numbers('load', 'seconds', 'offered/s', 'response p50', 'response p95', 'response p99', 'wait p99'),
      ...numbers('start error p99', 'waiting at its end'),
    ],
    rows: cells.flatMap((cell) => {
      const repeats = byCell.get(keyOf(cell)) ?? [];
      return (repeats.length === 0 ? [] : stages).map(({ name, fromMs, toMs, from, to }, i) => {
        const own = repeats.flatMap(({ counts }) => counts[i] ?? []);
        const seconds = (toMs - fromMs) / 1_000;
        const givenUp = own.reduce((sum, { unfinished }) => sum + unfinished, 0);
        const summaryOf = (name: 'response' | 'wait' | 'startError') =>
          latencySummary(mergeEncoded(own.map((counts) => counts[name])), name === 'startError' ? 0 : givenUp);
        const response = summaryOf('response');
        return {
          cells: [
            ...cellTexts({ plan }, cell),
            name,
            from === to ? formatPercent(to) : `${formatPercent(from)} to ${formatPercent(to)}`,
            formatNumber(seconds),
            formatNumber(meanOf(own, ({ arrivals }) => arrivals) / seconds),
            ...[response.p50, response.p95, response.p99, summaryOf('wait').p99, summaryOf('startError').p99].map(
              formatMs,
            ),
            formatCount(meanOf(own, ({ waiting }) => waiting)),
          ],
        };
      });
    }),
  };
}

const meanOf = (all: readonly LoadCounts[], of: (counts: LoadCounts) => number): number =>
  all.reduce((sum, counts) => sum + of(counts), 0) / all.length;
