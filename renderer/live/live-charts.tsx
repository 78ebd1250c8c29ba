import { type ReactNode, useMemo } from 'react';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { drawPanel } from '#presentation/outline/draw-panel.ts';
import { panelOf, titleOf } from '#presentation/outline/outline.ts';
import { Chart } from '../charts/chart.tsx';
import { useChartTheme } from '../charts/chart-themes.ts';
import { useChartWidth } from '../charts/use-chart-width.ts';
import { PanelBoundary } from '../ui/display/panel-boundary.tsx';

interface Props {
  readonly model: RunModel;
}

interface PanelProps extends Props {
  readonly panel: 'search-curve' | 'run-timeline';
  /** The text before the first result. */
  readonly empty: ReactNode;
}

const Charts = ({ model, panel, empty }: PanelProps) => {
  const theme = useChartTheme();
  const [ref, widthPx] = useChartWidth();
  const charts = useMemo(() => {
    const input = { model, run: model, baseline: baselineOf(model), theme, widthPx, views: [], perProcess: false };
    const content = drawPanel(panelOf(panel), input)?.content;
    return content?.kind === 'charts' ? content.charts : [];
  }, [model, panel, theme, widthPx]);
  return (
    <div ref={ref} className={`live-${panel}`} data-running={model.status === 'running'}>
      {charts.length === 0 ? (
        <p className="panel panel-text muted">{empty}</p>
      ) : (
        charts.map((chart) => <Chart key={chart.id} chart={chart} />)
      )}
    </div>
  );
};

/** The charts of a panel. If they cannot be drawn, the rest of the live view stays usable. */
const PanelCharts = (props: PanelProps) => (
  <PanelBoundary title={titleOf(props.panel, props.model)}>
    <Charts {...props} />
  </PanelBoundary>
);

/** The curve of a running search. Afterwards the summary shows it. */
export const SearchCurve = ({ model }: Props) => (
  <PanelCharts model={model} panel="search-curve" empty="The curve appears after the first measured load." />
);

/** The run so far over one time axis, with all targets side by side. */
export const RunCharts = ({ model }: Props) => (
  <PanelCharts
    model={model}
    panel="run-timeline"
    empty={model.status === 'running' ? 'The charts appear with the first measured trial.' : 'No trial was measured.'}
  />
);
