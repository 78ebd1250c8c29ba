import { useMemo, useState } from 'react';
import { clientTimeChart, hasClientCourse, hasProcesses } from '../../workers/analysis/charts/client-time-chart.ts';
import { hasEvents, serverEvents } from '../../workers/analysis/charts/event-chart.ts';
import { chosenTargets } from '../../workers/analysis/charts/select.ts';
import { hasServerCourse, serverTimeChart } from '../../workers/analysis/charts/server-time-chart.ts';
import {
  clientHealth,
  serverProbes,
  throughputOverRows,
  throughputOverTime,
  waitingOverTime,
} from '../../workers/analysis/charts/time-panels.ts';
import type { PanelLink } from '../../workers/analysis/findings/finding.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { stageTable } from '../../workers/analysis/stage-words.ts';
import { Chart } from '../charts/chart.tsx';
import { useChartTheme } from '../charts/use-chart-theme.ts';
import { useChartWidth } from '../charts/use-chart-width.ts';
import { Checkbox, Select } from '../ui/fields.tsx';
import { CellTablePanel } from './cell-table-panel.tsx';
import { EventTable } from './event-table.tsx';
import { filterOf } from './evidence-link.ts';
import { FilterBar } from './filter-bar.tsx';
import { filtered } from './results-filter.ts';
import { WithinTable } from './within-table.tsx';

interface Props {
  readonly model: RunModel;
  /** What led here: its variant is shown first. */
  readonly link: PanelLink | null;
}

/** How the trials went second by second. Client and server are shown for one variant at a time. */
export const TimelineView = ({ model, link }: Props) => {
  const theme = useChartTheme();
  const [ref, widthPx] = useChartWidth();
  const [filter, setFilter] = useState(() => filterOf(link));
  const [closer, setCloser] = useState<string | null>(null);
  const [chosenRepeat, setRepeat] = useState(1);
  const [perProcess, setPerProcess] = useState(false);
  const shown = useMemo(() => filtered(model, filter), [model, filter]);
  const variant = shown.plan.variants.find(({ id }) => id === closer) ?? shown.plan.variants[0];
  const views = useMemo(() => {
    const targets = new Set(chosenTargets(shown, {}).map(({ name }) => name));
    return shown.trials.filter(
      ({ trial, series }) => trial.variant === variant?.id && targets.has(trial.target) && series.atMs.length > 0,
    );
  }, [shown, variant]);
  const withinModel = useMemo(() => ofChosenTargets(shown), [shown]);
  const overview = useMemo(
    () => [
      throughputOverTime(shown, theme, { widthPx }),
      waitingOverTime(shown, theme, { widthPx }),
      throughputOverRows(shown, theme, { widthPx }),
    ],
    [shown, theme, widthPx],
  );
  const close = useMemo(
    () => [clientHealth(shown, views, theme), serverProbes(shown, views, theme, widthPx)],
    [shown, views, theme, widthPx],
  );
  const telling = useMemo(() => views.filter(hasEvents), [views]);
  const timed = useMemo(() => views.filter((view) => hasServerCourse(shown, view)), [shown, views]);
  const working = useMemo(() => views.filter(hasClientCourse), [views]);
  const repeats = [...new Set([...telling, ...timed, ...working].map(({ trial }) => trial.repeat))].toSorted(
    (a, b) => a - b,
  );
  const repeat = repeats.includes(chosenRepeat) ? chosenRepeat : repeats[0];
  const work = useMemo(() => {
    const own = telling.filter(({ trial }) => trial.repeat === repeat);
    return serverEvents(shown, own, theme);
  }, [shown, telling, repeat, theme]);
  const serverTime = useMemo(() => {
    const own = timed.filter(({ trial }) => trial.repeat === repeat);
    return serverTimeChart(shown, own, theme);
  }, [shown, timed, repeat, theme]);
  const clientTime = useMemo(() => {
    const own = working.filter(({ trial }) => trial.repeat === repeat);
    return clientTimeChart(shown, own, theme, { perProcess, widthPx });
  }, [shown, working, repeat, perProcess, theme, widthPx]);
  const hasSeveral = working.some((view) => view.trial.repeat === repeat && hasProcesses(view));
  return (
    <div className="view" ref={ref}>
      <FilterBar model={model} filter={filter} onChange={setFilter} />
      {overview.filter(hasData).map((chart) => (
        <Chart key={chart.id} chart={chart} />
      ))}
      <CellTablePanel table={stageTable(shown)} />
      <WithinTable model={withinModel} />
      {variant && (shown.plan.variants.length > 1 || repeats.length > 1 || hasSeveral) && (
        <div className="filter-bar">
          {shown.plan.variants.length > 1 && (
            <Select
              label="Client and server during"
              value={variant.id}
              choices={shown.plan.variants.map(({ id, label }) => ({ id, label }))}
              onChange={setCloser}
            />
          )}
          {repeat !== undefined && repeats.length > 1 && (
            <Select
              label="In repeat"
              value={String(repeat)}
              choices={repeats.map((one) => ({ id: String(one), label: String(one) }))}
              onChange={(id) => setRepeat(Number(id))}
            />
          )}
          {hasSeveral && (
            <Checkbox label="Each client process by itself" checked={perProcess} onChange={setPerProcess} />
          )}
        </div>
      )}
      {hasData(clientTime) && <Chart chart={clientTime} />}
      {hasData(serverTime) && <Chart chart={serverTime} />}
      {hasData(work) && (
        <>
          <Chart chart={work} />
          <EventTable model={shown} views={telling} />
        </>
      )}
      {close.filter(hasData).map((chart) => (
        <Chart key={chart.id} chart={chart} />
      ))}
      {!overview.some(hasData) && (
        <p className="muted">No trial has been measured for two seconds: none has a course to show.</p>
      )}
    </div>
  );
};

/** Without the targets that charts leave out, too. */
function ofChosenTargets(model: RunModel): RunModel {
  const targets = new Set(chosenTargets(model, {}).map(({ name }) => name));
  return { ...model, trials: model.trials.filter(({ trial }) => targets.has(trial.target)) };
}

const hasData = ({ data }: { readonly data: { readonly rows: readonly unknown[] } }): boolean => data.rows.length > 0;
