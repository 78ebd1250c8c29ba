import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatNumber, formatPercent } from '#model/format/format.ts';
import { cellColumns, cellTexts, numbers, type PanelTable } from '../shared/panel-table.ts';

export const retriesNote =
  'The client retried transactions that the server rolled back (deadlocks, serialization failures). The time lost includes the pauses between attempts. Throughput counts committed work, and a latency is the time of one attempt.';

/** The cost of write conflicts, cell by cell. Cells without conflicts have no row. */
export const retriesTable = (model: RunModel): PanelTable => ({
  columns: [...cellColumns, ...numbers('Client time lost', 'Retries', 'Retries per 100 commits', 'Given up')],
  rows: model.cells.flatMap(({ conflicts, ...cell }) => {
    if (conflicts === null) return [];
    const { lostShare, retries, retriesPer100Commits, gaveUp } = conflicts;
    return [
      {
        cells: [
          ...cellTexts(model, cell),
          formatPercent(lostShare),
          formatCount(retries),
          formatNumber(retriesPer100Commits),
          { text: formatCount(gaveUp), tone: gaveUp > 0 ? 'bad' : undefined },
        ],
      },
    ];
  }),
});
