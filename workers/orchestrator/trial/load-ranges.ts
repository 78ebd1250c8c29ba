import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Dataset, TablePlan } from '#model/dataset/dataset.ts';
import { isIndexedInRowOrder } from '#model/dataset/row-order.ts';
import { hostShares } from '#model/load-hosts.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { RowRange } from '#protocol/messages.ts';

/**
 * Minimum number of rows of a range. Two processes that load this many each are as fast as one that loads both ranges,
 * because processes take time to start (npm run bench -- split-load).
 */
const leastRows = 200_000;

/**
 * The ranges of rows that worker processes load at the same time. With one range, the control connection loads all
 * rows. `variants`: all variants measured on the target. The number of ranges decides which rows are neighbours in the
 * table, so it is the same for all variants: the most that each of them has processes for. If an index ascends with the
 * rows, there is one range, because all ranges but the last would leave the index pages half empty, and one process is
 * as fast.
 */
export function loadRanges(
  { loadsInParallel }: Pick<EngineDescriptor, 'loadsInParallel'>,
  dataset: Pick<Dataset, 'columns'>,
  table: Pick<TablePlan, 'columns' | 'key' | 'indexes'>,
  variants: readonly Pick<Settings, 'processes' | 'loadFrom' | 'connections'>[],
  rows: number,
): readonly RowRange[] {
  const processes = variants.map((one) => Math.max(one.processes, hostShares(one.loadFrom).length));
  // The server gets no more sessions than the measurement opens anyway.
  const connections = variants.map((one) => one.connections);
  const most = Math.min(...processes, Math.max(...connections), Math.floor(rows / leastRows));
  const ranges = loadsInParallel && !isIndexedInRowOrder(dataset, table) ? Math.max(1, most) : 1;
  const start = (range: number) => Math.floor((rows * range) / ranges);
  return Array.from({ length: ranges }, (_, i) => ({ first: start(i), end: start(i + 1) }));
}
