import type { EChartsOption } from 'echarts';
import type { Interval } from '#analysis/run-model/run-model.ts';
import { textColumns } from '#model/format/text-columns.ts';
import type { Drawing } from '../kit/chart.ts';
import { symbolOf } from '../kit/palette.ts';
import { type ChartTheme, colourOf, lookOf } from '../kit/theme.ts';
import { axisStyle, halo, legend, type Series, textStyle, tooltip } from './parts.ts';
import { withinReach } from './reach.ts';
import { defaultWidthPx } from './select.ts';

/** One estimate of a chart of intervals. */
export interface IntervalMark {
  /** Row (category) it stands in. */
  readonly row: string;
  readonly series: string;
  /** Position of the target: colour and symbol. */
  readonly index: number;
  readonly interval: Interval;
  readonly label: string;
}

interface IntervalRows {
  readonly rows: readonly string[];
  readonly marks: readonly IntervalMark[];
  /** bars start at zero; dots need none, so that they can stand on a log axis. */
  readonly kind: 'bars' | 'dots';
  readonly xName: string;
  readonly xFormat: (value: number) => string;
  /** Width of the whole chart, for the room that labels need. Default: defaultWidthPx. */
  readonly widthPx?: number | undefined;
}

const slotPx = 17;
const leastLabelRoomPx = 150;

/** Horizontal bars or dots with confidence intervals; within a row one slot for each series. */
export function drawIntervalRows(drawn: IntervalRows, theme: ChartTheme): Drawing {
  const { rows, marks, kind, widthPx = defaultWidthPx } = drawn;
  const series = [...new Map(marks.map((mark) => [mark.series, mark])).values()].toSorted((a, b) => a.index - b.index);
  const rowPx = Math.max(1, series.length) * slotPx + 12;
  const headPx = series.length > 1 ? 30 : 8;
  // Labels are 12 px text, about 6.8 px a character; ECharts would cut longer ones off.
  const leftPx = Math.min(300, 16 + 6.8 * Math.max(0, ...rows.map(textColumns)));
  const axis = axisOf(drawn);
  const labelRoomPx = roomOf(
    marks.map((mark) => ({ share: Math.min(1, axis.shareOf(endOf(mark))), label: mark.label })),
    widthPx - leftPx,
  );
  const looks = series.map(({ series: name, index }) => lookOf({ name, index }, theme));
  const slots = { kind, slots: series.length, theme, marks };
  const option: EChartsOption = {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.text },
    tooltip: { ...tooltip(theme), trigger: 'item' },
    ...(series.length > 1 ? { legend: legend(looks, theme) } : {}),
    grid: { left: leftPx, right: labelRoomPx, top: headPx, bottom: 42 },
    xAxis: xAxisOf(drawn, axis, theme),
    yAxis: {
      ...axisStyle(theme),
      type: 'category',
      inverse: true,
      data: [...rows],
      splitLine: { show: true, lineStyle: { color: theme.grid } },
      axisLabel: { color: theme.text, fontSize: 12, interval: 0, width: leftPx - 12, overflow: 'truncate' },
    },
    series: [
      ...series.map(
        ({ series: name, index }, slot): Custom => ({
          type: 'custom',
          name,
          itemStyle: { color: colourOf(theme, index) },
          encode: { x: [1, 2, 3], y: 0 },
          tooltip: { formatter: (params: unknown) => tooltipOf(params, marks, name) },
          data: marks.filter((mark) => mark.series === name).map((mark) => itemOf(mark, rows, axis)),
          renderItem: (params, api) => drawMark(params, api, { ...slots, slot, index, name }),
        }),
      ),
    ],
  };
  return { option, heightPx: headPx + rows.length * rowPx + 60 };
}

/** The range of the axis of values: from zero for bars, between powers of ten for dots. */
interface Axis {
  readonly lowest: number;
  readonly highest: number;
  readonly positive: readonly number[];
  /** Share of the axis that lies before a value. */
  readonly shareOf: (value: number) => number;
}

