import type { Settings } from '../settings/settings.ts';
import type { Column, TablePlan } from './dataset.ts';

/**
 * The column whose values a readRange asks for, from a low one to below a high one, and its place in the table; null:
 * it begins at a key, and ends after so many rows.
 */
export function rangeColumnOf(
  { columns }: Pick<TablePlan, 'columns'>,
  { rangeColumn }: Partial<Pick<Settings, 'rangeColumn'>>,
): { readonly column: Column; readonly index: number } | null {
  const index = columns.findIndex(({ name }) => name === rangeColumn);
  const column = columns[index];
  return column ? { column, index } : null;
}
