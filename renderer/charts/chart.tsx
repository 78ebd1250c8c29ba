import type { EChartsOption } from 'echarts';
import { CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import {
  AxisPointerComponent,
  DataZoomComponent,
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
import type { ChartTheme } from '#presentation/charts/kit/theme.ts';
import { HelpButton } from '../help/help-button.tsx';
import { panelTopic } from '../help/help-store.ts';
import { useTheme } from '../state/theme.ts';
import { Button } from '../ui/controls/button.tsx';
import { useSeen } from '../ui/display/when-seen.ts';
import { ActionMenu } from '../ui/overlays/menu.tsx';
import { ChartRemark, ChartRun } from './chart-remark.ts';
import { chartThemes, useChartTheme } from './chart-themes.ts';
import { DataTable } from './data-table.tsx';
import { Picture } from './picture.tsx';
import { exportActions, framedByRun } from './save-drawing.ts';

echarts.use([
  CustomChart,
  LineChart,
  ScatterChart,
  AxisPointerComponent,
  DataZoomComponent,
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
function svgOf(chart: Drawing, widthPx: number, backgroundColor: string, range: Range): string {
  const drawing = echarts.init(null, null, { renderer: 'svg', ssr: true, width: widthPx, height: chart.heightPx });
  try {
    drawing.setOption({
      ...chart.option,
      ...(isWhole(range) ? {} : { ...axesOf(chart, range), dataZoom: [insideZoom(range)] }),
      animation: false,
      backgroundColor,
    });
    return drawing.renderToSVGString();
  } finally {
    drawing.dispose();
  }
}

/** The shown part of the x axis, in percent of the whole. */
interface Range {
  readonly start: number;
  readonly end: number;
}
const whole: Range = { start: 0, end: 100 };
const isWhole = ({ start, end }: Range): boolean => start <= 0 && end >= 100;

const insideZoom = (range: Range) => ({
  type: 'inside' as const,
  xAxisIndex: 'all' as const,
  zoomOnMouseWheel: 'ctrl' as const,
  moveOnMouseWheel: false,
  ...range,
});

/** The room of the slider below the panels. */
const sliderPx = 40;

/** The axes of a drawing with the ticks of the shown range. */
const axesOf = ({ option, zoomStep }: Drawing, { start, end }: Range): Pick<EChartsOption, 'xAxis'> =>
  zoomStep === undefined
    ? {}
    : { xAxis: [option.xAxis ?? []].flat().map((axis) => ({ ...axis, interval: zoomStep((end - start) / 100) })) };

const zoomOf = (theme: ChartTheme, range: Range): EChartsOption => ({
  dataZoom: [
    insideZoom(range),
    {
      ...{ type: 'slider', xAxisIndex: 'all', bottom: 8, height: 20, left: 58, right: 18, ...range },
      ...{ showDetail: false, showDataShadow: false, brushSelect: false, borderColor: theme.grid },
      fillerColor: `${theme.muted}26`,
      handleStyle: { color: theme.background, borderColor: theme.muted },
      moveHandleStyle: { color: theme.axis },
    },
  ],
});

/** The buttons that zoom, also by keyboard. */
const ZoomButtons = ({ range, onChange }: { readonly range: Range; readonly onChange: (range: Range) => void }) => {
  const size = range.end - range.start;
  const show = (middle: number, wanted: number) => {
    const most = Math.min(100, Math.max(0.5, wanted));
    const start = Math.min(100 - most, Math.max(0, middle - most / 2));
    onChange({ start, end: start + most });
  };
  const middle = (range.start + range.end) / 2;
  return (
    <fieldset className="zoom-buttons" aria-label="Zoom">
      <Button kind="quiet" onPress={() => show(middle, size / 2)}>
        Zoom in
      </Button>
      <Button kind="quiet" isDisabled={isWhole(range)} onPress={() => show(middle, size * 2)}>
        Zoom out
      </Button>
      <Button kind="quiet" isDisabled={range.start <= 0} onPress={() => show(middle - size / 2, size)}>
        Earlier
      </Button>
      <Button kind="quiet" isDisabled={range.end >= 100} onPress={() => show(middle + size / 2, size)}>
        Later
      </Button>
      <Button kind="quiet" isDisabled={isWhole(range)} onPress={() => onChange(whole)}>
        Whole run
      </Button>
    </fieldset>
  );
};

interface PanelsProps {
  readonly chart: Drawing;
  readonly labelledBy: string;
  readonly range: Range;
  readonly onRange: (range: Range) => void;
}

/** This is the only component that uses an ECharts instance. */
const Panels = ({ chart, labelledBy, range, onRange }: PanelsProps) => {
  const theme = useChartTheme();
  const host = useRef<HTMLDivElement>(null);
  const instance = useRef<echarts.ECharts | null>(null);
  const isSeen = useSeen(host);

  useEffect(() => {
    if (!host.current || !isSeen) return;
    const drawing = echarts.init(host.current, null, { renderer: 'svg' });
    instance.current = drawing;
    drawing.on('datazoom', () => {
      const [zoom] = drawing.getOption().dataZoom as readonly Range[];
      if (zoom) onRange({ start: zoom.start, end: zoom.end });
    });
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
  }, [isSeen, onRange]);

  const shown = useRef(range);
  shown.current = range;
  useEffect(() => {
    if (isSeen)
      instance.current?.setOption(
        {
          ...chart.option,
          ...(chart.zoomStep && { ...axesOf(chart, shown.current), ...zoomOf(theme, shown.current) }),
          animation: false,
        },
        { notMerge: true, lazyUpdate: true },
      );
  }, [chart, isSeen, theme]);
  // The event of the slider has already moved the panels.
  useEffect(() => {
    const [zoom] = (instance.current?.getOption()?.dataZoom ?? []) as readonly Range[];
    if (zoom && (zoom.start !== range.start || zoom.end !== range.end))
      instance.current?.dispatchAction({ type: 'dataZoom', ...range });
    if (zoom) instance.current?.setOption(axesOf(chart, range));
  }, [chart, range]);

  return (
    <div
      ref={host}
      className="chart-host"
      style={{ height: chart.heightPx + (chart.zoomStep ? sliderPx : 0) }}
      role="img"
      aria-labelledby={labelledBy}
    />
  );
};

/** A chart under its title. Its data can be shown as a table and copied as a picture, and saved as SVG, PNG and CSV. */
export const Chart = ({ chart }: { readonly chart: ChartData }) => {
  const section = useRef<HTMLElement>(null);
  const [asTable, setAsTable] = useState(false);
  const [isOpen, setOpen] = useState(chart.fold === undefined);
  const theme = useTheme();
  const remark = useContext(ChartRemark);
  const run = useContext(ChartRun);
  const id = useId();
  const [range, setRange] = useState(whole);

  const svg = () => {
    const { background } = chartThemes[theme];
    if ('scene' in chart) return sceneText(chart.scene, background);
    const shown = section.current?.querySelector('.chart-host')?.clientWidth;
    return svgOf(chart, shown ?? defaultWidthPx, background, range);
  };

  return (
    <section ref={section} className="chart panel" aria-labelledby={id} data-chart={chart.id} tabIndex={-1}>
      <header className="panel-head">
        <div>
          <h2 id={id}>{chart.title}</h2>
          {chart.note && <p className="faint chart-about">{chart.note}</p>}
          {isOpen && remark}
        </div>
        {chart.fold !== undefined && (
          <Button kind="quiet" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide' : `Show ${chart.fold}`}
          </Button>
        )}
        <HelpButton
          about={chart.title}
          topic={panelTopic(chart.fold === undefined ? chart.title : chart.title.split(': ')[0]!)}
        />
        <ActionMenu
          label={`Save or read: ${chart.title}`}
          actions={[
            {
              id: 'table',
              label: asTable ? 'Show as chart' : 'Show as table',
              run: () => setAsTable(!asTable),
            },
            ...exportActions({
              ...{ id: chart.id, framed: framedByRun(run, chart), theme: chartThemes[theme], svg },
              table: () => chart.data,
            }),
          ]}
        />
      </header>
      {!isOpen ? null : asTable ? (
        <DataTable
          table={chart.data}
          label={chart.title}
          heightPx={'scene' in chart ? chart.scene.heightPx : chart.heightPx}
        />
      ) : 'scene' in chart ? (
        <Picture scene={chart.scene} />
      ) : (
        <>
          {chart.zoomStep && <ZoomButtons range={range} onChange={setRange} />}
          <Panels chart={chart} labelledBy={id} range={range} onRange={setRange} />
        </>
      )}
    </section>
  );
};
