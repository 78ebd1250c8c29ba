import { fitText, textPx } from './fit-text.ts';
import { mark } from './marks.ts';
import type { SymbolName } from './palette.ts';
import { type Bounded, dotScaleOf, exactly } from './scale.ts';
import { type Hit, rounded, type Scene, type Shape, shape, smallPx, text } from './scene.ts';
import type { ChartTheme } from './theme.ts';

/** The positions of runs along an axis that several drawings share. */
export interface RunAxis {
  /** The position of each run: 0 is the first run, 1 the last one. */
  readonly at: readonly number[];
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
}

/** The value of one run. */
interface RunPoint {
  /** The index of the run on the axis. */
  readonly run: number;
  readonly runId: string;
  readonly y: Bounded;
  readonly spoken: string;
  /** True for a point with a ring around it. */
  readonly isRinged?: boolean;
}

/** The runs between two changes, by their first and last index, with their mean. */
export interface RunLevel {
  readonly from: number;
  readonly to: number;
  readonly value: number;
  /** The difference from the level before: "12 % lower". Empty for the first level. */
  readonly text: string;
}

/** A difference in versions or settings between a run and the run before it. */
export interface RunMark {
  readonly run: number;
  readonly label: string;
  readonly spoken: string;
}

/** One value over runs. */
export interface RunSeries {
  readonly label: string;
  readonly colour: string;
  readonly symbol: SymbolName;
  readonly tick: (value: number) => string;
  readonly points: readonly RunPoint[];
  readonly levels: readonly RunLevel[];
  readonly marks: readonly RunMark[];
  /** A horizontal line with its name. */
  readonly limit: { readonly value: number; readonly label: string } | null;
}

/** The height of a drawing. */
export const runSeriesPx = 156;
const [topPx, bottomPx] = [24, 26];
/** All drawings have the same margins, so that their runs stand below each other. */
const [leftPx, rightPx] = [62, 18];
const edgePx = 10;
/** The least distance between runs at which marks have their full size. */
const sparsePx = 9;
const [leastHitPx, mostHitPx] = [3, 28];
/** A limit that is farther from the values than by this ratio is not drawn. */
const farLimit = 1.6;
/** The least room for the label of a mark. A reader of a narrower one would have to guess. */
const leastLabelPx = 56;

