import type { RunModel } from '#analysis/run-model/run-model.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import { formatBytes, formatCount, formatInterval, formatMs, formatNumber } from '#model/format/format.ts';
import { variantLabel } from '#planning/variant-of.ts';
import type { CellRow, CellTable } from './shared/cell-table.ts';

const commitColumns = ['mean', 'p50', 'p90', 'p99', 'max', 'rows each', 'log each', 'commits'] as const;

const commitNote =
  'From COMMIT to its answer, where several calls are committed together; all repeats merged, the mean with its 95 % interval over the repeats. Log: what the server says that it wrote, others’ included. A dash: too few commits to say, or the server does not tell.';

/** A row for each cell that has commits, as texts in the order of commitColumns. */
function commitRows(model: RunModel): readonly CellRow[] {
  const servers = serverSummaries(model);
  return model.cells.flatMap(({ variant, target, commits }) => {
    if (commits === null) return [];
    const { latencyMs, meanMs, rowsPerCommit } = commits;
    const log = servers.find((one) => one.variant === variant && one.target === target)?.logBytesPerCommit;
    return [
      {
        variant: variantLabel(model.plan, variant),
        target,
        texts: [
          meanMs === null ? '–' : formatInterval(meanMs, formatMs),
          formatMs(latencyMs.p50),
          formatMs(latencyMs.p90),
          formatMs(latencyMs.p99),
          formatMs(latencyMs.max),
          formatNumber(rowsPerCommit),
          formatBytes(log),
          formatCount(latencyMs.count),
        ],
      },
    ];
  });
}

/** What commits took, cell by cell. Nothing where calls commit by themselves. */
export const commitTable = (model: RunModel): CellTable => ({
  note: commitNote,
  columns: commitColumns,
  rows: commitRows(model),
});
