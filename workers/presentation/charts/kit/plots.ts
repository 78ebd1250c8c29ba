import { formatShort } from '#model/format/format.ts';
import { fitName, fitText, spacedTicks, textPx } from './fit-text.ts';
import { labelSides, type Side } from './label-sides.ts';
import { drawLegend, mark } from './marks.ts';
import type { SymbolName } from './palette.ts';
import { type Bounded, exactly, scaleOf } from './scale.ts';
import {
  fontPx,
  type Hit,
  type HitCell,
  joined,
  rounded,
  type Scene,
  type Shape,
  shape,
  smallPx,
  text,
} from './scene.ts';
import type { ChartTheme } from './theme.ts';

export interface PlotPoint {
  readonly x: number;
  readonly y: Bounded;
  /** A description of the point. Absent if neither pointer nor keyboard can reach the point. */
  readonly spoken?: string;
  readonly cell?: HitCell;
  /** A hollow mark is a limit of the value; an outline is a value without a comparison. */
  readonly look?: 'hollow' | 'outline';
  /** Text beside the point. */
  readonly name?: string;
}

export interface PlotLine {
  readonly label: string;
  readonly colour: string;
  readonly dash?: 'solid' | readonly number[];
  readonly symbol?: SymbolName;
  readonly points: readonly PlotPoint[];
  /** Default: both. */
  readonly draws?: 'line' | 'points';
}

/**
 * A marker at a position of the x axis. With `y` it is a point on a line, with its interval; otherwise it is a line
 * across the plot.
 */
interface PlotMark {
  readonly x: Bounded;
  readonly y?: number;
  readonly label: string;
  /** True to place the label above the point. */
  readonly isUp?: boolean;
  readonly colour?: string;
}

/** A plot of one metric over an axis. */
export interface Plot {
  readonly title: string;
  readonly lines: readonly PlotLine[];
  readonly tick: (value: number) => string;
  readonly scale?: 'linear' | 'log' | 'log2';
  /** A horizontal line with its name. */
  readonly limit?: { readonly value: number; readonly label: string };
  readonly marks?: readonly PlotMark[];
  /** Shaded ranges of the x axis. */
  readonly spans?: readonly { readonly from: number; readonly to: number }[];
}

interface Layout {
  readonly xName: string;
  readonly xTick: (value: number) => string;
  /** True to put ticks at the points, in which case the axis may be logarithmic. Otherwise ticks are round numbers. */
  readonly xTicks: 'points' | 'round';
  /** The first value of the axis. Default: the first point. */
  readonly xFrom?: number;
  /** Names lines at their ends, or in one legend. */
  readonly names: 'ends' | 'legend' | 'none';
  /** The greatest number of columns, and the least width of a column. */
  readonly columns: number;
  readonly leastPx: number;
  /** The least height of a plot. A plot with many names may be higher. */
  readonly heightPx: number;
  /** The label of the line that stands out. */
  readonly highlighted?: string | null;
}

const [topPx, bottomPx] = [36, 48];
/**
 * The most lines that may share a colour. If more lines would share it, they are drawn without it, and readers tell
 * them apart by their names or by pointing at them.
 */
const mostColours = 8;

/** Draws one plot for each metric, with the bands of the intervals. */
export function drawPlots(plots: readonly Plot[], layout: Layout, theme: ChartTheme, widthPx: number): Scene {
  const fitting = Math.max(1, Math.min(layout.columns, plots.length, Math.floor(widthPx / layout.leastPx)));
  // Plots are spread evenly over the rows: four plots become two rows of two, instead of three and one.
  const columns = Math.max(1, Math.ceil(plots.length / Math.max(1, Math.ceil(plots.length / fitting))));
  const drawn = plots.map((plot) => drawPlot(plot, layout, theme, Math.floor(widthPx / columns)));
  const rows = Array.from({ length: Math.ceil(drawn.length / columns) }, (_, row) =>
    joined('', drawn.slice(row * columns, (row + 1) * columns), 'beside'),
  );
  const lines = [...new Map(plots.flatMap((plot) => plot.lines).map((line) => [line.label, line])).values()];
  const entries = lines.map(({ label, colour, symbol = 'circle' }) => ({ label, fill: colour, symbol }));
  const legend = layout.names === 'legend' ? [drawLegend(entries, theme, widthPx, { padPx: 16 })] : [];
  return joined(`${plots.map(({ title }) => title).join('; ')} over ${layout.xName}`, [...legend, ...rows], 'below');
}

