import type { Settings } from '../settings/settings.ts';
import type { Column, TablePlan } from './dataset.ts';

/**
 * The column that a readRange filters by, at or above a low value and below a high one, with its position in the table;
 * null: the range begins at a key and ends after a number of rows.
 */
export function rangeColumnOf(
  { columns }: Pick<TablePlan, 'columns'>,
  { rangeColumn }: Partial<Pick<Settings, 'rangeColumn'>>,
): { readonly column: Column; readonly index: number } | null {
  const index = columns.findIndex(({ name }) => name === rangeColumn);
  const column = columns[index];
  return column ? { column, index } : null;
}
