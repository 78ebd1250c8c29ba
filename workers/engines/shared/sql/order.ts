import type { TablePlan } from '#contract/dataset.ts';
import { orderColumnOf } from '#contract/order-column.ts';
import type { Settings } from '#contract/settings.ts';

/** What a scan's SELECT ends with: " ORDER BY …", or nothing. */
export function orderSql(
  table: Pick<TablePlan, 'columns'>,
  settings: Partial<Pick<Settings, 'orderBy'>>,
  quote: (name: string) => string,
): string {
  const order = orderColumnOf(table, settings);
  return order ? ` ORDER BY ${quote(order.column.name)}` : '';
}
