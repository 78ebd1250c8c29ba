import type { Settings } from '../settings/settings.ts';
import type { Column, TablePlan } from './dataset.ts';

/** The column that a scan sorts by, with its position in the table; null: the scan has no order. */
export function orderColumnOf(
  { columns }: Pick<TablePlan, 'columns'>,
  { orderBy }: Partial<Pick<Settings, 'orderBy'>>,
): { readonly column: Column; readonly index: number } | null {
  const index = columns.findIndex(({ name }) => name === orderBy);
  const column = columns[index];
  return column ? { column, index } : null;
}
