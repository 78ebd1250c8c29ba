import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Dataset, TablePlan } from '#model/dataset/dataset.ts';
import { isIndexedInRowOrder } from '#model/dataset/row-order.ts';
import { hostShares } from '#model/load-hosts.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { RowRange } from '#protocol/messages.ts';

/**
 * Rows of a range at least: two processes that load so many each are as fast as one that loads both ranges, because of
 * the time that processes take to start (npm run bench -- split-load).
 */
const leastRows = 200_000;

/**
 * The ranges of rows that worker processes load at the same time; one: the control connection loads all of them.
 * `variants`: all that are measured on the target. Which rows are neighbours in the table depends on the number of
 * ranges: it is the same for all variants, the most that each of them has processes for, so that no factor changes it.
 * Where an index ascends with the rows, all ranges but the last would leave its pages half empty, and one process that
 * fills it from one end is as fast: there is one range.
 */
export function loadRanges(
  { loadsInParallel }: Pick<EngineDescriptor, 'loadsInParallel'>,
  dataset: Pick<Dataset, 'columns'>,
  table: Pick<TablePlan, 'columns' | 'key' | 'indexes'>,
  variants: readonly Pick<Settings, 'processes' | 'loadFrom' | 'connections'>[],
  rows: number,
): readonly RowRange[] {
  const processes = variants.map((one) => Math.max(one.processes, hostShares(one.loadFrom).length));
  // A server has no more sessions than it was to have anyway.
  const connections = variants.map((one) => one.connections);
  const most = Math.min(...processes, Math.max(...connections), Math.floor(rows / leastRows));
  const ranges = loadsInParallel && !isIndexedInRowOrder(dataset, table) ? Math.max(1, most) : 1;
  const start = (range: number) => Math.floor((rows * range) / ranges);
  return Array.from({ length: ranges }, (_, i) => ({ first: start(i), end: start(i + 1) }));
}
