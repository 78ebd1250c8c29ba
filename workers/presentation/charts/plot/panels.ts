import type { EChartsOption } from 'echarts';
import type { Drawing } from '../kit/chart.ts';
import { textPx } from '../kit/fit-text.ts';
import type { Side } from '../kit/label-sides.ts';
import type { SymbolName } from '../kit/palette.ts';
import type { ChartTheme } from '../kit/theme.ts';
import { type Marks, markSeries } from './marks.ts';
import { axisStyle, inPanel, legend, type Series, symbolIn, textStyle, tooltip } from './parts.ts';
import { defaultWidthPx } from './select.ts';
import { byteStep } from './ticks.ts';

interface PointText {
  readonly text: string;
  /** The side of the point on which the text stands. Null if only the tooltip shows it. */
  readonly side: Side | null;
  /** True if the point is not connected to others. */
  readonly alone: boolean;
}

/** One line of a panel. Lines of the same name share a legend entry. */
export interface Line {
  readonly name: string;
  readonly colour: string;
  readonly dash: 'solid' | number[];
  readonly symbol: SymbolName;
  readonly points: readonly (readonly [number, number | null])[];
  /**
   * The texts by point. The tooltip shows the text of the item that a point belongs to; with `side`, the text also
   * stands beside the point.
   */
  readonly texts?: readonly PointText[];
  /** The repeats that `points` contains, each followed by a gap. The tooltip shows the range of their values. */
  readonly repeats?: readonly Line['points'][];
  readonly step?: boolean;
  readonly filled?: boolean;
  /**
   * A band on top of the stacked lines before it. All stacked lines share their x values. The band has the colour of a
   * part instead of a target's.
   */
  readonly stacked?: boolean;
  /** True if only its dashes distinguish it from other lines, so that the legend shows these instead of a symbol. */
  readonly isToldByDash?: boolean;
  /** True to mark every point, for a few measured points. */
  readonly marked?: boolean;
  /** True for hundreds of points on each other: small and half transparent. */
  readonly crowded?: boolean;
}

export interface BandLabel {
  readonly x: number;
  /** The lower and upper edge of the band at this x. */
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly colour: string;
}

export interface Panel {
  readonly title: string;
  /** Formats values for tooltips, and ticks of the axis. */
  readonly format: (value: number) => string;
  readonly tick?: (value: number) => string;
  readonly lines: readonly Line[];
  readonly log?: boolean;
  /** The ends of the axis. Axes that are not logarithmic begin at zero, or at `min` if it is negative. */
  readonly min?: number;
  readonly max?: number;
  /** True for bytes, whose ticks are powers of two. */
  readonly binary?: boolean;
  /** The height of this panel. Default: the height of the layout. */
  readonly heightPx?: number;
  /** Events, drawn on a log axis of ms that begins at `min`. */
  readonly marks?: Marks;
  /** Changes of a line, as markers on the x axis. */
  readonly moments?: readonly { readonly at: number; readonly label: string; readonly colour: string }[];
  /** A label within a stacked band. It stands in the middle of the band's height at x. */
  readonly bandLabels?: readonly BandLabel[];
  /** A dashed horizontal line with a label, such as a limit. */
  readonly levels?: readonly { readonly value: number; readonly label: string }[];
  /** True if the panel is the first one of a row. Without it in any panel, panels are spread evenly over the rows. */
  readonly startsRow?: boolean;
}

interface PanelLayout {
  /** The most columns. There are fewer if they would be narrower than 250 px. Default: one. */
  readonly columns?: number;
  /** Default: defaultWidthPx. */
  readonly widthPx?: number | undefined;
  /** Default: 168. */
  readonly panelHeightPx?: number;
  readonly xName: string;
  readonly xFormat: (value: number) => string;
  readonly xLog?: boolean;
  readonly xMin?: number;
  readonly xMax?: number;
  /** Returns the distance between ticks for an x axis of this length. */
  readonly xStep?: (spanned: number) => number;
  /** True for an x axis that the window can zoom. It needs `xMax` and `xStep`. */
  readonly zooms?: boolean;
  /** True for panels that share one x axis. One pointer reads all of them, and only the lowest panel has labels. */
  readonly shared?: boolean;
}