/** The position of a plot. */
interface Place {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
  readonly box: Readonly<Record<'left' | 'right' | 'top' | 'bottom', number>>;
  readonly theme: ChartTheme;
}

function drawPlot(plot: Plot, layout: Layout, theme: ChartTheme, widthPx: number): Scene {
  const { title, lines, tick, limit, marks = [], spans = [] } = plot;
  const { xName, xTick, names, highlighted = null } = layout;
  const points = lines.flatMap((line) => line.points);
  const scale = scaleOf([...points.map(({ y }) => y), ...exactly(limit ? [limit.value] : [])], plot.scale ?? null);
  const [padPx, titlePx] = names === 'none' ? [0, smallPx] : [16, fontPx];
  const left = rounded(padPx + 8 + Math.max(0, ...scale.ticks.map((value) => textPx(tick(value), smallPx))));
  const longest = Math.max(0, ...lines.map(({ label }) => textPx(label, fontPx)));
  const right = widthPx - (names === 'ends' ? Math.min(widthPx * 0.34, 26 + longest) : 18);
  const heightPx = Math.max(layout.heightPx, names === 'ends' ? topPx + bottomPx + lines.length * labelGapPx : 0);
  const box = { left, right, top: topPx, bottom: heightPx - bottomPx };
  const measured = lines.flatMap((line) => (line.draws === 'line' ? [] : line.points.map((point) => point.x)));
  const xs = points.map((point) => point.x).toSorted((a, b) => a - b);
  const across = xAxis(
    xs,
    [...new Set(measured)].toSorted((a, b) => a - b),
    layout,
    right - left,
  );
  const x = (value: number) => rounded(left + across.at(value));
  const y = (value: number) => rounded(box.bottom - scale.shareOf(value) * (box.bottom - box.top));
  const place = { x, y, box, theme };
  const hasColours = lines.length <= mostColours;
  const byColour = Map.groupBy(lines, ({ colour }) => colour);
  const isNeutral = ({ colour, label }: PlotLine) =>
    names === 'ends' && !hasColours && highlighted !== label && byColour.get(colour)!.length > 1;
  const labels = labelPlaces(
    lines.map((line) => y(line.points.at(-1)!.y.value)),
    box.bottom,
  );
  const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
  const level = { x1: left, x2: right };
  const frame = [
    text(padPx, 14, fitText(`${title}${scale.isLog ? ', log axis' : ''}`, widthPx - padPx - 8, titlePx), {
      ...{ fill: theme.text, size: titlePx, weight: 600 },
    }),
    ...spans.map(({ from, to }) =>
      shape('rect', {
        ...{ className: 'picture-band', x: x(from), width: Math.max(1.5, x(to) - x(from)) },
        ...{ y: box.top, height: box.bottom - box.top, fill: theme.muted, fillOpacity: 0.25 },
      }),
    ),
    ...scale.ticks.flatMap((value) => [
      shape('line', { className: 'picture-grid', ...level, y1: y(value), y2: y(value), stroke: theme.grid }),
      text(left - 8, y(value), tick(value), { ...muted, anchor: 'end' }),
    ]),
    ...spacedTicks(across.ticks, x, xTick, { fontPx: smallPx, gapPx: 8 }).map((value) =>
      text(x(value), box.bottom + 16, xTick(value), { ...muted, anchor: 'middle' }),
    ),
    text((left + right) / 2, heightPx - 12, xName, { ...muted, anchor: 'middle' }),
    ...(limit === undefined
      ? []
      : [
          shape('line', {
            ...{ className: 'picture-limit', ...level, y1: y(limit.value), y2: y(limit.value) },
            ...{ stroke: theme.text, strokeWidth: 1.5, strokeDasharray: '5 4' },
          }),
          text(left + 6, y(limit.value) + (y(limit.value) < topPx + 16 ? 12 : -10), limit.label, {
            ...{ fill: theme.text, size: smallPx, weight: 600 },
          }),
        ]),
  ];
  const drawn = lines.map((line, l): Shape => {
    const isPointed = highlighted === line.label;
    const colour = isNeutral(line) ? theme.muted : line.colour;
    return shape(
      'g',
      { opacity: highlighted === null || isPointed ? 1 : 0.25, 'data-series': line.label },
      ...lineShapes({ ...line, colour }, place, { hasBand: hasColours || isPointed, widthPx: isPointed ? 3 : 2 }),
      ...cutMarks({ ...line, colour }, place, scale.holds),
      ...(names === 'ends' ? endLabel(line, labels[l]!, place, widthPx, isNeutral(line), isPointed) : []),
    );
  });
  const hits = lines.flatMap(({ label, points: own }, row) =>
    own.flatMap((point): readonly Hit[] =>
      point.spoken === undefined
        ? []
        : [
            {
              ...{ row, spoken: point.spoken, series: label, ...(point.cell && { cell: point.cell }) },
              ...{ xPx: x(point.x) - 11, yPx: y(point.y.value) - 11, widthPx: 22, heightPx: 22 },
            },
          ],
    ),
  );
  return {
    ...{ label: title, widthPx, heightPx, font: theme.font, hits },
    shapes: [...frame, ...drawn, ...pointNames(lines, place), ...marks.flatMap((one) => markShapes(one, place))],
  };
}

