import { memo, useMemo, useRef, useState } from 'react';
import { historyChart } from '#presentation/charts/history-chart.ts';
import { chartFileDate, historyFrame } from '#presentation/charts/history-frame.ts';
import { runSeriesPx } from '#presentation/charts/kit/run-series.ts';
import { sceneText } from '#presentation/charts/kit/scene.ts';
import { colourOf } from '#presentation/charts/kit/theme.ts';
import { cellText, seriesTitle } from '#presentation/text/history-headline.ts';
import type { History, HistorySeries } from '#protocol/history.ts';
import { useChartTheme } from '../charts/chart-themes.ts';
import { DataTable } from '../charts/data-table.tsx';
import { Picture } from '../charts/picture.tsx';
import { exportActions } from '../charts/save-drawing.ts';
import { goTo } from '../state/navigation.ts';
import { useInSight } from '../ui/display/in-sight.ts';
import { ActionMenu } from '../ui/overlays/menu.tsx';

interface Props {
  readonly history: History;
  readonly series: HistorySeries;
  /** The last value and change, as text. */
  readonly state: string;
  readonly layout: Parameters<typeof historyChart>[2];
}

const openRun = (runId: string): void => goTo({ page: 'run', runId });

/** The chart of one cell over the runs. Only a chart near the visible part of the page is drawn. */
export const CellChart = memo(({ history, series, state, layout }: Props) => {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useInSight(place);
  const [asTable, setAsTable] = useState(false);
  const theme = useChartTheme();
  const chart = useMemo(
    () => (isNear ? historyChart(history, series, layout, theme) : null),
    [isNear, history, series, layout, theme],
  );
  const name = cellText(series);
  const title = seriesTitle(series);
  const drawn = () => chart ?? historyChart(history, series, layout, theme);
  return (
    <section className="panel history-cell" aria-label={title}>
      <header className="panel-head">
        <div>
          <h2>
            <span className="history-dot" style={{ background: colourOf(theme, series.index) }} /> {name}
          </h2>
          <p className="faint chart-about">{state}</p>
        </div>
        <ActionMenu
          label={`Save or read: ${title}`}
          actions={[
            { id: 'table', label: asTable ? 'Show as chart' : 'Show as table', run: () => setAsTable(!asTable) },
            ...exportActions({
              id: `history-${name}`,
              framed: {
                name: `${history.name} ${chartFileDate(history)} ${name} ${series.quantity}`,
                frame: () => historyFrame(history, series),
              },
              theme,
              svg: () => sceneText(drawn().scene, theme.background),
              table: () => drawn().data,
            }),
          ]}
        />
      </header>
      {/* A chart has its room before it is drawn. */}
      <div ref={place} style={{ minHeight: runSeriesPx }}>
        {chart !== null &&
          (asTable ? (
            <DataTable table={chart.data} label={title} heightPx={runSeriesPx} />
          ) : (
            <Picture scene={chart.scene} onOpenRun={openRun} />
          ))}
      </div>
    </section>
  );
});
