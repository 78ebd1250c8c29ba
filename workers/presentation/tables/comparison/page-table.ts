import type { RunModel } from '#analysis/run-model/run-model.ts';
import { dash, formatBytes, formatPercent } from '#model/format/format.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { cellColumns, cellTexts, heads, numbers, type PanelTable, remarks } from '../shared/panel-table.ts';

export const pageNote =
  'The pages at the end of a trial, after the clock, as the server reports them: means over the repeats. Page density is the share of a page that rows or entries fill; random keys leave pages about 70 % full. Out of order is the share of leaf pages that do not follow the page before in the file. Free is space that the server can use again. A dash means: the server does not tell the figure.';

/** The fill, the order and the free space of the pages of each table and index. Empty if no server tells them. */
export function pageTable(model: RunModel): PanelTable {
  const cells = model.cells.filter(({ ok, target }) => ok > 0 && !isReference(model, target));
  const rows = cells.flatMap((cell) => {
    const { parts, why } = cell.pageUse ?? { parts: [], why: null };
    const figures = parts.map(({ part, density, outOfOrder, freeBytes }) => [
      part,
      ...[density, outOfOrder].map((share) => (share === null ? dash : formatPercent(share))),
      freeBytes === null ? dash : formatBytes(freeBytes),
      '',
    ]);
    const reason = why ?? (parts.length === 0 ? reasonOf(model, cell.target) : null);
    return [...figures, ...(reason === null ? [] : [['', dash, dash, dash, reason]])].map((texts) => ({
      cells: [...cellTexts(model, cell), ...texts],
    }));
  });
  const hasRemarks = rows.some(({ cells: texts }) => texts.at(-1) !== '');
  const isKnown = cells.some(({ pageUse }) => (pageUse?.parts.length ?? 0) > 0);
  return {
    columns: [
      ...cellColumns,
      ...heads('Part'),
      ...numbers('Page density', 'Out of order', 'Free'),
      ...(hasRemarks ? remarks('Why') : []),
    ],
    rows: !isKnown ? [] : hasRemarks ? rows : rows.map(({ cells: texts }) => ({ cells: texts.slice(0, -1) })),
  };
}

const reasonOf = ({ targets }: RunModel, target: string): string =>
  targets.find(({ name }) => name === target)?.descriptor.unsupportedReasons.pageUse ??
  'The server did not tell the pages.';