function axisOf({ marks, kind }: IntervalRows): Axis {
  const points = marks.map(({ interval }) => interval.value);
  const ends = marks.flatMap(({ interval: { low, high } }) => [low ?? 0, high ?? 0]);
  if (kind === 'bars') {
    const positive = [...points, ...ends].filter((value) => value > 0);
    const highest = Math.max(...positive);
    return { lowest: 0, highest, positive, shareOf: (value) => value / highest };
  }
  const positive = withinReach(points, ends);
  const lowest = decadeBelow(Math.min(...positive));
  const highest = decadeAbove(Math.max(...positive));
  return { lowest, highest, positive, shareOf: (value) => Math.log(value / lowest) / Math.log(highest / lowest) };
}

const xAxisOf = (
  { kind, xName, xFormat }: IntervalRows,
  { lowest, highest, positive }: Axis,
  theme: ChartTheme,
): NonNullable<EChartsOption['xAxis']> => ({
  ...axisStyle(theme),
  type: kind === 'dots' ? 'log' : 'value',
  ...(kind === 'bars' ? { min: 0 } : { min: lowest, max: highest }),
  axisLine: { show: false },
  axisLabel: {
    color: theme.muted,
    fontSize: 12,
    formatter: (value: number) => xFormat(value),
    hideOverlap: true,
    ...(kind === 'dots' ? { customValues: logTicks(positive) } : {}),
  },
  ...(kind === 'dots' ? { minorSplitLine: { show: true, lineStyle: { color: theme.grid, opacity: 0.6 } } } : {}),
  name: xName,
  nameLocation: 'middle',
  nameGap: 26,
});

/** A mark as drawMark reads it; ends of its interval that the axis does not reach stand at the axis' end. */
const itemOf = ({ row, interval, label }: IntervalMark, rows: readonly string[], { lowest, highest }: Axis) => ({
  name: label,
  value: [
    rows.indexOf(row),
    interval.value,
    interval.low === null ? Number.NaN : Math.max(interval.low, lowest),
    interval.high === null ? Number.NaN : Math.min(interval.high, highest),
  ],
});

/** The end of a mark; its label stands behind it. */
const endOf = ({ interval }: IntervalMark): number => Math.max(interval.value, interval.high ?? interval.value);

/**
 * Px that the axis leaves at its end, so that every label has room behind its mark at this share of the axis: 12 px
 * text, about 6.8 px a character. `widthPx`: of axis and room together.
 */
function roomOf(marks: readonly { readonly share: number; readonly label: string }[], widthPx: number): number {
  const needed = marks.map(({ share, label }) => widthPx - (widthPx - 16 - 6.8 * label.length) / share);
  return Math.min(widthPx / 2, Math.max(leastLabelRoomPx, ...needed.filter(Number.isFinite)));
}

type Custom = Extract<Series, { type?: 'custom' }>;
type RenderItem = NonNullable<Custom['renderItem']>;

