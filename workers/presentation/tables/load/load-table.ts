import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatMs, formatNumber } from '#model/format/format.ts';
import { loadText } from '#model/statements/load-model.ts';
import { planOf, variantOf } from '#planning/variant-of.ts';
import { cellColumns, cellTexts, type NotedTable, numbers, remarks } from '../shared/panel-table.ts';

const isInScenarios = ({ plan }: RunModel, variant: string): boolean =>
  planOf(plan, variantOf(plan, variant)).experiment.scenarios !== undefined;

/**
 * The offered load, the calls that were made, and the waits of client and server. Empty if each connection is a closed
 * loop of its own. The remark names the load if cells differ in it.
 */
export function loadTable(model: RunModel): NotedTable {
  const cells = model.cells.flatMap(({ load, ...cell }) =>
    load === null ? [] : [{ ...cell, load, words: loadText(load.model, isInScenarios(model, cell.variant)) }],
  );
  const differ = new Set(cells.map(({ words }) => words)).size > 1;
  return {
    note: 'Units of work are transactions, or calls that commit by themselves. Response is the time from the intended start to the end, wait is the time until a connection is free, and service is the time of a call. The start error is the delay of the load generator. The backlog is the number of units in progress when the last unit arrived; they are finished and counted. All repeats are merged, and units that were given up count as slower than all others. A dash means: too few units, a percentile among units that were given up, or a closed load, which has no arrival rate.',
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
