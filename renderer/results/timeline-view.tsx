import { useMemo, useState } from 'react';
import { chosenTargets } from '../../workers/analysis/charts/select.ts';
import {
  clientHealth,
  serverProbes,
  throughputOverRows,
  throughputOverTime,
} from '../../workers/analysis/charts/time-panels.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { Chart } from '../charts/chart.tsx';
import { useChartTheme } from '../charts/use-chart-theme.ts';
import { useChartWidth } from '../charts/use-chart-width.ts';
import { Select } from '../ui/fields.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filtered, noFilter } from './results-filter.ts';

/** How the trials went second by second. Client and server are shown for one variant at a time. */
export const TimelineView = ({ model }: { readonly model: RunModel }) => {
  const theme = useChartTheme();
  const [ref, widthPx] = useChartWidth();
  const [filter, setFilter] = useState(noFilter);
  const [closer, setCloser] = useState<string | null>(null);
  const shown = useMemo(() => filtered(model, filter), [model, filter]);
  const variant = shown.plan.variants.find(({ id }) => id === closer) ?? shown.plan.variants[0];
  const views = useMemo(() => {
    const targets = new Set(chosenTargets(shown, {}).map(({ name }) => name));
    return shown.trials.filter(
      ({ trial, series }) => trial.variant === variant?.id && targets.has(trial.target) && series.atMs.length > 0,
    );
  }, [shown, variant]);
  const overview = useMemo(
    () => [throughputOverTime(shown, theme, { widthPx }), throughputOverRows(shown, theme, { widthPx })],
    [shown, theme, widthPx],
  );
  const close = useMemo(
    () => [clientHealth(shown, views, theme), serverProbes(shown, views, theme, widthPx)],
    [shown, views, theme, widthPx],
  );
  return (
    <div className="view" ref={ref}>
      <FilterBar model={model} filter={filter} onChange={setFilter} />
      {overview.filter(hasData).map((chart) => (
        <Chart key={chart.id} chart={chart} />
      ))}
      {variant && shown.plan.variants.length > 1 && (
        <div className="filter-bar">
          <Select
            label="Client and server during"
            value={variant.id}
            choices={shown.plan.variants.map(({ id, label }) => ({ id, label }))}
            onChange={setCloser}
          />
        </div>
      )}
      {close.filter(hasData).map((chart) => (
        <Chart key={chart.id} chart={chart} />
      ))}
      {!overview.some(hasData) && <p className="muted">No trial has been measured for a second yet.</p>}
    </div>
  );
};

const hasData = ({ data }: { readonly data: { readonly rows: readonly unknown[] } }): boolean => data.rows.length > 0;
