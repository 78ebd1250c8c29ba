import { formatCount, formatShort } from '#model/format/format.ts';
import { fitText, spacedTicks, textPx } from '../kit/fit-text.ts';
import { scaleOf } from '../kit/scale.ts';
import { fontPx, joined, type Scene, type Shape, shape, smallPx, text } from '../kit/scene.ts';
import { type ChartTheme, colourOf } from '../kit/theme.ts';
import type { PictureLine } from './picture-rows.ts';

/** One metric over the levels of a factor. */
export interface LinesPanel {
  readonly title: string;
  readonly lines: readonly PictureLine[];
  readonly tick: (value: number) => string;
  /** A line across, with its name. */
  readonly limit?: { readonly value: number; readonly label: string };
}

interface Lines {
  readonly panels: readonly LinesPanel[];
  readonly xName: string;
  /** The line that stands out: its label. */
  readonly highlighted: string | null;
}

/** The least height; the names of many lines may need more. */
const leastHeightPx = 320;
const [topPx, bottomPx, leftPx] = [36, 48, 66];
/** Panels narrower than this stand below each other. */
const leastPanelPx = 440;
/**
 * The most lines that may share a colour. If there are more, lines that would share a colour have none; readers tell
 * them apart by their names, and by pointing at them.
 */
const mostColours = 8;

/** Lines with the bands of their intervals, each named at its end; one plot for each metric. */
export function drawLines({ panels, ...more }: Lines, theme: ChartTheme, widthPx: number): Scene {
  const isPair = panels.length > 1 && widthPx / 2 >= leastPanelPx;
  const each = Math.floor(widthPx / (isPair ? 2 : 1));
  const label = `${panels.map(({ title }) => title).join('; ')} over ${more.xName}`;
  return joined(
    label,
    panels.map((panel) => drawPlot(panel, more, theme, each)),
    isPair ? 'beside' : 'below',
  );
}

function drawPlot(
  { title, lines, tick, limit }: LinesPanel,
  { xName, highlighted }: Omit<Lines, 'panels'>,
  theme: ChartTheme,
  widthPx: number,
): Scene {
  const values = lines.flatMap(({ points }) => points.map(({ y }) => y));
  const limits = limit === undefined ? [] : [{ value: limit.value, low: null, high: null }];
  const scale = scaleOf([...values, ...limits]);
  const levels = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].toSorted((a, b) => a - b);
  const rightPx = Math.min(widthPx * 0.34, 26 + Math.max(0, ...lines.map(({ label }) => textPx(label, fontPx))));
  const plotPx = widthPx - leftPx - rightPx;
  const across = xScale(levels, plotPx);
  const x = (level: number) => leftPx + across(level);
  const heightPx = Math.max(leastHeightPx, topPx + bottomPx + lines.length * labelGapPx);
  const y = (value: number) => heightPx - bottomPx - scale.shareOf(value) * (heightPx - topPx - bottomPx);
  const hasColours = lines.length <= mostColours;
  const byColour = Map.groupBy(lines, ({ index }) => colourOf(theme, index));
  const isNeutral = ({ index, label }: PictureLine) =>
    !hasColours && highlighted !== label && byColour.get(colourOf(theme, index))!.length > 1;
  const colour = (line: PictureLine) => (isNeutral(line) ? theme.muted : colourOf(theme, line.index));
  const labels = labelPlaces(
    lines.map(({ points }) => y(points.at(-1)!.y.value)),
    heightPx - bottomPx,
  );
  const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
  const end = leftPx + plotPx;
  const frame = [
    text(16, 14, `${title}${scale.isLog ? ', log axis' : ''}`, { fill: theme.text, weight: 600 }),
    ...scale.ticks.flatMap((value) => [
      shape('line', { className: 'picture-grid', x1: leftPx, x2: end, y1: y(value), y2: y(value), stroke: theme.grid }),
      text(leftPx - 8, y(value), tick(value), { ...muted, anchor: 'end' }),
    ]),
    ...spacedTicks(levels, x, formatCount, { fontPx: smallPx, gapPx: 8 }).map((level) =>
      text(x(level), heightPx - bottomPx + 16, formatCount(level), { ...muted, anchor: 'middle' }),
    ),
    text(leftPx + plotPx / 2, heightPx - 12, xName, { ...muted, anchor: 'middle' }),
    ...(limit === undefined
      ? []
      : [
          shape('line', {
            ...{ className: 'picture-limit', x1: leftPx, x2: end, y1: y(limit.value), y2: y(limit.value) },
            ...{ stroke: theme.text, strokeWidth: 1.5, strokeDasharray: '5 4' },
          }),
          text(leftPx + 6, y(limit.value) + (y(limit.value) < topPx + 16 ? 12 : -10), limit.label, {
            fill: theme.text,
            size: smallPx,
            weight: 600,
          }),
        ]),
  ];
  const drawn = lines.map((line, l): Shape => {
    const isPointed = highlighted === line.label;
    const last = line.points.at(-1)!;
    const band = line.points.filter((point) => point.y.low !== null && point.y.high !== null);
    const along = (of: (point: PictureLine['points'][number]) => number) =>
      band.map((point) => `${x(point.x)},${y(of(point))}`);
    return shape(
      'g',
      { opacity: highlighted === null || isPointed ? 1 : 0.25, 'data-series': line.label },
      ...(band.length < 2 || (!hasColours && !isPointed)
        ? []
        : [
            shape('polygon', {
              className: 'picture-band',
              points: [...along((one) => one.y.low!), ...along((one) => one.y.high!).toReversed()].join(' '),
              ...{ fill: colour(line), fillOpacity: 0.14 },
            }),
          ]),
      shape('polyline', {
        className: 'picture-line',
        points: line.points.map((point) => `${x(point.x)},${y(point.y.value)}`).join(' '),
        ...{ fill: 'none', stroke: colour(line), strokeWidth: isPointed ? 3 : 2 },
      }),
      ...line.points.map(({ x: level, y: value, cell }) =>
        shape('circle', {
          ...{ className: 'picture-mark', cx: x(level), cy: y(value.value), r: 4, strokeWidth: 1.5 },
          ...{ fill: cell.isClientBound || cell.isApart ? theme.background : colour(line) },
          ...(cell.isApart ? { stroke: theme.muted, strokeDasharray: '2 2' } : { stroke: colour(line) }),
        }),
      ),
      ...line.points.flatMap(({ x: level, y: value }) =>
        [value.low, value.high].flatMap((end) =>
          end === null || scale.holds(end) ? [] : [cutMark(x(level), y(end), end, end > value.value, colour(line))],
        ),
      ),
      shape('path', {
        ...{ className: 'picture-line', stroke: colour(line), strokeOpacity: 0.5, strokeWidth: 1, fill: 'none' },
        d: `M${x(last.x) + 5} ${y(last.y.value)}L${x(last.x) + 11} ${labels[l]!}`,
      }),
      text(x(last.x) + 13, labels[l]!, fitText(line.label, widthPx - x(last.x) - 15, fontPx), {
        fill: isNeutral(line) ? theme.text : colour(line),
        weight: isPointed ? 700 : 500,
      }),
    );
  });
  const hits = lines.flatMap(({ label, points }, row) =>
    points.map((point) => ({
      ...{ row, cell: point.cell, series: label },
      spoken: `${label}, ${xName} ${formatCount(point.x)}: ${point.cell.valueText}`,
      ...{ xPx: x(point.x) - 11, yPx: y(point.y.value) - 11, widthPx: 22, heightPx: 22 },
    })),
  );
  return { label: title, widthPx, heightPx, font: theme.font, shapes: [...frame, ...drawn], hits };
}

