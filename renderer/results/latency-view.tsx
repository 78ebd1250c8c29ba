import { useMemo, useState } from 'react';
import { latencyByPercentile, latencyHistogram } from '../../workers/analysis/charts/latency-charts.ts';
import { clientShares } from '../../workers/analysis/charts/share-chart.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { Chart } from '../charts/chart.tsx';
import { useChartTheme } from '../charts/use-chart-theme.ts';
import { useChartWidth } from '../charts/use-chart-width.ts';
import { FilterBar } from './filter-bar.tsx';
import { LatencyTable } from './latency-table.tsx';
import { filtered, noFilter } from './results-filter.ts';

/** How long single calls took, and where the client's own time went. */
export const LatencyView = ({ model }: { readonly model: RunModel }) => {
  const theme = useChartTheme();
  const [ref, widthPx] = useChartWidth();
  const [filter, setFilter] = useState(noFilter);
  const shown = useMemo(() => filtered(model, filter), [model, filter]);
  const charts = useMemo(
    () => [
      latencyByPercentile(shown, theme, { widthPx }),
      latencyHistogram(shown, theme, { widthPx }),
      clientShares(shown, theme, { widthPx }),
    ],
    [shown, theme, widthPx],
  );
  return (
    <div className="view" ref={ref}>
      <FilterBar model={model} filter={filter} onChange={setFilter} />
      {shown.cells.some((cell) => cell.latencyMs.count > 0) ? (
        <>
          <LatencyTable model={shown} />
          {charts.map((chart) => (
            <Chart key={chart.id} chart={chart} />
          ))}
        </>
      ) : (
        <p className="muted">No trial has finished yet.</p>
      )}
    </div>
  );
};
