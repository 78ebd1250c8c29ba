import type { StatementShares } from '#analysis/findings/statements/statement-shares.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import { variantText } from '#planning/variant-of.ts';
import { heads, type NotedTable, numbers } from '../shared/panel-table.ts';

/** The statements of a run on one server, the one with the most time first. */
export function statementShareTable(model: RunModel, { cell, statements }: StatementShares): NotedTable {
  const fails = statements.some(({ failed }) => failed > 0);
  const calls = statements.reduce((sum, one) => sum + one.calls, 0);
  return {
    note: `${model.plan.variants.length === 1 ? '' : `The statements of ${variantText(model.plan, cell.variant)}. `}Shares are of the time in all calls and of the number of calls. Rows examined were read by the server for one call, by its own count; a dash means that it does not count them, or that there are too few calls for a percentile.`,
    columns: [
      ...heads('Statement'),
      ...numbers('Share of time', 'Calls', 'Share of calls', 'p50', 'p99', 'Rows a call', 'Rows examined a call'),
      ...(fails ? numbers('Failed') : []),
    ],
    rows: statements.map((one) => ({
      cells: [
        one.name,
        formatPercent(one.timeShare),
        formatCount(one.calls),
        formatPercent(one.calls / calls),
        ...[one.p50, one.p99].map(formatMs),
        ...[one.rowsPerCall, one.examinedPerCall].map((rows) => formatNumber(rows)),
        ...(fails ? [{ text: formatCount(one.failed), tone: one.failed > 0 ? ('bad' as const) : undefined }] : []),
      ],
    })),
  };
}