const mostMarks = 300;
/** The size of a symbol that stands for a measured value. */
const markPx = 7;
const crowdedPx = 5;
/** The height of the axis labels, which only the lowest of linked panels has. */
export const axisLabelsPx = 18;
const gap = { topPx: 58, bottomPx: 30, leftPx: 58, rightPx: 18 };

const hasValues = ({ lines, marks }: Panel): boolean =>
  (marks?.marks.length ?? 0) > 0 || lines.some(({ points }) => points.some(([, value]) => value !== null));

/**
 * Lays panels out in a grid, each with its own axes. A single column is as wide as its container; several columns are
 * laid out for `layout.widthPx`. Panels without a value are left out.
 */
export function drawPanels(all: readonly Panel[], layout: PanelLayout, theme: ChartTheme): Drawing {
  const panels = all.filter(hasValues);
  const names = [...new Map(panels.flatMap(({ lines }) => lines).map((line) => [line.name, line])).values()];
  const headPx = names.length > 0 ? 5 + legendRows(names, layout.widthPx ?? defaultWidthPx) * legendRowPx : 4;
  const { boxes, heightPx } = boxesOf(panels, layout, headPx);
  const option: EChartsOption = {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.text },
    tooltip: { ...tooltip(theme), trigger: 'axis' },
    ...(layout.shared ? { axisPointer: { link: [{ xAxisIndex: 'all' }] } } : {}),
    ...(names.length > 0 ? { legend: legend(names, theme) } : {}),
    title: boxes.map((box) => titleOf(box, theme)),
    grid: boxes.map(gridOf),
    xAxis: boxes.map((box, i) => ({ ...axisStyle(theme), ...xAxisOf(box, layout, theme), gridIndex: i })),
    yAxis: panels.map((panel, i) => ({ ...axisStyle(theme), ...yAxisOf(panel, theme), gridIndex: i })),
    series: panels.flatMap((panel, i) => [
      ...panel.lines.flatMap((line) => lineSeries(line, i, panel, theme)),
      ...(panel.marks === undefined ? [] : [markSeries(panel.marks, i, panel.min ?? 1)]),
      ...momentSeries(panel, i),
      ...bandLabelSeries(panel, i, theme),
      ...levelSeries(panel, i, theme),
    ]),
  };
  return { option, heightPx, panels: panels.length, ...zoomOf(layout) };
}

function zoomOf({ zooms, xMin = 0, xMax = 0, xStep }: PanelLayout): Pick<Drawing, 'zoomStep'> {
  return zooms && xStep !== undefined ? { zoomStep: (share) => xStep(share * (xMax - xMin)) } : {};
}

/** The position of a panel. */
interface PanelBox {
  readonly panel: Panel;
  readonly leftPx: number;
  readonly topPx: number;
  readonly heightPx: number;
  /** The width. Null if the panel is as wide as its container. */
  readonly widthPx: number | null;
  readonly isLowest: boolean;
  /** True if ticks of the x axis have labels. */
  readonly isLabelled: boolean;
}

function boxesOf(
  panels: readonly Panel[],
  { columns: most = 1, widthPx = defaultWidthPx, panelHeightPx = 168, shared }: PanelLayout,
  headPx: number,
): { readonly boxes: readonly PanelBox[]; readonly heightPx: number } {
  const fitting = Math.max(1, Math.min(most, panels.length, Math.floor(widthPx / 250)));
  // Panels are spread evenly over the rows: four panels become two rows of two, instead of three and one.
  const columns = Math.max(1, Math.ceil(panels.length / Math.max(1, Math.ceil(panels.length / fitting))));
  const places = panels.some(({ startsRow }) => startsRow)
    ? placesInRows(panels, fitting)
    : panels.map((_, i) => ({ row: Math.floor(i / columns), column: i % columns }));
  const across = Math.max(1, ...places.map(({ column }) => column + 1));
  const rowPx: number[] = [];
  for (const [i, { row }] of places.entries())
    rowPx[row] = Math.max(rowPx[row] ?? 0, panels[i]!.heightPx ?? panelHeightPx);
  const above = (row: number) => rowPx.slice(0, row).reduce((sum, px) => sum + px, headPx);
  const boxes = panels.map((panel, i): PanelBox => {
    const { row, column } = places[i]!;
    const isLowest = !places.some((other) => other.column === column && other.row > row);
    return {
      panel,
      leftPx: Math.round((column * widthPx) / across),
      topPx: above(row),
      heightPx: rowPx[row]!,
      widthPx: across === 1 ? null : widthPx / across,
      isLowest,
      isLabelled: !shared || isLowest,
    };
  });
  return { boxes, heightPx: above(rowPx.length) + 12 };
}

