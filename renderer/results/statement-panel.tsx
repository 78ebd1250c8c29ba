import { formatCount, formatMs, formatNumber, formatShort } from '#analysis/format.ts';
import type { RunModel } from '#analysis/model.ts';
import { errorWords, statementsTitle } from '#analysis/statement-summary.ts';
import { variantLabel } from '#planning/variant-of.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

const columns = [
  'Statement',
  'Variant',
  'Target',
  ...numbers('calls/s', 'rows each', 'p50', 'p95', 'p99', 'calls'),
  'Errors',
];

/** Each own statement and transaction, or part of a copy, cell by cell. Nothing where the run has none. */
export const StatementPanel = ({ model }: { readonly model: RunModel }) => {
  const rows = model.cells.flatMap(({ variant, target, statements = [] }) =>
    statements.map((one) => ({ variant, target, one })),
  );
  if (rows.length === 0) return null;
  return (
    <Panel
      label={statementsTitle(model)}
      anchor="statements"
      title={statementsTitle(model)}
      about="All repeats merged. Rows: returned or changed. Wrong row counts are errors (wrongResult). A dash: too few calls to say."
    >
      <GridTable columns={columns}>
        {rows.map(({ variant, target, one }) => (
          <tr key={`${variant} ${target} ${one.name}`}>
            <th scope="row">
              {one.name}
              {one.kind !== 'statement' && <span className="faint"> {one.kind}</span>}
            </th>
            <td>{variantLabel(model.plan, variant)}</td>
            <td>{target}</td>
            <td className="num">{formatShort(one.callsPerSecond)}</td>
            <td className="num">{formatNumber(one.rowsPerCall)}</td>
            <td className="num">{formatMs(one.latencyMs.p50)}</td>
            <td className="num">{formatMs(one.latencyMs.p95)}</td>
            <td className="num">{formatMs(one.latencyMs.p99)}</td>
            <td className="num faint">{formatCount(one.latencyMs.count)}</td>
            <td className={Object.keys(one.errors).length > 0 ? 'bad' : 'faint'}>{errorWords(one)}</td>
          </tr>
        ))}
      </GridTable>
    </Panel>
  );
};
