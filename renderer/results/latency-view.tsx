import { useMemo, useState } from 'react';
import { callTimes } from '../../workers/analysis/charts/call-chart.ts';
import { commitLatency } from '../../workers/analysis/charts/commit-chart.ts';
import { latencyByPercentile, latencyHistogram } from '../../workers/analysis/charts/latency-charts.ts';
import { clientShares } from '../../workers/analysis/charts/share-chart.ts';
import { statementLatency } from '../../workers/analysis/charts/statement-chart.ts';
import { numericFactors } from '../../workers/analysis/charts/sweep-chart.ts';
import { commitTable } from '../../workers/analysis/commit-rows.ts';
import type { PanelLink } from '../../workers/analysis/findings/finding.ts';
import type { RunModel } from '../../workers/analysis/model.ts';
import { Chart } from '../charts/chart.tsx';
import { useChartTheme } from '../charts/use-chart-theme.ts';
import { useChartWidth } from '../charts/use-chart-width.ts';
import { CellTablePanel } from './cell-table-panel.tsx';
import { filterOf } from './evidence-link.ts';
import { FilterBar } from './filter-bar.tsx';
import { LatencyTable } from './latency-table.tsx';
import { filtered } from './results-filter.ts';
import { StatementPanel } from './statement-panel.tsx';

interface Props {
  readonly model: RunModel;
  /** What led here: its variant is shown first. */
  readonly link: PanelLink | null;
}

/** How long single calls took, and where the client's own time went. */
export const LatencyView = ({ model, link }: Props) => {
  const theme = useChartTheme();
  const [ref, widthPx] = useChartWidth();
  const [filter, setFilter] = useState(() => filterOf(link));
  const shown = useMemo(() => filtered(model, filter), [model, filter]);
  const charts = useMemo(
    () => [
      statementLatency(shown, theme, { widthPx }),
      latencyByPercentile(shown, theme, { widthPx }),
      latencyHistogram(shown, theme, { widthPx }),
      ...numericFactors(shown).map((factor) => commitLatency(shown, factor, theme, { widthPx })),
      callTimes(shown, theme, { widthPx }),
      clientShares(shown, theme, { widthPx }),
    ],
    [shown, theme, widthPx],
  );
  return (
    <div className="view" ref={ref}>
      <FilterBar model={model} filter={filter} onChange={setFilter} />
      {shown.cells.some((cell) => cell.latencyMs.count > 0) ? (
        <>
          <StatementPanel model={shown} />
          <LatencyTable model={shown} />
          <CellTablePanel table={commitTable(shown)} />
          {charts.map((chart) => chart.data.rows.length > 0 && <Chart key={chart.id} chart={chart} />)}
        </>
      ) : (
        <p className="muted">
          {shown.cells.some(({ ok }) => ok > 0)
            ? 'The calls of these trials are told apart, and not merged: each is under Results, call by call.'
            : 'No trial has finished yet.'}
        </p>
      )}
    </div>
  );
};
