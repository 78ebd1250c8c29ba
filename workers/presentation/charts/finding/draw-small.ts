import { formatTick } from '#model/format/format.ts';
import { fitText, textPx } from '../kit/fit-text.ts';
import { scaleOf } from '../kit/scale.ts';
import { type Scene, type Shape, shape, smallPx, text } from '../kit/scene.ts';
import type { ChartTheme } from '../kit/theme.ts';

// Small drawings beside a finding: each shows one thing, with its numbers as words.

/** Width of every drawing beside a finding, px. */
export const widthPx = 400;

/** A part of a whole. */
export interface Part {
  readonly label: string;
  /** 0…1. */
  readonly share: number;
  readonly text: string;
  readonly fill: string;
}

/** Thinner parts could not be seen. */
const leastShare = 0.005;
/** Height of a drawing's title, px. */
export const titlePx = 22;
const [trackPx, legendPx] = [20, 19];

/** The title of a drawing. */
export const titleOf = (title: string, theme: ChartTheme): Shape =>
  text(0, 9, fitText(title, widthPx, smallPx), { fill: theme.text, size: smallPx, weight: 600 });

/** A whole as one bar, each part named below with its share. */
export function drawParts(title: string, all: readonly Part[], theme: ChartTheme): Scene {
  const parts = all.filter(({ share }) => share >= leastShare);
  let [from, x, row] = [0, 0, 0];
  const shapes: Shape[] = [titleOf(title, theme)];
  for (const part of parts) {
    const px = part.share * widthPx;
    shapes.push(
      shape('rect', {
        ...{ className: 'picture-mark', x: from, y: titlePx, width: Math.max(1.5, px - 1.5), height: trackPx, rx: 2 },
        ...{ fill: part.fill, stroke: theme.axis, strokeWidth: 0.5 },
      }),
    );
    from += px;
    const words = `${part.label} ${part.text}`;
    const needed = 18 + textPx(words, smallPx) + 12;
    if (x > 0 && x + needed > widthPx) [x, row] = [0, row + 1];
    const y = titlePx + trackPx + 14 + row * legendPx;
    shapes.push(
      shape('rect', {
        x,
        y: y - 5,
        width: 10,
        height: 10,
        rx: 2,
        fill: part.fill,
        stroke: theme.axis,
        strokeWidth: 0.5,
      }),
      text(x + 15, y, words, { fill: theme.muted, size: smallPx, tone: 'muted' }),
    );
    x += needed;
  }
  const spoken = parts.map((part) => `${part.label} ${part.text}`).join(', ');
  const heightPx = titlePx + trackPx + 26 + row * legendPx;
  return { label: `${title}: ${spoken}`, widthPx, heightPx, font: theme.font, shapes, hits: [] };
}

/** A number among others of its unit. */
interface Amount {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  readonly fill: string;
}

const amountPx = 24;

/** Numbers of one unit as bars from zero, or as dots on a log axis where they are far apart. */
export function drawAmounts(title: string, amounts: readonly Amount[], theme: ChartTheme): Scene {
  const scale = scaleOf(amounts.map(({ value }) => ({ value, low: null, high: null })));
  const longest = (texts: readonly string[]) => Math.max(0, ...texts.map((one) => textPx(one, smallPx)));
  const left = Math.min(widthPx * 0.5, 10 + longest(amounts.map(({ label }) => label)));
  const plotPx = widthPx - left - longest(amounts.map((one) => one.text)) - 12;
  const shapes = amounts.flatMap(({ label, value, text: words, fill }, i): readonly Shape[] => {
    const y = titlePx + (i + 0.5) * amountPx;
    const x = left + scale.shareOf(value) * plotPx;
    return [
      text(0, y, fitText(label, left - 8, smallPx), { fill: theme.muted, size: smallPx, tone: 'muted' }),
      scale.isLog
        ? shape('circle', { className: 'picture-mark', cx: x, cy: y, r: 5, fill })
        : shape('rect', {
            ...{
              className: 'picture-mark',
              x: left,
              y: y - 8,
              width: Math.max(1.5, x - left),
              height: 16,
              rx: 2,
              fill,
            },
          }),
      text(x + 8, y, words, { fill: theme.text, size: smallPx, weight: 600 }),
    ];
  });
  const spoken = amounts.map(({ label, text: words }) => `${label} ${words}`).join(', ');
  return {
    label: `${title}: ${spoken}`,
    ...{ widthPx, heightPx: titlePx + amounts.length * amountPx + 6, font: theme.font, hits: [] },
    shapes: [titleOf(scale.isLog ? `${title}, log axis` : title, theme), ...shapes],
  };
}

