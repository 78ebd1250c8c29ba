import { formatCount, formatNumber, formatPercent } from '#analysis/format.ts';
import type { RunModel } from '#analysis/model.ts';
import { variantLabel } from '#planning/variant-of.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

const columns = ['Variant', 'Target', ...numbers('Client time lost', 'Retries', 'Retries per 100 commits', 'Given up')];

/** What write conflicts cost, cell by cell. Nothing where there were none. */
export const ConflictsPanel = ({ model }: { readonly model: RunModel }) => {
  const rows = model.cells.flatMap(({ conflicts, ...cell }) => (conflicts ? [{ ...cell, ...conflicts }] : []));
  if (rows.length === 0) return null;
  return (
    <Panel
      label="Lost to retries"
      anchor="retries"
      title="Lost to retries"
      about="What the server undid (deadlocks, serialization failures) was tried again. Time lost includes the pauses between tries; a latency is that of one try."
    >
      <GridTable columns={columns}>
        {rows.map(({ variant, target, lostShare, retries, retriesPer100Commits, gaveUp }) => (
          <tr key={`${variant} ${target}`}>
            <th scope="row">{variantLabel(model.plan, variant)}</th>
            <td>{target}</td>
            <td className="num">{formatPercent(lostShare)}</td>
            <td className="num">{formatCount(retries)}</td>
            <td className="num">{formatNumber(retriesPer100Commits)}</td>
            <td className={gaveUp > 0 ? 'num bad' : 'num'}>{formatCount(gaveUp)}</td>
          </tr>
        ))}
      </GridTable>
    </Panel>
  );
};
