import { formatCount, formatMs } from '#analysis/format.ts';
import { latencyNote, latencyTitle } from '#analysis/load-summary.ts';
import type { RunModel } from '#analysis/model.ts';
import { variantLabel } from '#planning/variant-of.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

const columns = [
  ['p50', 'p50'],
  ['p90', 'p90'],
  ['p95', 'p95'],
  ['p99', 'p99'],
  ['p999', 'p99.9'],
  ['max', 'max'],
] as const;

/** Percentiles of every cell, all repeats merged. A dash: too few calls for that percentile. */
export const LatencyTable = ({ model }: { readonly model: RunModel }) => (
  <Panel
    label="Latency percentiles"
    anchor="latency-table"
    title={latencyTitle(model.cells)}
    about={`All repeats merged. A dash: too few to say.${latencyNote(model.cells)}`}
  >
    <GridTable columns={['Variant', 'Target', ...numbers(...columns.map(([, title]) => title), 'count')]}>
      {model.cells
        .filter((cell) => cell.latencyMs.count > 0)
        .map((cell) => (
          <tr key={`${cell.variant} ${cell.target}`}>
            <th scope="row">{variantLabel(model.plan, cell.variant)}</th>
            <td>{cell.target}</td>
            {columns.map(([key]) => (
              <td key={key} className="num">
                {formatMs(cell.latencyMs[key])}
              </td>
            ))}
            <td className="num faint">{formatCount(cell.latencyMs.count)}</td>
          </tr>
        ))}
    </GridTable>
  </Panel>
);
