import type { RunModel } from '#analysis/run-model/run-model.ts';
import { dash, formatBytes, formatMs } from '#model/format/format.ts';
import { cellColumns, cellTexts, heads, numbers, type PanelTable, remarks } from '../shared/panel-table.ts';

export const indexCostNote =
  'The size of each index at the end of a trial, as the server’s catalog has it, with free space in pages, and the time to build it over the rows: means over the repeats. An index without a build time was created before the first row, and its cost is part of the inserts. What an index costs inserts, updates and deletes shows in the comparison with a variant without it.';

/** Size and build time of each index, besides the primary key. */
export function indexCostTable(model: RunModel): PanelTable {
  const rows = model.cells.flatMap((cell) =>
    cell.indexCosts.map(({ index, bytes, why, buildMs }) => ({
      cells: [
        ...cellTexts(model, cell),
        index,
        bytes === null ? dash : formatBytes(bytes),
        buildMs === null ? dash : formatMs(buildMs),
        bytes === null ? (why ?? 'The server did not tell the size.') : '',
      ],
    })),
  );
  const hasRemarks = rows.some(({ cells }) => cells.at(-1) !== '');
  return {
    columns: [...cellColumns, ...heads('Index'), ...numbers('Size', 'Built in'), ...(hasRemarks ? remarks('Why') : [])],
    rows: hasRemarks ? rows : rows.map(({ cells }) => ({ cells: cells.slice(0, -1) })),
  };
}
