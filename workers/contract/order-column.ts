import type { Column, TablePlan } from './dataset.ts';
import type { Settings } from './settings/settings.ts';

/** The column in whose order a scan asks for the rows, and its place in the table; null: they come as they come. */
export function orderColumnOf(
  { columns }: Pick<TablePlan, 'columns'>,
  { orderBy }: Partial<Pick<Settings, 'orderBy'>>,
): { readonly column: Column; readonly index: number } | null {
  const index = columns.findIndex(({ name }) => name === orderBy);
  const column = columns[index];
  return column ? { column, index } : null;
}
