import { useMemo } from 'react';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { EventLog } from './event-log.tsx';
import { HostRows } from './host-rows.tsx';
import { leaderboard } from './leaderboard.ts';
import { LeaderboardPanel } from './leaderboard-panel.tsx';
import { RunCharts, SearchCurve } from './live-charts.tsx';
import { liveHosts } from './live-hosts.ts';
import { measuredTrial } from './measured-trial.ts';
import { NowPanel } from './now-panel.tsx';
import type { LogLine } from './run-log.ts';
import { TargetRows } from './target-rows.tsx';
import { targetStatuses } from './target-status.ts';

interface Props {
  readonly model: RunModel;
  readonly log: readonly LogLine[];
}

/** The metrics that matter only during a run. All parts have a fixed height. */
const Now = ({ model }: { readonly model: RunModel }) => {
  const unit = rateUnit(model);
  const hosts = liveHosts(model);
  const board = useMemo(() => leaderboard(model), [model]);
  return (
    <>
      <NowPanel measured={measuredTrial(model)} unit={unit} />
      <TargetRows statuses={targetStatuses(model)} unit={unit} />
      {hosts.length > 0 && <HostRows hosts={hosts} />}
      {model.plan.measure.search ? <SearchCurve model={model} /> : <LeaderboardPanel board={board} unit={unit} />}
    </>
  );
};

/** All targets of a run side by side, during the run and afterwards. */
export const LiveView = ({ model, log }: Props) => (
  <div className="view">
    {model.status === 'running' && <Now model={model} />}
    <RunCharts model={model} />
    <EventLog lines={log} />
  </div>
);