/** Panels of a row stand side by side. A row that is too long for the chart continues in the next row. */
function placesInRows(panels: readonly Panel[], fitting: number): readonly { row: number; column: number }[] {
  let row = -1;
  let column = 0;
  return panels.map(({ startsRow }) => {
    if (row < 0 || startsRow || column === fitting) {
      row++;
      column = 0;
    }
    return { row, column: column++ };
  });
}

const titleOf = ({ panel, leftPx, topPx, widthPx }: PanelBox, theme: ChartTheme) => ({
  text: panel.title,
  left: leftPx,
  top: topPx,
  padding: [4, 0, 0, 16],
  textStyle: {
    fontSize: 12,
    fontWeight: 600,
    color: theme.text,
    fontFamily: theme.font,
    // The title stays within its own panel.
    ...(widthPx === null ? {} : { width: widthPx - 24, overflow: 'truncate' as const }),
  },
});

const gridOf = ({ leftPx, topPx, heightPx, widthPx, isLabelled }: PanelBox) => ({
  left: leftPx + gap.leftPx,
  ...(widthPx === null ? { right: gap.rightPx } : { width: Math.round(widthPx) - gap.leftPx - gap.rightPx }),
  top: topPx + 30,
  height: heightPx - gap.topPx + 12 - (isLabelled ? axisLabelsPx : 0),
});

const xAxisOf = ({ panel, isLowest, isLabelled }: PanelBox, layout: PanelLayout, theme: ChartTheme) => ({
  type: layout.xLog ? ('log' as const) : ('value' as const),
  ...(layout.xMin === undefined ? {} : { min: layout.xMin }),
  ...(layout.xMax === undefined ? {} : { max: layout.xMax }),
  ...xInterval(panel, layout),
  ...(isLowest ? { name: layout.xName, nameLocation: 'middle' as const, nameGap: 24 } : {}),
  splitLine: { show: false },
  // The text above the values of a tooltip.
  axisPointer: { label: { formatter: ({ value }: { readonly value: unknown }) => layout.xFormat(Number(value)) } },
  axisLabel: {
    show: isLabelled,
    color: theme.muted,
    fontSize: 12,
    hideOverlap: true,
    // An axis with fixed ticks ends at the last value.
    ...(layout.xStep === undefined ? {} : { showMaxLabel: false }),
    formatter: (value: number) => layout.xFormat(value),
  },
});

const yAxisOf = (panel: Panel, theme: ChartTheme) => ({
  type: panel.log ? ('log' as const) : ('value' as const),
  splitNumber: 3,
  ...(panel.log ? (panel.min === undefined ? {} : { min: panel.min }) : { min: Math.min(0, panel.min ?? 0) }),
  // Automatic ticks would stand too close to a maximum that is not a tick.
  ...(panel.max === undefined ? {} : { max: panel.max, ...(panel.log ? {} : { interval: panel.max / 2 }) }),
  ...(panel.binary ? byteAxis(panel) : {}),
  axisLine: { show: false },
  axisLabel: {
    color: theme.muted,
    fontSize: 12,
    formatter: (value: number) => (panel.tick ?? panel.format)(value),
  },
});

const legendRowPx = 25;

/** The number of rows that a legend needs. Each entry has a symbol and a gap. */
function legendRows(names: readonly { readonly name: string }[], widthPx: number): number {
  let rows = 1;
  let usedPx = 0;
  for (const { name } of names) {
    const px = 35 + textPx(name, labelPx);
    if (usedPx > 0 && usedPx + px > widthPx - 22) {
      rows++;
      usedPx = 0;
    }
    usedPx += px;
  }
  return rows;
}

