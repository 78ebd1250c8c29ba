import type { EChartsOption } from 'echarts';
import { textColumns } from '#model/format/text-columns.ts';
import type { Drawing } from '../kit/chart.ts';
import type { ChartTheme } from '../kit/theme.ts';
import { axisStyle, tooltip } from './parts.ts';

/** One part of each bar. */
interface BarPart {
  readonly name: string;
  readonly fill: string;
  /** Colour of the text on the part. */
  readonly text: string;
  /** One for each bar, in units of the axis. */
  readonly values: readonly number[];
  /** Within the bar, where there is room; and in the tooltip. */
  readonly label: (bar: number) => string;
}

interface StackedBars {
  readonly rows: readonly string[];
  /** Behind each bar. */
  readonly ends?: readonly string[];
  readonly parts: readonly BarPart[];
  readonly tick: (value: number) => string;
}

const rowPx = 22;
/** Room for text beside the bars. */
const roomPx = (texts: readonly string[]): number => 16 + 6.8 * Math.max(0, ...texts.map(textColumns));
/** A label within a bar needs this share of the axis. */
const leastShare = 0.07;

/** Horizontal bars of parts that add up to at most 1, one below the other. */
export function drawStackedBars({ rows, ends, parts, tick }: StackedBars, theme: ChartTheme): Drawing {
  const last = parts.length - 1;
  const left = Math.min(320, roomPx(rows));
  const option: EChartsOption = {
    animation: false,
    textStyle: { fontFamily: theme.font, color: theme.text },
    tooltip: { ...tooltip(theme), trigger: 'axis', axisPointer: { type: 'shadow' } },
    legend: {
      top: 0,
      left: 11,
      itemWidth: 12,
      itemHeight: 9,
      itemGap: 18,
      textStyle: { color: theme.text, fontSize: 12, fontFamily: theme.font },
      inactiveColor: theme.axis,
      data: parts.map(({ name, fill }) => ({ name, itemStyle: { color: fill } })),
    },
    grid: {
      left,
      right: ends === undefined ? 24 : roomPx(ends),
      top: 30,
      bottom: 24,
    },
    xAxis: {
      ...axisStyle(theme),
      type: 'value',
      min: 0,
      max: 1,
      axisLine: { show: false },
      axisLabel: { color: theme.muted, fontSize: 12, formatter: (value: number) => tick(value) },
    },
    yAxis: {
      ...axisStyle(theme),
      type: 'category',
      inverse: true,
      data: [...rows],
      axisLabel: { color: theme.text, fontSize: 12, interval: 0, width: left - 12, overflow: 'truncate' },
    },
    series: [
      ...parts.map(({ name, fill, text, values, label }) => ({
        type: 'bar' as const,
        name,
        stack: 'parts',
        barWidth: 16,
        data: values.map((value, bar) => ({
          value,
          label: { show: value >= leastShare, formatter: () => label(bar) },
        })),
        label: { position: 'inside' as const, color: text, fontSize: 12 },
        itemStyle: { color: fill, borderColor: theme.axis, borderWidth: 0.5 },
        tooltip: {
          valueFormatter: (_: unknown, bar: number) => label(bar),
        },
      })),
      ...(ends === undefined || last < 0
        ? []
        : [
            {
              type: 'bar' as const,
              stack: 'parts',
              // Parts that add up to a hair more than the axis must not take the text away with them.
              clip: false,
              silent: true,
              tooltip: { show: false },
              data: ends.map((end) => ({ value: 0, label: { show: true, formatter: end } })),
              label: { position: 'right' as const, color: theme.text, fontSize: 12 },
            },
          ]),
    ],
  };
  return { option, heightPx: 74 + rows.length * rowPx };
}
