import { CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  AxisPointerComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
} from 'echarts/components';
import * as echarts from 'echarts/core';
import { LabelLayout } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';
import { useContext, useEffect, useId, useRef, useState } from 'react';
import type { Chart as ChartData, Drawing } from '#presentation/charts/kit/chart.ts';
import { sceneText } from '#presentation/charts/kit/scene.ts';
import { HelpButton } from '../help/help-button.tsx';
import { panelTopic } from '../help/help-store.ts';
import { useTheme } from '../state/theme.ts';
import { useSeen } from '../ui/display/when-seen.ts';
import { ActionMenu } from '../ui/overlays/menu.tsx';
import { ChartRemark, ChartRun } from './chart-remark.ts';
import { chartThemes } from './chart-themes.ts';
import { DataTable } from './data-table.tsx';
import { Picture } from './picture.tsx';
import { exportActions } from './save-drawing.ts';

echarts.use([
  CustomChart,
  LineChart,
  ScatterChart,
  AxisPointerComponent,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  TitleComponent,
  TooltipComponent,
  LabelLayout,
  SVGRenderer,
]);

/** The width of a saved chart while its table is shown. */
const defaultWidthPx = 1_040;

/** Draws panels as an SVG document, outside of the page. */
function svgOf({ option, heightPx }: Drawing, widthPx: number, backgroundColor: string): string {
  const drawing = echarts.init(null, null, { renderer: 'svg', ssr: true, width: widthPx, height: heightPx });
  try {
    drawing.setOption({ ...option, animation: false, backgroundColor });
    return drawing.renderToSVGString();
  } finally {
    drawing.dispose();
  }
}

interface PanelsProps {
  readonly chart: Drawing;
  readonly labelledBy: string;
}

/** This is the only component that uses an ECharts instance. */
const Panels = ({ chart, labelledBy }: PanelsProps) => {
  const host = useRef<HTMLDivElement>(null);
  const instance = useRef<echarts.ECharts | null>(null);
  const isSeen = useSeen(host);

  useEffect(() => {
    if (!host.current || !isSeen) return;
    const drawing = echarts.init(host.current, null, { renderer: 'svg' });
    instance.current = drawing;
    const observer = new ResizeObserver(([entry]) => {
      // The observer also reports the size in which the chart was just drawn.
      const { width, height } = entry!.contentRect;
      if (Math.round(width) !== drawing.getWidth() || Math.round(height) !== drawing.getHeight()) drawing.resize();
    });
    observer.observe(host.current);
    return () => {
      observer.disconnect();
      drawing.dispose();
      instance.current = null;
    };
  }, [isSeen]);

  useEffect(() => {
    if (isSeen)
      instance.current?.setOption({ ...chart.option, animation: false }, { notMerge: true, lazyUpdate: true });
  }, [chart, isSeen]);

  return (
    <div ref={host} className="chart-host" style={{ height: chart.heightPx }} role="img" aria-labelledby={labelledBy} />
  );
};

/** A chart under its title. Its data can be shown as a table and copied as a picture, and saved as SVG, PNG and CSV. */
export const Chart = ({ chart }: { readonly chart: ChartData }) => {
  const section = useRef<HTMLElement>(null);
  const [asTable, setAsTable] = useState(false);
  const theme = useTheme();
  const remark = useContext(ChartRemark);
  const run = useContext(ChartRun);
  const id = useId();

  const svg = () => {
    const { background } = chartThemes[theme];
    if ('scene' in chart) return sceneText(chart.scene, background);
    const shown = section.current?.querySelector('.chart-host')?.clientWidth;
    return svgOf(chart, shown ?? defaultWidthPx, background);
  };

  return (
    <section ref={section} className="chart panel" aria-labelledby={id} data-chart={chart.id} tabIndex={-1}>
      <header className="panel-head">
        <div>
          <h2 id={id}>{chart.title}</h2>
          {chart.note && <p className="faint chart-about">{chart.note}</p>}
          {remark}
        </div>
        <span className="grow" />
        <HelpButton about={chart.title} topic={panelTopic(chart.title)} />
        <ActionMenu
          label={`Save or read: ${chart.title}`}
          actions={[
            {
              id: 'table',
              label: asTable ? 'Show as chart' : 'Show as table',
              run: () => setAsTable(!asTable),
            },
            ...exportActions({
              ...{ id: chart.id, title: chart.title, note: chart.note, run, theme: chartThemes[theme], svg },
              table: () => chart.data,
            }),
          ]}
        />
      </header>
      {asTable ? (
        <DataTable
          table={chart.data}
          label={chart.title}
          heightPx={'scene' in chart ? chart.scene.heightPx : chart.heightPx}
        />
      ) : 'scene' in chart ? (
        <Picture scene={chart.scene} />
      ) : (
        <Panels chart={chart} labelledBy={id} />
      )}
    </section>
  );
};
