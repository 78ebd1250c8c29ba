import { ratios } from '#analysis/compare.ts';
import type { RunModel } from '#analysis/model.ts';
import { RatioTable } from '../results/ratio-table.tsx';
import { useBaseline } from '../results/use-baseline.ts';
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
  const [baseline, setBaseline] = useBaseline(model);
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
      {live && (
        <RatioTable model={model} ratios={ratios(model, baseline)} baseline={baseline} onBaseline={setBaseline} />
      )}
      <EventLog lines={log} />
    </div>
  );
};