/** Draws a value over runs: its intervals, the levels between changes, and the differences between runs. */
export function drawRunSeries(series: RunSeries, axis: RunAxis, theme: ChartTheme, widthPx: number): Scene {
  const { label, colour, symbol, tick, points, levels, marks, limit } = series;
  const drawn = points.map(({ y }) => y);
  const values = drawn.map(({ value }) => value);
  // A limit far from all values would press them into a line.
  const isNear =
    limit !== null && limit.value <= farLimit * Math.max(...values) && limit.value * farLimit >= Math.min(...values);
  const shownLimit = isNear ? limit : null;
  const scale = dotScaleOf([...drawn, ...exactly(shownLimit === null ? [] : [shownLimit.value])]);
  const box = { left: leftPx, right: widthPx - rightPx, top: topPx, bottom: runSeriesPx - bottomPx };
  const plotPx = box.right - box.left - 2 * edgePx;
  const at = (share: number) => rounded(box.left + edgePx + share * plotPx);
  const x = (run: number) => at(axis.at[run]!);
  const y = (value: number) => rounded(box.bottom - scale.shareOf(value) * (box.bottom - box.top));
  const stepPx = axis.at.length < 2 ? mostHitPx : plotPx / (axis.at.length - 1);
  const isDense = stepPx < sparsePx;
  /** The middle between a run and the run before it. */
  const before = (run: number) => (run === 0 ? box.left : rounded((x(run - 1) + x(run)) / 2));
  const muted = { fill: theme.muted, size: smallPx, tone: 'muted' } as const;

  const frame = scale.ticks.flatMap((value) => [
    shape('line', {
      ...{ className: 'picture-grid', x1: box.left, x2: box.right, y1: y(value), y2: y(value), stroke: theme.grid },
    }),
    text(box.left - 8, y(value), tick(value), { ...muted, anchor: 'end' }),
  ]);
  const limits = shownLimit === null ? [] : limitShapes(shownLimit, { box, y: y(shownLimit.value), theme });
  const bands = levels.map(({ from, to, value }) =>
    shape('line', {
      ...{ className: 'picture-band', stroke: colour, strokeOpacity: 0.3, strokeWidth: 7, strokeLinecap: 'round' },
      ...{ x1: x(from) - (from === to ? 4 : 0), x2: x(to) + (from === to ? 4 : 0), y1: y(value), y2: y(value) },
    }),
  );
  const dots = points.flatMap((point): readonly Shape[] => {
    const [low, high] = [point.y.low, point.y.high].map((end) => (end === null ? null : y(end)));
    return [
      ...(low == null || high == null
        ? []
        : [
            shape('line', {
              ...{ className: 'picture-whisker', x1: x(point.run), x2: x(point.run), y1: low, y2: high },
              ...{ stroke: colour, strokeWidth: isDense ? 1 : 1.6, strokeOpacity: isDense ? 0.55 : 0.9 },
            }),
          ]),
      mark(x(point.run), y(point.y.value), symbol, { fill: colour, stroke: colour }, isDense ? 2 : 3.6),
      ...(point.isRinged
        ? [
            shape('circle', {
              ...{ className: 'picture-limit', cx: x(point.run), cy: y(point.y.value), r: 7 },
              ...{ fill: 'none', stroke: theme.text, strokeWidth: 1.4 },
            }),
          ]
        : []),
    ];
  });
  return {
    ...{ label, widthPx, heightPx: runSeriesPx, font: theme.font },
    shapes: [
      ...frame,
      ...tickTexts(axis, at, box, theme),
      ...markShapes(marks, { box, before, theme }),
      ...bands,
      ...limits,
      ...dots,
      ...levelTexts(levels, { box, x, y, theme }),
    ],
    hits: [
      ...points.map(({ run, runId, spoken }): Hit => {
        // An area extends half of the way to its neighbours.
        const [left, right] = [run - 1, run + 1].map((other) =>
          other < 0 || other >= axis.at.length
            ? mostHitPx / 2
            : Math.min(mostHitPx, Math.max(leastHitPx, Math.abs(x(other) - x(run)))) / 2,
        ) as [number, number];
        return {
          ...{ row: 0, runId, spoken, xPx: rounded(x(run) - left), yPx: box.top },
          ...{ widthPx: rounded(left + right), heightPx: box.bottom - box.top },
        };
      }),
      ...marks.map(
        ({ run, spoken }): Hit => ({
          ...{ row: points.length === 0 ? 0 : 1, spoken },
          ...{ xPx: before(run) - 6, yPx: 2, widthPx: 12, heightPx: topPx - 2 },
        }),
      ),
    ],
  };
}

interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function limitShapes(
  { label }: NonNullable<RunSeries['limit']>,
  { box, y, theme }: { readonly box: Box; readonly y: number; readonly theme: ChartTheme },
): readonly Shape[] {
  const line = { x1: box.left, x2: box.right, y1: y, y2: y };
  return [
    shape('line', {
      ...{ className: 'picture-limit', ...line, stroke: theme.text, strokeWidth: 1.2, strokeDasharray: '5 4' },
    }),
    text(box.left + 4, y < box.top + 14 ? y + 10 : y - 9, label, {
      ...{ fill: theme.text, size: smallPx, weight: 600, halo: theme.background },
    }),
  ];
}

/** The labels of the axis, as far as they do not touch. */
function tickTexts({ ticks }: RunAxis, at: (share: number) => number, box: Box, theme: ChartTheme): readonly Shape[] {
  let end = Number.NEGATIVE_INFINITY;
  const baseline = { x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom, stroke: theme.axis };
  return [
    shape('line', { className: 'picture-grid', ...baseline }),
    ...ticks.flatMap((one): readonly Shape[] => {
      const half = textPx(one.label, smallPx) / 2;
      const middle = Math.max(box.left - 20 + half, Math.min(at(one.at), box.right + rightPx - 4 - half));
      if (middle - half - 10 < end) return [];
      end = middle + half;
      return [
        shape('line', {
          ...{ className: 'picture-grid', stroke: theme.axis, x1: at(one.at), x2: at(one.at) },
          ...{ y1: box.bottom, y2: box.bottom + 4 },
        }),
        text(middle, box.bottom + 15, one.label, {
          ...{ fill: theme.muted, size: smallPx, tone: 'muted', anchor: 'middle' },
        }),
      ];
    }),
  ];
}

