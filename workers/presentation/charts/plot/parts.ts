import type { EChartsOption } from 'echarts';
import { outlineOf } from '../kit/marks.ts';
import type { SymbolName } from '../kit/palette.ts';
import type { ChartTheme } from '../kit/theme.ts';

/** One series of a chart, as ECharts takes it. */
export type Series = Extract<NonNullable<EChartsOption['series']>, readonly unknown[]>[number];

/** The axes of a series in this panel. */
export const inPanel = (panel: number) => ({ xAxisIndex: panel, yAxisIndex: panel });

/** The style of text that a chart draws itself. */
export const textStyle = (theme: ChartTheme, fontSize: number) => ({
  fontSize,
  fontFamily: theme.font,
  verticalAlign: 'middle' as const,
});

/** The style of an axis: thin lines and small muted text. */
export const axisStyle = (theme: ChartTheme) => ({
  axisLine: { lineStyle: { color: theme.axis } },
  axisTick: { show: false },
  axisLabel: { color: theme.muted, fontSize: 12 },
  splitLine: { lineStyle: { color: theme.grid } },
  minorTick: { show: false },
  nameTextStyle: { color: theme.muted, fontSize: 12 },
});

/** Tooltips use richText, because HTML tooltips set inline styles, which the content security policy forbids. */
export const tooltip = (theme: ChartTheme) => ({
  renderMode: 'richText' as const,
  backgroundColor: theme.tooltip,
  borderColor: theme.axis,
  textStyle: { color: theme.text, fontSize: 12, fontFamily: theme.font },
  confine: true,
});

/** A symbol with the outline that it has in scenes. ECharts draws some symbols of the same names differently. */
export const symbolIn = (symbol: SymbolName): string => {
  const outline = outlineOf(symbol);
  return outline === null ? symbol : `path://${outline}`;
};

interface LegendEntry {
  readonly name: string;
  readonly colour: string;
  readonly symbol: SymbolName;
  readonly dash?: 'solid' | readonly number[];
  readonly isToldByDash?: boolean;
}

/** A piece of a line, 10 px long: whole, in two dashes, or in three dots. */
function dashIcon(dash: LegendEntry['dash'] = 'solid'): string {
  const pieces = dash === 'solid' ? 1 : dash[0]! > 2 ? 2 : 3;
  const length = (10 - 2 * (pieces - 1)) / pieces;
  const piece = (i: number) => `M${i * (length + 2)} 0h${length}v2h-${length}z`;
  return `path://${Array.from({ length: pieces }, (_, i) => piece(i)).join('')}`;
}

export const legend = (entries: readonly LegendEntry[], theme: ChartTheme) => ({
  top: 0,
  // The offset cancels the padding of the legend, so that it aligns with the title of the panel.
  left: 11,
  itemWidth: 10,
  itemHeight: 10,
  itemGap: 16,
  textStyle: { color: theme.text, fontSize: 12, fontFamily: theme.font },
  inactiveColor: theme.axis,
  data: entries.map(({ name, colour, symbol, dash, isToldByDash }) => ({
    name,
    icon: isToldByDash ? dashIcon(dash) : symbol === 'emptyCircle' ? 'circle' : symbolIn(symbol),
    itemStyle: { color: colour },
  })),
});