/** An arrowhead at the edge of the plot, beyond which an interval goes on. */
const cutMark = (x: number, y: number, end: number, isUpper: boolean, colour: string): Shape =>
  shape(
    'path',
    {
      ...{ className: 'picture-whisker', stroke: colour, strokeWidth: 1.4, fill: 'none' },
      d: isUpper ? `M${x - 4} ${y + 6}L${x} ${y}L${x + 4} ${y + 6}` : `M${x - 4} ${y - 6}L${x} ${y}L${x + 4} ${y - 6}`,
    },
    shape('title', {}, `The interval goes on to ${formatShort(end)}.`),
  );

/** Levels such as 1, 2, 4, 8 or 1, 10, 100 belong on a log axis. */
function xScale(levels: readonly number[], plotPx: number): (level: number) => number {
  const [first = 0, last = 1] = [levels[0], levels.at(-1)];
  if (first === last) return () => plotPx / 2;
  const isLog = levels.length > 2 && first > 0 && last / first >= 8;
  const at = isLog ? Math.log : (level: number) => level;
  return (level) => 6 + ((at(level) - at(first)) / (at(last) - at(first))) * (plotPx - 12);
}

const labelGapPx = 16;

/** Heights for labels, as near to their lines as they can be without touching each other. */
function labelPlaces(wanted: readonly number[], lowest: number): readonly number[] {
  const order = wanted.map((_, i) => i).toSorted((a, b) => wanted[a]! - wanted[b]!);
  const places = [...wanted];
  let last = Number.NEGATIVE_INFINITY;
  for (const i of order) {
    places[i] = Math.max(wanted[i]!, last + labelGapPx);
    last = places[i]!;
  }
  const over = Math.max(0, last - lowest);
  let next = Number.POSITIVE_INFINITY;
  for (const i of order.toReversed()) {
    places[i] = Math.min(places[i]!, next - labelGapPx, over > 0 ? lowest : Number.POSITIVE_INFINITY);
    next = places[i]!;
  }
  return places;
}
