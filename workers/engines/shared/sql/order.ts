import type { TablePlan } from '#model/dataset/dataset.ts';
import { orderColumnOf } from '#model/dataset/named-columns.ts';
import type { Settings } from '#model/settings/settings.ts';

/** The end of a scan's SELECT: " ORDER BY …", or nothing. */
export function orderSql(
  table: Pick<TablePlan, 'columns'>,
  settings: Partial<Pick<Settings, 'orderBy'>>,
  quote: (name: string) => string,
): string {
  const order = orderColumnOf(table, settings);
  return order ? ` ORDER BY ${quote(order.column.name)}` : '';
}
