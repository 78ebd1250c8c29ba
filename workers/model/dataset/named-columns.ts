import type { Settings } from '../settings/settings.ts';
import type { Column, TablePlan } from './dataset.ts';

/** A column with its position in the table; null if the setting is empty. */
type NamedColumn = { readonly column: Column; readonly index: number } | null;

function columnNamed({ columns }: Pick<TablePlan, 'columns'>, wanted: string | undefined): NamedColumn {
  const index = columns.findIndex(({ name }) => name === wanted);
  const column = columns[index];
  return column ? { column, index } : null;
}

/** The column that a scan sorts by; null: the scan has no order. */
export const orderColumnOf = (
  table: Pick<TablePlan, 'columns'>,
  { orderBy }: Partial<Pick<Settings, 'orderBy'>>,
): NamedColumn => columnNamed(table, orderBy);

/**
 * The column that a readRange filters by: at or above a low value and below a high one. Null: the range begins at a key
 * and ends after a number of rows.
 */
export const rangeColumnOf = (
  table: Pick<TablePlan, 'columns'>,
  { rangeColumn }: Partial<Pick<Settings, 'rangeColumn'>>,
): NamedColumn => columnNamed(table, rangeColumn);
