import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { eventSummaries } from '#analysis/server/event-summary.ts';
import { formatBytes, formatCount, formatMs } from '#model/format/format.ts';
import { heads, numbers, type PanelTable, targets } from '../shared/panel-table.ts';

export const serverWorkNote =
  'The background work that the servers timed during the measured phases, all repeats together. A dash means: too few for the percentile, or the server reports nothing or only sums.';

/** The background work that the servers timed in `views`, which are trials of one variant. */
export const serverWorkTable = (model: RunModel, views: readonly TrialView[]): PanelTable => ({
  columns: [...heads('Work'), ...targets('Target'), ...numbers('Times', 'In all', 'p50', 'p99', 'Longest', 'Bytes')],
  rows: eventSummaries({ ...model, trials: views }).map(
    ({ label, target, count, totalMs, p50Ms, p99Ms, maxMs, bytes }) => ({
      cells: [
        ...[label, target, formatCount(count)],
        ...[totalMs, p50Ms, p99Ms, maxMs].map(formatMs),
        formatBytes(bytes),
      ],
    }),
  ),
});