/** Draws the band of the intervals, the line, and a mark at each point. */
function lineShapes(
  { colour, dash = 'solid', symbol = 'circle', points, draws }: PlotLine,
  { x, y, theme }: Place,
  { hasBand, widthPx }: { readonly hasBand: boolean; readonly widthPx: number },
): readonly Shape[] {
  const along = (own: readonly PlotPoint[], of: (point: PlotPoint) => number) =>
    own.map((point) => `${x(point.x)},${y(of(point))}`);
  const band = points.filter((point) => point.y.low !== null && point.y.high !== null);
  const fillOf = ({ look }: PlotPoint) => ({
    fill: look === undefined ? colour : theme.background,
    ...(look === 'outline' ? { stroke: theme.muted, strokeDasharray: '2 2' } : { stroke: colour }),
    strokeWidth: 1.5,
  });
  return [
    ...(band.length < 2 || !hasBand || draws === 'points'
      ? []
      : [
          shape('polygon', {
            ...{ className: 'picture-band', fill: colour, fillOpacity: 0.14 },
            points: [...along(band, (one) => one.y.low!), ...along(band, (one) => one.y.high!).toReversed()].join(' '),
          }),
        ]),
    ...(draws === 'points'
      ? []
      : [
          shape('polyline', {
            ...{ className: 'picture-line', points: along(points, (one) => one.y.value).join(' ') },
            ...{ fill: 'none', stroke: colour, strokeWidth: widthPx },
            ...(dash !== 'solid' && { strokeDasharray: dash.join(' ') }),
          }),
        ]),
    ...(draws === 'line'
      ? []
      : points.map((point) => mark(x(point.x), y(point.y.value), symbol, fillOf(point), draws === 'points' ? 3 : 4))),
  ];
}

/** Draws arrowheads at the edge of the plot for intervals that extend beyond it. */
const cutMarks = ({ points, colour, draws }: PlotLine, { x, y }: Place, holds: (value: number) => boolean) =>
  (draws === undefined ? points : []).flatMap(({ x: at, y: { value, low, high } }) =>
    [low, high].flatMap((end): readonly Shape[] => {
      if (end === null || holds(end)) return [];
      const side = end > value ? 6 : -6;
      return [
        shape(
          'path',
          {
            ...{ className: 'picture-whisker', stroke: colour, strokeWidth: 1.4, fill: 'none' },
            d: `M${x(at) - 4} ${y(end) + side}L${x(at)} ${y(end)}L${x(at) + 4} ${y(end) + side}`,
          },
          shape('title', {}, `The interval extends to ${formatShort(end)}.`),
        ),
      ];
    }),
  );

function endLabel(
  { label, colour, points }: PlotLine,
  at: number,
  { x, y, theme }: Place,
  widthPx: number,
  isNeutral: boolean,
  isPointed: boolean,
): readonly Shape[] {
  const last = points.at(-1)!;
  const end = x(last.x);
  return [
    shape('path', {
      ...{ className: 'picture-line', stroke: isNeutral ? theme.muted : colour, strokeOpacity: 0.5, strokeWidth: 1 },
      ...{ fill: 'none', d: `M${end + 5} ${y(last.y.value)}L${end + 11} ${at}` },
    }),
    text(end + 13, at, fitName(label, widthPx - end - 15, fontPx), {
      ...{ fill: isNeutral ? theme.text : colour, weight: isPointed ? 700 : 500 },
    }),
  ];
}

