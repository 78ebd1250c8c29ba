import { loadLatencyText } from '#analysis/cells/load-summary.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatMs } from '#model/format/format.ts';
import { cellColumns, cellTexts, numbers, type PanelTable } from '../shared/panel-table.ts';

/** The percentiles that tables have as columns, and their titles. */
export const percentiles = [
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p95', 'p95'],
  ['p99', 'p99'],
  ['p999', 'p99.9'],
  ['max', 'max'],
] as const;

/** The reason why a cell with calls lacks a percentile. */
export const unknownPercentile =
  'too few calls for the percentile, or units that were given up count as slower than the percentile';

export const latencyTableText = ({ cells }: Pick<RunModel, 'cells'>): string =>
  `All repeats are merged. A dash means: ${unknownPercentile}.${loadLatencyText(cells)}`;

/** The percentiles of every cell with calls, over all repeats. */
export const latencyTable = (model: RunModel): PanelTable => ({
  columns: [...cellColumns, ...numbers(...percentiles.map(([, title]) => title), 'count')],
  rows: model.cells
    .filter(({ latencyMs }) => latencyMs.count > 0)
    .map((cell) => ({
      cells: [
        ...cellTexts(model, cell),
        ...percentiles.map(([key]) => formatMs(cell.latencyMs[key])),
        formatCount(cell.latencyMs.count),
      ],
    })),
});
