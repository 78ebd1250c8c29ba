import { formatCount } from '../format/format.ts';
import type { ShownRows } from './statements.ts';

/** Number of rows that a check found. A server without row counts returns the rows instead. */
export const foundRows = ({ count, rows }: Pick<ShownRows, 'count' | 'rows'>): number => count ?? rows.length;

/** "3 rows, the first: id 1, pieces 4"; "2 rows: id 1; id 2". */
export function formatFoundRows({ columns, rows, hasMore, ...found }: ShownRows, most = rows.length): string {
  const count = foundRows({ rows, ...found });
  const shown = rows
    .slice(0, most)
    .map((row) => row.map((value, c) => [columns[c], value ?? 'null'].filter(Boolean).join(' ')).join(', '));
  return `${formatCount(count)} ${count === 1 ? 'row' : 'rows'}${hasMore ? ' and more' : ''}${count > shown.length ? ', the first' : ''}: ${shown.join('; ')}`;
}
