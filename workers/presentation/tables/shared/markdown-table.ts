import { formatCount } from '#model/format/format.ts';
import { markdownText } from '../../text/markdown-text.ts';
import type { PanelCell, PanelTable } from './panel-table.ts';

/** CI systems and forges limit the length of a page. The run file has all rows. */
const mostRows = 100;

/** A table of the results in Markdown. Columns without any text are left out. Empty if the table has no rows. */
export function markdownTable({ columns, rows }: PanelTable): string {
  if (rows.length === 0) return '';
  const texts = rows.map(({ cells }) => cells.map(cellText));
  const used = columns.map((_, i) => texts.some((row) => row[i] !== ''));
  const line = (cells: readonly string[]) => `| ${cells.filter((_, i) => used[i]).join(' | ')} |`;
  const left = rows.length - mostRows;
  return [
    line(columns.map(({ title }) => markdownText(title))),
    line(columns.map(({ kind }) => (kind === 'number' ? '---:' : '---'))),
    ...texts.slice(0, mostRows).map(line),
    ...(left > 0 ? ['', `… and ${formatCount(left)} more, which the run file has.`] : []),
  ].join('\n');
}

/** The lines of a cell are separated by tags, because a line break would end the row. */
function cellText(cell: PanelCell): string {
  const text = typeof cell === 'string' ? cell : cell.text;
  return typeof text === 'string' ? markdownText(text) : text.map(markdownText).join('<br>');
}
