import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMs, formatMsTick } from '#model/format/format.ts';
import type { Chart } from './kit/chart.ts';
import type { ChartTheme } from './kit/theme.ts';
import { drawIntervalRows, type IntervalMark } from './plot/interval-rows.ts';
import { chosenCells, chosenVariants, type Selection } from './plot/select.ts';

/**
 * Service times of each own statement and transaction, target beside target: median, and a line to the 99th percentile.
 */
export function statementLatency(model: RunModel, theme: ChartTheme, selection: Selection = {}): Chart {
  const several = chosenVariants(model, selection).length > 1;
  const found = chosenCells(model, selection).flatMap(({ variant, target: { name, index }, cell }) =>
    (cell.statements ?? []).map((statement) => ({
      variant: variant.id,
      target: name,
      index,
      row: several ? `${statement.name} · ${variant.label}` : statement.name,
      statement,
    })),
  );
  const marks = found.flatMap(({ row, target, index, statement }): IntervalMark[] => {
    const { p50, p99 } = statement.latencyMs;
    if (p50 === null) return [];
    const label = p99 === null ? formatMs(p50) : `${formatMs(p50)}, p99 ${formatMs(p99)}`;
    return [{ row, series: target, index, interval: { value: p50, low: p50, high: p99 ?? p50, n: 1 }, label }];
  });
  return {
    id: 'statement-latency',
    title: 'Service time of each statement',
    note: 'Median, with a line to the 99th percentile where there are calls enough; all repeats merged. A transaction’s is from before its begin until after its commit.',
    ...drawIntervalRows(
      {
        rows: [...new Set(marks.map(({ row }) => row))],
        marks,
        kind: 'dots',
        xName: 'service time',
        xFormat: formatMsTick,
      },
      theme,
    ),
    data: {
      columns: ['variant', 'target', 'statement', 'kind', 'calls/s', 'p50 ms', 'p95 ms', 'p99 ms', 'calls'],
      rows:
        marks.length === 0
          ? []
          : found.map(({ variant, target, statement: { name, kind, callsPerSecond, latencyMs } }) => [
              ...[variant, target, name, kind, callsPerSecond],
              ...[latencyMs.p50, latencyMs.p95, latencyMs.p99, latencyMs.count],
            ]),
    },
  };
}
