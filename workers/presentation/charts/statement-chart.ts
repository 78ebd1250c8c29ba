import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMs, formatMsTick } from '#model/format/format.ts';
import type { SceneChart } from './kit/chart.ts';
import { drawRows, type Row, underNames } from './kit/rows.ts';
import { exactly, scaleOf } from './kit/scale.ts';
import { type ChartTheme, colourOf } from './kit/theme.ts';
import { chosenCells, chosenVariants, defaultWidthPx, type Selection } from './plot/select.ts';

const title = 'Service time of each statement';

/**
 * The service time of each custom statement and transaction, for all targets side by side: the median, and a line to
 * the 99th percentile.
 */
export function statementLatency(model: RunModel, theme: ChartTheme, selection: Selection = {}): SceneChart {
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
  const rows = found.flatMap(({ row: name, target, index, statement }): Row[] => {
    const { p50, p99 } = statement.latencyMs;
    if (p50 === null) return [];
    const end = p99 === null ? formatMs(p50) : `${formatMs(p50)}, p99 ${formatMs(p99)}`;
    const drawn = { value: p50, low: null, high: p99 };
    return [{ name, target, colour: colourOf(theme, index), drawn, end, spoken: `${name}, ${target}: ${end}` }];
  });
  // The 99th percentiles are not intervals, so the axis must not cut them off.
  const ends = rows.flatMap(({ drawn }) => [drawn!.value, drawn!.high ?? drawn!.value]);
  return {
    id: 'statement-latency',
    title,
    note: 'The median, with a line to the 99th percentile if there are enough calls; all repeats are merged. The time of a transaction includes its begin and its commit.',
    scene: drawRows(
      {
        ...{ label: title, groups: [{ title: null, colour: null, rows: underNames(rows) }], isDense: true },
        scale: scaleOf(exactly(ends), 'log'),
        axis: { name: 'service time', tick: formatMsTick },
      },
      theme,
      selection.widthPx ?? defaultWidthPx,
    ),
    data: {
      columns: ['variant', 'target', 'statement', 'kind', 'calls/s', 'p50 ms', 'p95 ms', 'p99 ms', 'calls'],
      rows:
        rows.length === 0
          ? []
          : found.map(({ variant, target, statement: { name, kind, callsPerSecond, latencyMs } }) => [
              ...[variant, target, name, kind, callsPerSecond],
              ...[latencyMs.p50, latencyMs.p95, latencyMs.p99, latencyMs.count],
            ]),
    },
  };
}
