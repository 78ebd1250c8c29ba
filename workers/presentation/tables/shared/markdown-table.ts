import { formatCount } from '#model/format/format.ts';
import { markdownText } from '../../text/markdown-text.ts';
import type { PanelCell, PanelColumn, PanelTable } from './panel-table.ts';

/** CI systems and forges limit the length of a page. The run file has all rows. */
const mostRows = 100;

/** A table of the results in Markdown. Columns without any text are left out. Empty if the table has no rows. */
export function markdownTable({ columns, rows }: PanelTable): string {
  if (rows.length === 0) return '';
  const texts = rows.map(({ cells }) => cells.map(cellText));
  const used = columns.map((_, i) => texts.some((row) => row[i] !== ''));
  const left = rows.length - mostRows;
  return [
    markdownLines(
      columns.filter((_, i) => used[i]),
      texts.slice(0, mostRows).map((row) => row.filter((_, i) => used[i])),
    ),
    ...(left > 0 ? ['', `… and ${formatCount(left)} more, which the run file has.`] : []),
  ].join('\n');
}

/** The head and the lines of a table in Markdown. The cells are Markdown already. */
export function markdownLines(columns: readonly PanelColumn[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(({ title, target }) => markdownText(target ?? title))),
    line(columns.map(({ kind }) => (kind === 'number' ? '---:' : '---'))),
    ...rows.map(line),
  ].join('\n');
}

/** The lines of a cell are separated by tags, because a line break would end the row. */
function cellText(cell: PanelCell): string {
  const text = typeof cell === 'string' ? cell : cell.text;
  return typeof text === 'string' ? markdownText(text) : text.map(markdownText).join('<br>');
}
