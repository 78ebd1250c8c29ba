import { eventSummaries } from '#analysis/event-summary.ts';
import { formatBytes, formatCount, formatMs } from '#analysis/format.ts';
import type { RunModel, TrialView } from '#analysis/model.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

const columns = ['Work', 'Target', ...numbers('Times', 'In all', 'p50', 'p99', 'Longest', 'Bytes')];

interface Props {
  readonly model: RunModel;
  /** Trials of one variant. */
  readonly views: readonly TrialView[];
}

/** What the servers timed of their own work, in numbers. */
export const EventTable = ({ model, views }: Props) => (
  <Panel
    label="Server’s own work in numbers"
    title="Server’s own work in numbers"
    about="All repeats together. A dash: too few to say, or the server does not tell (or tells only sums)."
  >
    <GridTable columns={columns}>
      {eventSummaries({ ...model, trials: views }).map((row) => (
        <tr key={`${row.target} ${row.kind}`}>
          <th scope="row">{row.label}</th>
          <td>{row.target}</td>
          <td className="num">{formatCount(row.count)}</td>
          <td className="num">{formatMs(row.totalMs)}</td>
          <td className="num">{formatMs(row.p50Ms)}</td>
          <td className="num">{formatMs(row.p99Ms)}</td>
          <td className="num">{formatMs(row.maxMs)}</td>
          <td className="num">{formatBytes(row.bytes)}</td>
        </tr>
      ))}
    </GridTable>
  </Panel>
);
