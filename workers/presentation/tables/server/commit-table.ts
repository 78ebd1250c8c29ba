import type { RunModel } from '#analysis/run-model/run-model.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import { formatBytes, formatCount, formatInterval, formatMs, formatMsTo, formatNumber } from '#model/format/format.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { cellColumns, cellTexts, type NotedTable, numbers } from '../shared/panel-table.ts';

/** The latency of commits, cell by cell. Empty if calls commit by themselves. */
export function commitTable(model: RunModel): NotedTable {
  const servers = serverSummaries(model);
  return {
    note: 'The time from COMMIT to its answer, for transactions of several calls. All repeats are merged, and the mean has a 95 % interval over the repeats. Log is the volume that the server reports having written, including other sessions. A dash means: too few commits, or not reported by the server.',
    columns: [...cellColumns, ...numbers('mean', 'p50', 'p90', 'p99', 'max', 'rows each', 'log each', 'commits')],
    rows: model.cells.flatMap(({ commits, ...cell }) => {
      if (commits === null) return [];
      const { latencyMs, meanMs, rowsPerCommit } = commits;
      const log = servers.find((one) => keyOf(one) === keyOf(cell))?.logBytesPerCommit;
      const texts = [
        meanMs === null ? '–' : formatInterval(meanMs, formatMsTo),
        ...[latencyMs.p50, latencyMs.p90, latencyMs.p99, latencyMs.max].map(formatMs),
        formatNumber(rowsPerCommit),
        formatBytes(log),
        formatCount(latencyMs.count),
      ];
      return [{ cells: [...cellTexts(model, cell), ...texts] }];
    }),
  };
}
