import { connectingSummary } from '#analysis/cells/connecting.ts';
import type { ConnectingSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatMs, formatPercent } from '#model/format/format.ts';
import { cellColumns, cellTexts, heads, type NotedTable, numbers, type PanelTable } from '../shared/panel-table.ts';

const figures = numbers('Sessions', 'Mean', 'p50', 'p99', 'Maximum', 'Ending', 'Preparing', 'Failed', 'Share of time');

function textsOf({ latencyMs, failed, endMs, prepareMs, share }: ConnectingSummary) {
  return [
    formatCount(latencyMs.count),
    ...[latencyMs.mean, latencyMs.p50, latencyMs.p99, latencyMs.max, endMs, prepareMs].map(formatMs),
    { text: formatCount(failed), tone: failed > 0 ? ('bad' as const) : undefined },
    formatPercent(share),
  ];
}

/** The times of opening sessions anew, cell by cell. Empty if all connections were kept. */
export const connectingTable = (model: RunModel): NotedTable => ({
  note: 'The time to open a session: network, TLS, login, and the statements with which Dyno sets the session up. All repeats are merged. Beside it are the mean times of ending the session before, and of preparing the statements of the new one. No call’s service time contains them; throughput and response times do. The share is of the time that the connections spent on connecting, calls and transactions. A dash means: too few sessions.',
  columns: [...cellColumns, ...figures],
  rows: model.cells.flatMap(({ connecting, ...cell }) =>
    connecting ? [{ cells: [...cellTexts(model, cell), ...textsOf(connecting)] }] : [],
  ),
});

/** The same times, trial by trial. */
export const connectingByTrial = (model: RunModel): PanelTable => ({
  columns: [...heads('Trial'), ...cellColumns, ...figures],
  rows: model.trials.flatMap(({ trial, result }) => {
    const connecting = result && connectingSummary([result]);
    return connecting
      ? [{ cells: [String(trial.number), ...cellTexts(model, trial), ...textsOf(connecting)], cell: trial }]
      : [];
  }),
});
