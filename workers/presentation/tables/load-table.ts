import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatMs, formatNumber } from '#model/format/format.ts';
import { formatLoad } from '#model/statements/load-model.ts';
import { variantLabel } from '#planning/variant-of.ts';
import type { CellTable } from './shared/cell-table.ts';

/**
 * What was offered, what came of it, and who waited for what. Nothing where each connection is a closed loop of its
 * own. The remark names the load where cells differ in it.
 */
export function loadTable(model: RunModel): CellTable {
  const inScenarios = model.plan.experiment.scenarios !== undefined;
  const cells = model.cells.flatMap(({ load, ...cell }) =>
    load === null ? [] : [{ ...cell, load, words: formatLoad(load.model, inScenarios) }],
  );
  const differ = new Set(cells.map(({ words }) => words)).size > 1;
  return {
    note: 'Units of work: calls that commit by themselves, or transactions. Response: from the intended start to the end. Wait: for a connection. Service: of a call. Start error: how late the generator got round to a start. Backlog: units that were not over when the last one had arrived; they are worked on and counted. All repeats merged. A dash: too few to say, or a closed load, which offers as much as is answered.',
    columns: [
      ...['offered/s', 'achieved/s', 'response p50', 'response p95', 'response p99', 'wait p50', 'wait p99'],
      ...['service p50', 'service p99', 'start error p99', 'backlog at the end'],
    ],
    remark: 'Load',
    rows: cells.map(({ variant, target, words, load }) => {
      const { response, wait, service, startError } = load;
      return {
        variant: variantLabel(model.plan, variant),
        target,
        remark: differ ? words : null,
        texts: [
          formatNumber(load.offeredPerSecond),
          formatNumber(load.achievedPerSecond),
          ...[response.p50, response.p95, response.p99, wait.p50, wait.p99].map(formatMs),
          ...[service.p50, service.p99, startError.p99].map(formatMs),
          load.backlog === null ? '–' : formatCount(load.backlog),
        ],
      };
    }),
  };
}
