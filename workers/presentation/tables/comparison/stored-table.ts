import { buildCostText } from '#analysis/cells/build-cost.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatStored } from '#model/format/format.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { verifiedText } from '../../text/verified-text.ts';
import { asides, cellColumns, cellTexts, numbers, type PanelTable, words } from '../shared/panel-table.ts';

export const storedNote =
  'The rows that the table had after the measured phase, compared with the rows that the server had acknowledged. The table shows the lowest repeat. “Stored per row” is the size of table and indexes, including free space in pages; bytes are on disk unless marked as in memory.';

/** The bytes that the servers stored after the measured phase. References store nothing. */
export function storedTable(model: RunModel): PanelTable {
  const cells = model.cells.filter(({ verification, target }) => verification !== null && !isReference(model, target));
  const anyBuilt = cells.some(({ buildCost }) => buildCost !== null);
  return {
    columns: [
      ...cellColumns,
      ...words('Verified'),
      ...asides('How'),
      ...numbers('Stored per row'),
      ...(anyBuilt ? words('Built over the rows') : []),
    ],
    rows: cells.map(({ verification, buildCost, storedBytesPerRow, ...cell }) => {
      const { outcome, note } = verification!;
      return {
        cells: [
          ...cellTexts(model, cell),
          { text: verifiedText[outcome], tone: outcome === 'mismatch' ? 'bad' : undefined },
          note,
          formatStored(storedBytesPerRow),
          ...(anyBuilt ? [buildCost ? buildCostText(buildCost) : ''] : []),
        ],
      };
    }),
  };
}
