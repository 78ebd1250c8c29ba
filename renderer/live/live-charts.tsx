import { useMemo } from 'react';
import { runCourse } from '#analysis/charts/run-course.ts';
import { searchChart } from '#analysis/charts/search-chart.ts';
import type { RunModel } from '#analysis/model.ts';
import { Chart } from '../charts/chart.tsx';
import { useChartTheme } from '../charts/use-chart-theme.ts';
import { useChartWidth } from '../charts/use-chart-width.ts';

/** The curves of searches, then charts of all targets over one time axis. */
export const LiveCharts = ({ model }: { readonly model: RunModel }) => {
  const theme = useChartTheme();
  const [ref, widthPx] = useChartWidth();
  const charts = useMemo(
    () => [searchChart(model, theme, { widthPx }), runCourse(model, theme, widthPx)],
    [model, theme, widthPx],
  ).filter(({ data }) => data.rows.length > 0);
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
