import { formatErrors } from '#analysis/cells/statement-summary.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatMs, formatNumber, formatShort } from '#model/format/format.ts';
import { variantText } from '#planning/variant-of.ts';
import { heads, numbers, type PanelTable, targets, words } from '../shared/panel-table.ts';

export const statementNote =
  'All repeats are merged. Rows are the mean number of rows returned or changed. Wrong row counts are errors (wrongResult). A dash means that there are too few calls for the percentile.';

/** Each custom statement, transaction or part of a copy, cell by cell. Empty for other runs. */
export const statementTable = (model: RunModel): PanelTable => ({
  columns: [
    ...heads('Statement'),
    ...words('Variant'),
    ...targets('Target'),
    ...numbers('calls/s', 'rows each', 'p50', 'p95', 'p99', 'calls'),
    ...words('Errors'),
  ],
  rows: model.cells.flatMap(({ variant, target, statements = [] }) =>
    statements.map((one) => ({
      cells: [
        one.kind === 'statement' ? one.name : `${one.name} (${one.kind})`,
        variantText(model.plan, variant),
        target,
        formatShort(one.callsPerSecond),
        formatNumber(one.rowsPerCall),
        ...[one.latencyMs.p50, one.latencyMs.p95, one.latencyMs.p99].map(formatMs),
        formatCount(one.latencyMs.count),
        { text: formatErrors(one), tone: Object.keys(one.errors).length > 0 ? 'bad' : undefined },
      ],
    })),
  ),
});
