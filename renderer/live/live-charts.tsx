import { useMemo } from 'react';
import { runCourse } from '../../workers/analysis/charts/run-course.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { Chart } from '../charts/chart.tsx';
import { useChartTheme } from '../charts/use-chart-theme.ts';

/** The run so far over one time axis, all targets side by side. */
export const LiveCharts = ({ model }: { readonly model: RunModel }) => {
  const theme = useChartTheme();
  const chart = useMemo(() => runCourse(model, theme), [model, theme]);
  if (chart.data.rows.length === 0)
    return <p className="panel panel-text muted">The charts begin with the first trial that is measured.</p>;
  return <Chart chart={chart} />;
};