const sides: Readonly<Record<Side, readonly [x: number, y: number, anchor: 'start' | 'middle' | 'end']>> = {
  top: [0, -13, 'middle'],
  bottom: [0, 13, 'middle'],
  right: [8, 0, 'start'],
  left: [-8, 0, 'end'],
};

/** Draws the texts beside points, where they cover least. */
function pointNames(lines: readonly PlotLine[], { x, y, box, theme }: Place): readonly Shape[] {
  const named = lines.filter(({ points }) => points.some(({ name }) => name !== undefined));
  const placed = labelSides(
    named.map(({ points }) =>
      points.map((point) => ({
        ...{ x: x(point.x) - box.left, y: box.bottom - y(point.y.value) },
        widthPx: textPx(point.name ?? '', smallPx) + 6,
      })),
    ),
    { widthPx: box.right - box.left, heightPx: box.bottom - box.top },
  );
  return named.flatMap(({ points }, l) =>
    points.map((point, p) => {
      const [dx, dy, anchor] = sides[placed[l]![p]!];
      return text(x(point.x) + dx, y(point.y.value) + dy, point.name ?? '', {
        ...{ fill: theme.text, size: smallPx, anchor, halo: theme.background },
      });
    }),
  );
}

function markShapes({ x: at, y: value, label, isUp = false, colour }: PlotMark, { x, y, box, theme }: Place) {
  const middle = x(at.value);
  // Labels extend towards the middle of the plot, so that none is cut off at the side.
  const isLate = middle > box.left + (box.right - box.left) * 0.6;
  const stroke = colour ?? theme.text;
  const top = value === undefined ? box.top : y(value);
  const [from, to] = [at.low, at.high].map((end) => Math.max(box.left, Math.min(box.right, x(end ?? at.value))));
  const height = isUp ? Math.max(box.top - 6, top - labelGapPx) : Math.min(box.bottom - 8, top + labelGapPx);
  return [
    shape('line', {
      ...{ className: 'picture-limit', x1: middle, x2: middle, y1: top, y2: box.bottom },
      ...{ stroke, strokeWidth: 1.4, strokeDasharray: '2 3' },
    }),
    ...(value === undefined
      ? []
      : [
          shape('path', {
            ...{ className: 'picture-whisker', stroke, strokeWidth: 1.2, fill: 'none' },
            d: `M${from} ${top - 4}v8M${from} ${top}H${to}${at.high !== null && x(at.high) <= box.right ? `M${to} ${top - 4}v8` : ''}`,
          }),
          mark(middle, top, 'circle', { fill: theme.background, stroke, strokeWidth: 1.6 }, 3.5),
        ]),
    text(middle + (isLate ? -6 : 6), value === undefined ? box.bottom - 12 : height, label, {
      ...{ fill: stroke, size: smallPx, weight: 600, anchor: isLate ? 'end' : 'start', halo: theme.background },
    }),
  ];
}

/** Levels such as 1, 2, 4, 8 or 1, 10, 100 belong on a log axis. */
function xAxis(
  xs: readonly number[],
  levels: readonly number[],
  { xTicks, xFrom }: Layout,
  plotPx: number,
): { readonly at: (value: number) => number; readonly ticks: readonly number[] } {
  const [first, last] = [xFrom ?? xs[0] ?? 0, xs.at(-1) ?? 1];
  const round = () => scaleOf(exactly([last])).ticks.filter((value) => value >= first);
  const ticks = xTicks === 'points' ? levels : round();
  if (first === last) return { at: () => plotPx / 2, ticks };
  const isLog = xTicks === 'points' && levels.length > 2 && first > 0 && last / first >= 8;
  const to = isLog ? Math.log : (value: number) => value;
  return { at: (value) => 6 + ((to(value) - to(first)) / (to(last) - to(first))) * (plotPx - 12), ticks };
}

const labelGapPx = 16;

/** Returns positions of labels that do not touch, as near to their lines as possible. */
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