interface Curve {
  readonly title: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Places that are named. */
  readonly marks: readonly { readonly x: number; readonly label: string }[];
  /** Stretches that are shaded, with what they are. */
  readonly bands?: {
    readonly label: string;
    readonly spans: readonly { readonly from: number; readonly to: number }[];
  };
  readonly xName: string;
  readonly xTick: (x: number) => string;
  readonly colour: string;
  readonly isLogX: boolean;
  readonly hasDots: boolean;
}

const [curvePx, leftPx, footPx] = [130, 44, 38];

/** A line from zero over numbers or time, with places and stretches of it marked. */
export function drawCurve(curve: Curve, theme: ChartTheme): Scene {
  const { title, points, marks, bands, xName, xTick, colour, isLogX, hasDots } = curve;
  const [first, last] = [points[0]!.x, points.at(-1)!.x];
  const at = isLogX && first > 0 ? Math.log : (value: number) => value;
  const plotPx = widthPx - leftPx - 14;
  const x = (value: number) =>
    leftPx + Math.min(1, Math.max(0, (at(value) - at(first)) / (at(last) - at(first) || 1))) * plotPx;
  const scale = scaleOf(
    points.map(({ y }) => ({ value: y, low: null, high: null })),
    'linear',
  );
  const bottom = titlePx + curvePx;
  const y = (value: number) => bottom - scale.shareOf(value) * (curvePx - 8);
  const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;
  const shapes = [
    titleOf(title, theme),
    ...(bands?.spans ?? []).map(({ from, to }) =>
      shape('rect', {
        ...{
          className: 'picture-band',
          x: x(from),
          y: titlePx,
          width: Math.max(1.5, x(to) - x(from)),
          height: curvePx,
        },
        ...{ fill: theme.muted, fillOpacity: 0.25 },
      }),
    ),
    ...scale.ticks.flatMap((value) => [
      shape('line', {
        className: 'picture-grid',
        x1: leftPx,
        x2: widthPx - 14,
        y1: y(value),
        y2: y(value),
        stroke: theme.grid,
      }),
      text(leftPx - 6, y(value), formatTick(value), { ...muted, anchor: 'end' }),
    ]),
    shape('polyline', {
      ...{ className: 'picture-line', points: points.map((one) => `${x(one.x)},${y(one.y)}`).join(' ') },
      ...{ fill: 'none', stroke: colour, strokeWidth: 2 },
    }),
    ...(hasDots
      ? points.map((one) =>
          shape('circle', { className: 'picture-mark', cx: x(one.x), cy: y(one.y), r: 3.5, fill: colour }),
        )
      : []),
    ...marks.flatMap((mark) => [
      shape('line', {
        ...{ className: 'picture-limit', x1: x(mark.x), x2: x(mark.x), y1: titlePx, y2: bottom },
        ...{ stroke: theme.text, strokeWidth: 1.5, strokeDasharray: '5 4' },
      }),
      text(x(mark.x) + (x(mark.x) > widthPx * 0.7 ? -6 : 6), bottom - 12, mark.label, {
        ...{ fill: theme.text, size: smallPx, weight: 600 },
        anchor: x(mark.x) > widthPx * 0.7 ? 'end' : 'start',
      }),
    ]),
    text(leftPx, bottom + 13, xTick(first), muted),
    text(widthPx - 14, bottom + 13, xTick(last), { ...muted, anchor: 'end' }),
    text(leftPx + plotPx / 2, bottom + 13, xName, { ...muted, anchor: 'middle' }),
    ...(bands === undefined || bands.spans.length === 0
      ? []
      : [text(leftPx, bottom + 30, `Shaded: ${bands.label}`, muted)]),
  ];
  const told = marks.map(({ label }) => label).join(', ');
  return {
    label: told === '' ? `${title} over ${xName}` : `${title} over ${xName}: ${told}`,
    ...{ widthPx, heightPx: bottom + footPx, font: theme.font, shapes, hits: [] },
  };
}
