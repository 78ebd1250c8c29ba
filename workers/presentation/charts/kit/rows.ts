import { fitLevels, fitName, fitText, spacedTicks, textPx } from './fit-text.ts';
import type { Bounded, scaleOf } from './scale.ts';
import { fontPx, type Hit, type HitCell, rounded, type Scene, type Shape, shape, smallPx, text } from './scene.ts';
import type { ChartTheme } from './theme.ts';

/** A row: its names, a bar or dot with the whiskers of its interval, and its value. */
export interface Row {
  readonly name: string;
  /** The name of the row, with a dot of the row's colour. */
  readonly target?: string;
  readonly colour: string;
  /** The measured value. Null if there is none; the remark then gives the reason. */
  readonly drawn: Bounded | null;
  /** The text behind the mark, and a remark on it. */
  readonly end: string;
  readonly remark?: string;
  /** The text at the right edge. */
  readonly side?: string;
  readonly isSideMuted?: boolean;
  /** A hollow mark is a limit of the value; an outline is a value without a comparison. */
  readonly look?: 'hollow' | 'outline';
  /** Outliers, each as a single value. */
  readonly outliers?: readonly number[];
  /** Published values, drawn as dashed ticks. */
  readonly published?: readonly { readonly value: number; readonly text: string }[];
  /** A description of the whole row. */
  readonly spoken: string;
  readonly cell?: HitCell;
}

interface RowGroup {
  readonly title: string | null;
  /** The colour of a dot before the title. Null if there is no dot. */
  readonly colour: string | null;
  readonly rows: readonly Row[];
}

interface Rows {
  readonly label: string;
  readonly groups: readonly RowGroup[];
  readonly scale: ReturnType<typeof scaleOf>;
  /** The value at which bars on a log axis begin. Null if rows have dots. */
  readonly origin?: number | null;
  /** True to place rows closer together. Default: true for many rows. */
  readonly isDense?: boolean;
  /** The label of the axis. Null for a small drawing, which shows its values only as text. */
  readonly axis: { readonly name: string; readonly tick: (value: number) => string } | null;
}

/** Consecutive rows of the same name. The name stands at the first row. */
export const underNames = (rows: readonly Row[]): readonly Row[] =>
  [...Map.groupBy(rows, ({ name }) => name).values()].flatMap((own) =>
    own.map((row, i) => (i === 0 ? row : { ...row, name: '' })),
  );

const headPx = 30;
const axisPx = 40;
/** The most rows with wide spacing. More rows stand closer together. */
const mostWide = 18;

/**
 * Draws horizontal bars with the whiskers of their intervals and the value at the end. Bars begin at zero, or at the
 * origin of a log axis. On a log axis without an origin the rows have dots.
 */
export function drawRows(
  { label, groups, scale, origin = null, isDense, axis }: Rows,
  theme: ChartTheme,
  widthPx: number,
): Scene {
  const rows = groups.flatMap((group) => group.rows);
  const [sizePx, padPx] = axis === null ? [smallPx, 0] : [fontPx, 16];
  const [rowPx, barPx] = axis === null ? [24, 16] : (isDense ?? rows.length > mostWide) ? [24, 14] : [36, 22];
  const longest = (texts: readonly (string | undefined)[], px = sizePx) =>
    Math.max(0, ...texts.map((one) => textPx(one ?? '', px)));
  const namesPx = Math.max(widthPx * 0.52, 300);
  const hasNames = rows.some(({ name }) => name !== '');
  const namePx = hasNames ? Math.min(namesPx * 0.6, 12 + longest(rows.map(({ name }) => name))) : 0;
  const targets = rows.flatMap(({ target }) => target ?? []);
  const targetPx = targets.length === 0 ? 0 : Math.min(namesPx * 0.6, namesPx - namePx, 30 + longest(targets));
  const remarkPx = longest(
    rows.map(({ drawn, remark }) => (drawn === null ? '' : remark)),
    smallPx,
  );
  const endPx = 14 + longest(rows.map(({ end }) => end)) + (remarkPx > 0 ? remarkPx + 8 : 0);
  const left = rounded(padPx + namePx + targetPx);
  const plotPx = Math.max(60, widthPx - padPx - 12 - longest(rows.map(({ side }) => side)) - endPx - left);
  const x = (value: number) => rounded(left + scale.shareOf(value) * plotPx);
  const from = scale.isLog ? origin : 0;
  const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
  const aside = (words: string) =>
    shape('tspan', { className: 'picture-muted', dx: 8, fontSize: smallPx, fill: theme.muted }, words);

  let y = axis === null ? 0 : 4;
  const marks: Shape[] = [];
  const hits: Hit[] = [];
  for (const { title, colour, rows: own } of groups) {
    if (title !== null) {
      const dot = colour === null ? [] : [shape('tspan', { fill: colour }, '● ')];
      marks.push(text(padPx, y + 17, [...dot, title], { fill: theme.text, weight: 600 }));
      y += headPx;
    }
    for (const row of own) {
      const middle = y + rowPx / 2;
      const { name, target, drawn, end, remark = '', side = '', outliers = [], published = [] } = row;
      if (hasNames)
        marks.push(text(padPx, middle, fitLevels(name, namePx - 8, sizePx), { fill: theme.text, size: sizePx }));
      if (target !== undefined)
        marks.push(
          shape('circle', {
            ...{ className: 'picture-mark', cx: padPx + namePx + 6, cy: middle, r: 4.5 },
            fill: row.colour,
          }),
          text(padPx + namePx + 17, middle, fitName(target, targetPx - 26, smallPx), muted),
        );
      const farthest =
        drawn === null
          ? left - 4
          : Math.max(
              ...[drawn.value, drawn.high ?? 0, ...outliers, ...published.map(({ value }) => value), from ?? 0].map(x),
            );
      const words = drawn === null ? fitText(remark, widthPx - 2 * padPx - farthest - 10, smallPx) : remark;
      marks.push(
        ...markOf(row, { middle, barPx, x, holds: scale.holds, from: from === null ? null : x(from), theme }),
        text(
          farthest + 10,
          middle,
          [shape('tspan', { fontWeight: 600 }, end), ...(words === '' ? [] : [aside(words)])],
          { fill: theme.text, size: sizePx, halo: theme.background },
        ),
        text(widthPx - padPx, middle, side, {
          ...(row.isSideMuted ? { fill: theme.muted, tone: 'muted' } : { fill: theme.text, weight: 600 }),
          anchor: 'end',
        }),
      );
      hits.push({
        ...{ row: hits.length, spoken: row.spoken, ...(row.cell && { cell: row.cell }) },
        ...{ xPx: 4, yPx: y, widthPx: widthPx - 8, heightPx: rowPx },
      });
      y += rowPx;
    }
  }
  // An axis without values has no ticks. Each row gives the reason.
  const shown = rows.every(({ drawn }) => drawn === null) ? null : axis;
  const across = (className: string, value: number, stroke: string) =>
    shape('line', { className, x1: x(value), x2: x(value), y1: 0, y2: y, stroke });
  const axisName = `${shown?.name ?? ''}${scale.isLog ? `, log axis: ${logNote(from)}` : ''}`;
  // A long name begins further to the left than its axis.
  const nameLeft = Math.max(padPx, Math.min(left, widthPx - padPx - textPx(axisName, smallPx)));
  return {
    label,
    widthPx,
    heightPx: y + (axis === null ? 6 : shown === null ? padPx : axisPx),
    font: theme.font,
    shapes: [
      ...(shown === null
        ? []
        : [
            ...scale.ticks.map((value) => across('picture-grid', value, theme.grid)),
            ...spacedTicks(scale.ticks, x, shown.tick, { fontPx: smallPx, gapPx: 10 }).map((value) =>
              text(x(value), y + 11, shown.tick(value), { ...muted, anchor: 'middle' }),
            ),
            text(nameLeft, y + 29, axisName, muted),
          ]),
      ...(from === null || !scale.isLog ? [] : [across('picture-one', from, theme.axis)]),
      ...marks,
    ],
    hits,
  };
}

