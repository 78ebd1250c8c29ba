import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatMs, formatNumber } from '#model/format/format.ts';
import { loadText } from '#model/statements/load-model.ts';
import { cellColumns, cellTexts, type NotedTable, numbers, remarks } from '../shared/panel-table.ts';

/**
 * The offered load, the calls that were made, and the waits of client and server. Empty if each connection is a closed
 * loop of its own. The remark names the load if cells differ in it.
 */
export function loadTable(model: RunModel): NotedTable {
  const inScenarios = model.plan.experiment.scenarios !== undefined;
  const cells = model.cells.flatMap(({ load, ...cell }) =>
    load === null ? [] : [{ ...cell, load, words: loadText(load.model, inScenarios) }],
  );
  const differ = new Set(cells.map(({ words }) => words)).size > 1;
  return {
    note: 'Units of work: calls that commit by themselves, or transactions. Response: from the intended start to the end. Wait: for a connection. Service: of a call. Start error: how late the generator got round to a start. Backlog: units that were not over when the last one had arrived; they are worked on and counted. All repeats merged. What was given up counts as longer than all that was done. A dash: too few to say, a percentile of what was given up, or a closed load, which offers as much as is answered.',
    columns: [
      ...cellColumns,
      ...numbers('offered/s', 'achieved/s', 'response p50', 'response p95', 'response p99', 'wait p50', 'wait p99'),
      ...numbers('service p50', 'service p99', 'start error p99', 'backlog at the end'),
      ...(differ ? remarks('Load') : []),
    ],
    rows: cells.map(({ words, load, ...cell }) => {
      const { response, wait, service, startError } = load;
      return {
        cells: [
          ...cellTexts(model, cell),
          formatNumber(load.offeredPerSecond),
          formatNumber(load.achievedPerSecond),
          ...[response.p50, response.p95, response.p99, wait.p50, wait.p99].map(formatMs),
          ...[service.p50, service.p99, startError.p99].map(formatMs),
          load.backlog === null ? '–' : formatCount(load.backlog),
          ...(differ ? [words] : []),
        ],
      };
    }),
  };
}