/** The axis ends at a tick, because an extra tick at the highest value would stand too close to the last tick. */
function byteAxis({ lines }: Panel) {
  // Without a byte, the axis needs some length.
  const top = Math.max(
    1,
    highest(lines, ([, value]) => value ?? 1),
  );
  const interval = byteStep(top);
  return { interval, max: Math.ceil(top / interval) * interval };
}

function xInterval({ lines }: Panel, { xStep, xMin = 0, xMax }: PanelLayout) {
  const spanned = (xMax ?? highest(lines, ([x]) => x)) - xMin;
  return xStep === undefined || !(spanned > 0) ? {} : { interval: xStep(spanned) };
}

const highest = (lines: readonly Line[], of: (point: Line['points'][number]) => number): number =>
  lines.reduce((top, { points }) => points.reduce((most, point) => Math.max(most, of(point)), top), 0);

function lineSeries(line: Line, panel: number, { format }: Panel, { background }: ChartTheme): Series[] {
  // Many symbols would cover each other, so only points without a line keep their symbol.
  const isCrowded = line.points.length > mostMarks;
  const isShort = line.points.length < 3 && !line.stacked;
  const hasGaps = !line.marked && !isShort && !line.stacked && line.points.some((_, i) => isBetweenGaps(line, i));
  const drawn: Series = {
    type: 'line',
    name: line.name,
    ...inPanel(panel),
    data: line.points.map((point, i) => {
      const own = line.texts?.[i];
      return {
        value: [...point],
        ...(own?.side ? { label: { show: true, formatter: own.text, position: own.side } } : {}),
        ...((own && isCrowded && !(own.alone && own.side)) || (hasGaps && !isBetweenGaps(line, i))
          ? { symbol: 'none' }
          : {}),
      };
    }),
    // ECharts would thin each band separately. Thinned bands would no longer fit on each other, and gaps could be lost.
    ...(line.stacked ? { stack: `panel ${panel}` } : line.repeats ? {} : { sampling: 'lttb' as const }),
    label: {
      ...{ distance: 0, padding: [3, 4], color: line.colour, fontSize: 12 },
      // Points of other lines may lie below the label.
      ...{ textBorderColor: background, textBorderWidth: 3 },
    },
    labelLayout: { hideOverlap: true },
    symbol: symbolIn(line.symbol),
    symbolKeepAspect: true,
    symbolSize: line.marked ? markPx : 5,
    // A point without neighbours has no line, so it needs a symbol to be visible.
    showSymbol: line.marked === true || isShort || hasGaps,
    connectNulls: false,
    ...(line.step ? { step: 'middle' as const } : {}),
    lineStyle: { color: line.colour, width: 1.6, type: line.dash },
    itemStyle: { color: line.colour },
    ...(line.filled ? { areaStyle: { color: line.colour, opacity: 0.14 } } : {}),
    ...(line.stacked ? { areaStyle: { color: line.colour, opacity: 0.9 } } : {}),
    tooltip: {
      valueFormatter: (value, i) => {
        if (line.repeats) return rangeText(line.repeats, line.points[i]![0], format);
        const text = line.texts?.[i]?.text;
        return `${typeof value === 'number' ? format(value) : '–'}${text === undefined ? '' : `  ${text}`}`;
      },
    },
    emphasis: { disabled: true },
  };
  return [drawn, ...(isCrowded ? loneMarks(line, panel) : [])];
}

/** True for a point with a value whose neighbours have none. */
const isBetweenGaps = ({ points }: Line, i: number): boolean =>
  points[i]![1] !== null && (points[i - 1]?.[1] ?? null) === null && (points[i + 1]?.[1] ?? null) === null;

