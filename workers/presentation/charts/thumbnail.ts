import { formatMsTick, formatTick } from '#model/format/format.ts';
import { fitText, spacedTicks, textPx, wrapText } from './kit/fit-text.ts';
import { drawLegend, mark } from './kit/marks.ts';
import { exactly, scaleOf } from './kit/scale.ts';
import { joined, rounded, type Scene, type Shape, shape, text } from './kit/scene.ts';
import { type ChartTheme, colourOf } from './kit/theme.ts';
import type { NameAxis, ThumbnailFigures, ThumbnailSeries } from './thumbnail-figures.ts';

const widthPx = 360;
/** Text is at least 12 px on the narrowest card, which is 320 px wide. */
const fontPx = 14;
const plot = { right: 352, top: 28, bottom: 120 } as const;
/** The middle of the title above the plot. */
const titleY = 12;
/** The height of a row of text below the plot, and the most rows of a name. */
const rowPx = 18;
const mostRows = 3;
/** The least distance between two ticks of the value axis. */
const tickGapPx = 20;
/**
 * The largest ratio for bars from zero. Beyond it the small bars would be invisible, so values become dots on a log
 * scale.
 */
const logBeyond = 20;

/** A line with more points has no dots. */
const mostDots = 16;

const tickOf = { rates: formatTick, times: formatMsTick } as const satisfies Readonly<
  Record<ThumbnailFigures['values'], (value: number) => string>
>;

/**
 * Draws a small picture of a run: a line for each target over the levels of a sweep, or else bars from zero by variant,
 * or dots on a log scale, or the timeline of trials. Variants are named where their names have room; otherwise the axis
 * names their factors.
 */
export function thumbnail({ name, isLine, axis, series, ...of }: ThumbnailFigures, theme: ChartTheme): Scene {
  const tick = tickOf[of.values];
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  const scale = scaleOf(exactly(values), Math.max(...values) / Math.min(...values) > logBeyond ? 'log' : 'linear');
  const y = (value: number) => rounded(plot.bottom - scale.shareOf(value) * (plot.bottom - plot.top));
  const ticks = ticksApart(scale.ticks, y);
  const left = rounded(14 + Math.max(...ticks.map((value) => textPx(tick(value), fontPx))));
  const x = (at: number) => rounded(left + at * (plot.right - left));
  const title = `${of.title}${scale.isLog ? ', log scale' : ''}`;
  const below = drawAxis(axis, x, theme);
  const body: Scene = {
    ...{ label: '', widthPx, heightPx: plot.bottom + below.rows * rowPx + 4, font: theme.font, hits: [] },
    shapes: [
      text(8, titleY, title, { fill: theme.muted, size: fontPx, tone: 'muted' }),
      ...ticks.flatMap((value) => [
        shape('path', { d: `M${left} ${y(value)}H${plot.right}`, stroke: theme.grid }),
        text(left - 6, y(value), tick(value), { fill: theme.muted, size: fontPx, tone: 'muted', anchor: 'end' }),
      ]),
      shape('path', { d: `M${left} ${plot.bottom}H${plot.right}`, stroke: theme.axis }),
      ...(isLine ? lines(series, x, y, theme) : bars(series, x, y, scale.isLog, theme)),
      ...below.shapes,
    ],
  };
  const names = [...new Map(series.map(({ target, index }) => [index, target]))].map(([index, label]) => ({
    ...{ label, fill: colourOf(theme, index) },
  }));
  return joined(
    `${name}: ${title}${axis.name === '' ? '' : `, by ${axis.name}`}`,
    [body, drawLegend(names, theme, widthPx - 16, { padPx: 8, sizePx: fontPx })],
    'below',
  );
}

/** The ticks whose labels do not touch, from the lowest one. */
function ticksApart(ticks: readonly number[], y: (value: number) => number): readonly number[] {
  let free = Number.POSITIVE_INFINITY;
  return ticks.filter((tick) => {
    if (y(tick) > free) return false;
    free = y(tick) - tickGapPx;
    return true;
  });
}

/** The texts below the plot, and the number of their rows. */
function drawAxis(
  { name, labels, needsAll, namesItself }: NameAxis,
  x: (at: number) => number,
  theme: ChartTheme,
): { readonly shapes: readonly Shape[]; readonly rows: number } {
  const look = { fill: theme.muted, size: fontPx, tone: 'muted', anchor: 'middle' } as const;
  const roomPx = (x(1) - x(0)) / Math.max(1, labels.length) - 2;
  const wrapped = labels.map(({ text: words }) => wrapText(words, roomPx, fontPx, mostRows));
  const fits = wrapped.every((rows, i) => rows.join(' ') === labels[i]!.text);
  const shown = needsAll
    ? fits
      ? labels.map(({ at }, i) => ({ at, rows: wrapped[i]! }))
      : []
    : spacedTicks(
        labels.map((_, i) => i),
        (i) => x(labels[i]!.at),
        (i) => labels[i]!.text,
        { fontPx, gapPx: 6 },
      ).map((i) => ({ at: labels[i]!.at, rows: [labels[i]!.text] }));
  const rows = Math.max(0, ...shown.map((one) => one.rows.length));
  const rowY = (row: number) => plot.bottom + rowPx * (row + 0.5) + 2;
  const nameRow =
    name === '' || (namesItself && rows > 0)
      ? []
      : [text(x(0.5), rowY(rows), fitText(name, x(1) - x(0), fontPx), look)];
  return {
    rows: rows + nameRow.length,
    shapes: [
      ...shown.flatMap(({ at, rows: own }) => own.map((words, row) => text(x(at), rowY(row), words, look))),
      ...nameRow,
    ],
  };
}

/**
 * Draws the values of a level side by side. On a log scale they are dots, because the length of a bar would have no
 * meaning.
 */
function bars(
  shown: readonly ThumbnailSeries[],
  across: (at: number) => number,
  y: (value: number) => number,
  isLog: boolean,
  theme: ChartTheme,
): readonly Shape[] {
  const groupPx = (across(1) - across(0)) / (shown[0]?.values.length ?? 1);
  const barPx = Math.min(26, (groupPx * 0.8) / shown.length);
  return shown.flatMap(({ index, values, at }, series) =>
    values.flatMap((value, group) => {
      if (value === null) return [];
      const x = across(at[group]!) + (series - (shown.length - 1) / 2) * barPx;
      const fill = colourOf(theme, index);
      if (isLog) return [mark(rounded(x), y(value), 'circle', { fill }, rounded(Math.min(5, Math.max(3, barPx / 2))))];
      const place = { x: rounded(x - barPx / 2), y: y(value), width: rounded(barPx - 1) };
      return [shape('rect', { ...place, height: rounded(plot.bottom - y(value)), fill })];
    }),
  );
}

const lines = (
  shown: readonly ThumbnailSeries[],
  x: (at: number) => number,
  y: (value: number) => number,
  theme: ChartTheme,
): readonly Shape[] =>
  shown.flatMap(({ index, values, at }) => {
    const points = values.flatMap((value, i) => (value === null ? [] : [[x(at[i]!), y(value)] as const]));
    const colour = colourOf(theme, index);
    return [
      shape('polyline', { points: points.join(' '), fill: 'none', stroke: colour, strokeWidth: 1.6 }),
      ...(points.length > mostDots
        ? []
        : points.map(([across, top]) => mark(across, top, 'circle', { fill: colour }, 3))),
    ];
  });