const logNote = (from: number | null): string =>
  from === null ? 'equal distances are equal ratios' : 'bars begin at the baseline, and their length is the ratio';

interface Place {
  readonly middle: number;
  readonly barPx: number;
  readonly x: (value: number) => number;
  /** True if the axis reaches the value. */
  readonly holds: (value: number) => boolean;
  /** The position at which bars begin. Null for dots. */
  readonly from: number | null;
  readonly theme: ChartTheme;
}

/** Draws a bar or a dot, and its whiskers. */
function markOf(
  { drawn, colour, look, outliers = [], published = [] }: Row,
  { middle, barPx, x, holds, from, theme }: Place,
): readonly Shape[] {
  if (drawn === null) return [];
  const fill =
    look === 'outline'
      ? { fill: 'none', stroke: theme.muted, strokeWidth: 1.2, strokeDasharray: '3 3' }
      : look === 'hollow'
        ? { fill: colour, fillOpacity: 0.16, stroke: colour, strokeWidth: 1.5 }
        : { fill: colour, stroke: 'none' };
  const [low, high, at] = [x(drawn.low ?? drawn.value), x(drawn.high ?? drawn.value), x(drawn.value)];
  const end = (value: number | null, side: 1 | -1) =>
    value === null ? '' : whiskerEnd(x(value), middle, holds(value), side);
  const line = { className: 'picture-whisker', stroke: theme.text, strokeWidth: 1.4, fill: 'none' };
  const whisker = shape('path', {
    ...{ ...line, strokeOpacity: 0.75 },
    d: `M${low} ${middle}H${high}${end(drawn.low, -1)}${end(drawn.high, 1)}`,
  });
  return [
    from === null
      ? shape('circle', { className: 'picture-mark', cx: at, cy: middle, r: 5.5, ...fill })
      : shape('rect', {
          ...{ className: 'picture-mark', x: Math.min(from, at), y: middle - barPx / 2 },
          ...{ width: Math.max(1.5, Math.abs(at - from)), height: barPx, rx: 2, ...fill },
        }),
    ...(drawn.low === null && drawn.high === null ? [] : [whisker]),
    ...outliers.map((value) => shape('path', { ...line, d: `M${x(value) - 3} ${middle - 3}l6 6m0 -6l-6 6` })),
    ...published.map(({ value, text: words }) =>
      shape(
        'line',
        {
          ...{ className: 'picture-limit', stroke: theme.text, strokeWidth: 1.5, strokeDasharray: '3 2' },
          ...{ x1: x(value), x2: x(value), y1: middle - barPx / 2 - 4, y2: middle + barPx / 2 + 4 },
        },
        shape('title', {}, words),
      ),
    ),
  ];
}

/**
 * Draws the end of a whisker: a cap, or an arrowhead if the interval extends beyond the axis. `side` is 1 for the upper
 * end and −1 for the lower end.
 */
const whiskerEnd = (x: number, y: number, isHeld: boolean, side: 1 | -1): string =>
  isHeld ? `M${x} ${y - 4}v8` : `M${x - 6 * side} ${y - 4}L${x} ${y}L${x - 6 * side} ${y + 4}`;
