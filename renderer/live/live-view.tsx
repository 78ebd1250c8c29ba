import type { RunModel } from '#analysis/run-model/run-model.ts';
import { RatioTable } from '../results/ratio-table.tsx';
import { EventLog } from './event-log.tsx';
import { LiveCharts } from './live-charts.tsx';
import type { LogLine } from './run-log.ts';
import { targetStatuses } from './target-status.ts';
import { TargetTile } from './target-tile.tsx';

interface Props {
  readonly model: RunModel;
  readonly log: readonly LogLine[];
}

/** All targets of a run side by side, while it runs and afterwards. */
export const LiveView = ({ model, log }: Props) => {
  const live = model.status === 'running';
  return (
    <div className="view">
      {live && (
        <div className="tiles">
          {targetStatuses(model).map((status) => (
            <TargetTile key={status.name} status={status} />
          ))}
        </div>
      )}
      <LiveCharts model={model} />
      {live && <RatioTable model={model} />}
      <EventLog lines={log} />
    </div>
  );
};
