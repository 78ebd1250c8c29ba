import { useMemo } from 'react';
import { runCourse } from '../../workers/analysis/charts/run-course.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { Chart } from '../charts/chart.tsx';
import { useChartTheme } from '../charts/use-chart-theme.ts';
import { useChartWidth } from '../charts/use-chart-width.ts';

/** The run so far over one time axis, all targets side by side. */
export const LiveCharts = ({ model }: { readonly model: RunModel }) => {
  const theme = useChartTheme();
  const [ref, widthPx] = useChartWidth();
  const chart = useMemo(() => runCourse(model, theme, widthPx), [model, theme, widthPx]);
  return (
    <div ref={ref}>
      {chart.data.rows.length === 0 ? (
        <p className="panel panel-text muted">The charts begin with the first trial that is measured.</p>
      ) : (
        <Chart chart={chart} />
      )}
    </div>
  );
};