/** The symbols of points without a line are one path, because a page takes long to lay out many elements. */
function loneMarks({ name, symbol, colour, points, crowded, texts = [] }: Line, panel: number): Series[] {
  const lone = points.filter(([, value], i) => value !== null && texts[i]?.alone && texts[i].side === null);
  if (lone.length === 0) return [];
  return [
    {
      type: 'scatter',
      name,
      ...inPanel(panel),
      data: lone.map((point) => [...point]),
      symbol: symbolIn(symbol),
      symbolKeepAspect: true,
      symbolSize: crowded ? crowdedPx : markPx,
      itemStyle: { color: colour, opacity: crowded ? 0.7 : 1 },
      large: true,
      largeThreshold: 0,
      silent: true,
      tooltip: { show: false },
    },
  ];
}

/** Points of repeats within this distance belong to the same second. */
const sameSecondMs = 500;

/** The values of the repeats at a moment. Each repeat contributes its nearest point. */
function rangeText(repeats: NonNullable<Line['repeats']>, atMs: number, format: Panel['format']): string {
  const away = ([x]: Line['points'][number]) => Math.abs(x - atMs);
  const values = repeats.flatMap((points) => {
    const near = points.reduce((best, point) => (away(point) < away(best) ? point : best));
    return near[1] === null || away(near) > sameSecondMs ? [] : near[1];
  });
  if (values.length < 2) return values.length === 0 ? '–' : format(values[0]!);
  return `${format(Math.min(...values))} to ${format(Math.max(...values))} in ${values.length} repeats`;
}

const labelPx = 12;

function bandLabelSeries({ bandLabels = [], lines }: Panel, panel: number, theme: ChartTheme): Series[] {
  if (bandLabels.length === 0) return [];
  const along = lines.filter(({ stacked }) => stacked).flatMap(({ points }) => points.map(([x]) => x));
  const [first, last] = [Math.min(...along), Math.max(...along)];
  return [
    {
      type: 'custom',
      ...inPanel(panel),
      // The label is drawn above the bands.
      z: 4,
      silent: true,
      tooltip: { show: false },
      encode: { x: 0, y: [1, 2] },
      data: bandLabels.map(({ x, from, to }) => [x, from, to]),
      renderItem: ({ dataIndex }, api) => {
        const label = bandLabels[dataIndex]!;
        const [x, bottom] = api.coord([label.x, label.from]) as [number, number];
        const top = api.coord([label.x, label.to])[1]!;
        const [left, right] = [first, last].map((end) => api.coord([end, label.from])[0]!) as [number, number];
        const half = textPx(label.text, labelPx) / 2 + 4;
        if (bottom - top < labelPx + 3 || right - left < 2 * half) return null;
        return {
          type: 'text',
          style: {
            text: label.text,
            x: Math.min(right - half, Math.max(left + half, x)),
            y: (bottom + top) / 2,
            fill: label.colour,
            align: 'center',
            ...textStyle(theme, labelPx),
          },
        };
      },
    },
  ];
}

/** More labels would overlap. The markers are drawn nevertheless. */
const mostMomentLabels = 4;

const momentSeries = ({ moments = [] }: Panel, panel: number): Series[] =>
  markLines(panel, {
    data: moments.map(({ at, label, colour }) => ({
      xAxis: at,
      lineStyle: { color: colour, type: [1, 3], width: 1.2 },
      label: {
        show: moments.length <= mostMomentLabels,
        position: 'end',
        distance: 1,
        color: colour,
        fontSize: 12,
        formatter: label,
      },
    })),
  });

const levelSeries = ({ levels = [] }: Panel, panel: number, theme: ChartTheme): Series[] =>
  markLines(panel, {
    lineStyle: { color: theme.muted, type: [3, 3], width: 1 },
    label: { position: 'insideEndTop', color: theme.muted, fontSize: 12, formatter: '{b}' },
    data: levels.map(({ value, label }) => ({ yAxis: value, name: label })),
  });

type LineSeries = Extract<Series, { type?: 'line' }>;

/** A series without points that draws horizontal lines across the panel. Empty if there are no lines. */
const markLines = (panel: number, lines: NonNullable<LineSeries['markLine']>): Series[] =>
  lines.data?.length
    ? [
        {
          ...inPanel(panel),
          type: 'line',
          data: [],
          silent: true,
          markLine: { silent: true, symbol: 'none', ...lines },
        },
      ]
    : [];