function drawMark(
  params: Parameters<RenderItem>[0],
  api: Parameters<RenderItem>[1],
  how: {
    readonly kind: 'bars' | 'dots';
    readonly slot: number;
    readonly slots: number;
    readonly index: number;
    readonly theme: ChartTheme;
    readonly marks: readonly IntervalMark[];
    readonly name: string;
  },
): ReturnType<RenderItem> {
  const { kind, slot, slots, index, theme } = how;
  const colour = colourOf(theme, index);
  const row = api.value(0);
  const at = api.coord([api.value(1), row]);
  const y = at[1]! + (slot - (slots - 1) / 2) * slotPx;
  const low = api.value(2) as number;
  const high = api.value(3) as number;
  const hasBounds = !Number.isNaN(low) && !Number.isNaN(high);
  const [from, to] = hasBounds ? [api.coord([low, row])[0]!, api.coord([high, row])[0]!] : [at[0]!, at[0]!];
  const mark = how.marks.filter((mark) => mark.series === how.name)[params.dataIndex];
  const stroke = (x1: number, y1: number, x2: number, y2: number) => ({
    type: 'line' as const,
    shape: { x1, y1, x2, y2 },
    // Over a bar the whisker is drawn in the text colour: its own colour would vanish in the bar.
    style: { stroke: kind === 'bars' ? theme.text : colour, lineWidth: kind === 'bars' ? 1 : 1.6 },
  });
  // One that reaches beyond the axis has no end to be seen.
  const whisker = hasBounds
    ? [
        stroke(from, y, to, y),
        ...(low === mark?.interval.low ? [stroke(from, y - 3.5, from, y + 3.5)] : []),
        ...(high === mark?.interval.high ? [stroke(to, y - 3.5, to, y + 3.5)] : []),
      ]
    : [];
  const zeroX = api.coord([0, row])[0]!;
  const body =
    kind === 'bars'
      ? [
          {
            type: 'rect' as const,
            shape: { x: zeroX, y: y - 5.5, width: Math.max(1, at[0]! - zeroX), height: 11 },
            style: { fill: colour, opacity: 0.92 },
          },
        ]
      : [symbolShape(symbolOf(index), at[0]!, y, { fill: colour, stroke: colour, lineWidth: 1.5 })];
  const text = {
    type: 'text' as const,
    style: {
      text: mark?.label ?? '',
      x: Math.max(to, at[0]!) + 8,
      y,
      fill: theme.text,
      ...halo(theme),
      ...textStyle(theme, 12),
    },
  };
  return {
    type: 'group',
    children: [...(kind === 'bars' ? [...body, ...whisker] : [...whisker, ...body]), text],
  };
}

/** The target's symbol as a shape, 9 px across. */
function symbolShape(
  symbol: ReturnType<typeof symbolOf>,
  x: number,
  y: number,
  style: { readonly fill: string; readonly stroke: string; readonly lineWidth: number },
) {
  const r = 4.5;
  const polygon = (points: [number, number][]) => ({ type: 'polygon' as const, shape: { points }, style });
  switch (symbol) {
    case 'triangle':
      return polygon([
        [x, y - r - 0.5],
        [x + r + 0.5, y + r],
        [x - r - 0.5, y + r],
      ]);
    case 'rect':
    case 'roundRect':
      return { type: 'rect' as const, shape: { x: x - r + 0.5, y: y - r + 0.5, width: 8, height: 8 }, style };
    case 'diamond':
    case 'pin':
    case 'arrow':
      return polygon([
        [x, y - r - 1],
        [x + r + 1, y],
        [x, y + r + 1],
        [x - r - 1, y],
      ]);
    default:
      return { type: 'circle' as const, shape: { cx: x, cy: y, r }, style };
  }
}

function tooltipOf(params: unknown, marks: readonly IntervalMark[], series: string): string {
  const dataIndex = (params as { readonly dataIndex: number }).dataIndex;
  const mark = marks.filter((candidate) => candidate.series === series)[dataIndex];
  if (mark === undefined) return '';
  return `${mark.row}\n${mark.series}: ${mark.label}\n${mark.interval.n} repeats`;
}

// A fifth of a decade of air on both sides, so that no mark sits on the border.
const decadeBelow = (value: number) => 10 ** (Math.floor((Math.log10(value) - 0.1) * 5) / 5);
const decadeAbove = (value: number) => 10 ** (Math.ceil((Math.log10(value) + 0.1) * 5) / 5);

/** 1, 2, 5, 10…; powers of ten alone over more than three decades. */
function logTicks(values: readonly number[]): number[] {
  const [low, high] = [decadeBelow(Math.min(...values)), decadeAbove(Math.max(...values))];
  const steps = Math.log10(high / low) > 3 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let decade = Math.floor(Math.log10(low)); decade <= Math.log10(high); decade++)
    for (const step of steps) ticks.push(step * 10 ** decade);
  return ticks.filter((tick) => tick >= low && tick <= high);
}
