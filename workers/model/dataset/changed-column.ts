import type { TablePlan } from './dataset.ts';

/**
 * The column that updates change, as an index into table.columns: the first non-key column. Null if the key is the only
 * column, or if the table has no key. Generators and engines both use it.
 */
export function changedColumn(table: TablePlan): number | null {
  if (table.key === null) return null;
  const index = table.columns.findIndex((_, i) => i !== table.key);
  return index === -1 ? null : index;
}
