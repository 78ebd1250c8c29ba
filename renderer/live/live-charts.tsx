import { useMemo } from 'react';
import { isReference } from '../../workers/analysis/charts/select.ts';
import { trialPanels } from '../../workers/analysis/charts/time-panels.ts';
import type { RunModel, TrialView } from '../../workers/analysis/model.ts';
import { Chart } from '../charts/chart.tsx';
import { useChartTheme } from '../charts/use-chart-theme.ts';
import { targetStatuses } from './target-status.ts';

/** Every target's newest trial over one time axis: throughput, latency, the client, the server. */
export const LiveCharts = ({ model }: { readonly model: RunModel }) => {
  const theme = useChartTheme();
  const chart = useMemo(() => {
    const begun = targetStatuses(model).flatMap(({ trial }): TrialView[] => (trial ? [trial] : []));
    // Beside an engine that does nothing, all others would lie on the axis.
    const working = begun.filter(({ trial }) => !isReference(model, trial.target));
    return trialPanels(model, working.length > 0 ? working : begun, theme, { probes: 2 });
  }, [model, theme]);
  if (chart.data.rows.length === 0)
    return <p className="panel panel-text muted">Charts begin with the first second that is measured.</p>;
  return <Chart chart={{ ...chart, title: 'Newest trial of every target, second by second' }} />;
};