/** Dashed lines between runs. A label extends to the next mark, or to the left if it has more room there. */
function markShapes(
  marks: readonly RunMark[],
  { box, before, theme }: { readonly box: Box; readonly before: (run: number) => number; readonly theme: ChartTheme },
): readonly Shape[] {
  let taken = box.left - leftPx;
  return marks.flatMap(({ run, label }, i): readonly Shape[] => {
    const middle = before(run);
    const next = marks[i + 1];
    const right = (next === undefined ? box.right + rightPx : before(next.run)) - middle - 10;
    const left = middle - taken - 14;
    const px = textPx(label, smallPx);
    const isLeft = right < px && left > right;
    const words =
      Math.max(left, right) < Math.min(px, leastLabelPx) ? '' : fitText(label, isLeft ? left : right, smallPx);
    taken = isLeft ? middle : middle + 5 + textPx(words, smallPx);
    return [
      shape('line', {
        ...{ className: 'picture-limit', x1: middle, x2: middle, y1: 6, y2: box.bottom },
        ...{ stroke: theme.muted, strokeWidth: 1.2, strokeDasharray: '3 3' },
      }),
      text(middle + (isLeft ? -5 : 5), 11, words, {
        ...{ fill: theme.muted, size: smallPx, tone: 'muted', anchor: isLeft ? 'end' : 'start' },
      }),
    ];
  });
}

interface Place {
  readonly box: Box;
  readonly x: (run: number) => number;
  readonly y: (value: number) => number;
  readonly theme: ChartTheme;
}

/** The difference of each level from the level before, above or below the level where there is room. */
function levelTexts(levels: readonly RunLevel[], { box, x, y, theme }: Place): readonly Shape[] {
  let end = box.left;
  return levels.flatMap(({ from, to, value, text: words }, i): readonly Shape[] => {
    const px = textPx(words, smallPx);
    const isUp = i > 0 && value >= levels[i - 1]!.value;
    const middle = Math.max(box.left + px / 2, Math.min((x(from) + x(to)) / 2, box.right - px / 2));
    if (words === '' || middle - px / 2 < end) return [];
    end = middle + px / 2 + 8;
    const above = y(value) - 24;
    const below = y(value) + 24;
    const height = isUp ? (above > box.top + 4 ? above : below) : below < box.bottom - 6 ? below : above;
    return [
      text(middle, height, words, {
        ...{ fill: theme.text, size: smallPx, weight: 600, anchor: 'middle', halo: theme.background },
      }),
    ];
  });
}

export type RunSpacing = 'runs' | 'time';

/** The texts of a moment at the ticks of an axis. */
export interface MomentTexts {
  /** "Nov 18". */
  readonly day: (at: string) => string;
  /** "10:12". */
  readonly time: (at: string) => string;
}

/**
 * Returns the positions of runs at equal distances, or by their times, with ticks at the first run of each day. Runs of
 * a single day have their times as ticks, the first one with the day.
 */
export function runAxis(startedAt: readonly string[], spacing: RunSpacing, texts: MomentTexts): RunAxis {
  const times = startedAt.map((at) => Date.parse(at));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const isByTime = spacing === 'time' && last > first;
  const at = times.map((time, i) =>
    times.length < 2 ? 0.5 : isByTime ? (time - first) / (last - first) : i / (times.length - 1),
  );
  const days = startedAt.map(texts.day);
  const isOneDay = new Set(days).size === 1;
  const ticks = startedAt.flatMap((moment, i) =>
    isOneDay
      ? [{ at: at[i]!, label: i === 0 ? `${days[i]}, ${texts.time(moment)}` : texts.time(moment) }]
      : days[i] === days[i - 1]
        ? []
        : [{ at: at[i]!, label: days[i]! }],
  );
  return { at, ticks };
}
