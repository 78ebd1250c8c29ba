import { useMemo } from 'react';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { drawPanel } from '#presentation/outline/draw-panel.ts';
import { panelOf } from '#presentation/outline/outline.ts';
import { Chart } from '../charts/chart.tsx';
import { useChartTheme } from '../charts/chart-themes.ts';
import { useChartWidth } from '../charts/use-chart-width.ts';

const places = ['search-curve', 'run-timeline'] as const;

/** The run so far over one time axis, all targets side by side, under the curve that a search follows. */
export const LiveCharts = ({ model }: { readonly model: RunModel }) => {
  const theme = useChartTheme();
  const [ref, widthPx] = useChartWidth();
  const charts = useMemo(() => {
    const input = { model, run: model, baseline: baselineOf(model), theme, widthPx, views: [], perProcess: false };
    return places.flatMap((place) => {
      const content = drawPanel(panelOf(place), input)?.content;
      return content?.kind === 'charts' ? content.charts : [];
    });
  }, [model, theme, widthPx]);
  return (
    <div ref={ref}>
      {charts.length === 0 ? (
        <p className="panel panel-text muted">The charts begin with the first trial that is measured.</p>
      ) : (
        charts.map((chart) => <Chart key={chart.id} chart={chart} />)
      )}
    </div>
  );
};
