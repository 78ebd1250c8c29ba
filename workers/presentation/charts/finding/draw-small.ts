import { formatTick } from '#model/format/format.ts';
import { drawPlots, type Plot } from '../kit/plots.ts';
import { drawRows } from '../kit/rows.ts';
import { exactly, scaleOf } from '../kit/scale.ts';
import { type Scene, smallWidthPx, titled } from '../kit/scene.ts';
import type { ChartTheme } from '../kit/theme.ts';

// Small drawings beside a finding. Each drawing shows one fact, with its numbers as text.

/** A labelled number that is compared with other numbers of the same unit. */
interface Amount {
  readonly label: string;
  readonly value: number;
  readonly text: string;
  readonly fill: string;
}

/** Draws numbers of one unit as bars from zero. Numbers that are far apart become dots on a log axis. */
export function drawAmounts(title: string, amounts: readonly Amount[], theme: ChartTheme): Scene {
  const scale = scaleOf(exactly(amounts.map(({ value }) => value)));
  const rows = amounts.map(({ label, value, text: words, fill }) => ({
    ...{ name: label, colour: fill, drawn: { value, low: null, high: null } },
    ...{ end: words, spoken: `${label} ${words}` },
  }));
  const label = `${title}: ${rows.map(({ spoken }) => spoken).join(', ')}`;
  const drawn = drawRows(
    { label, groups: [{ title: null, colour: null, rows }], scale, axis: null },
    theme,
    smallWidthPx,
  );
  return titled(scale.isLog ? `${title}, log axis` : title, drawn, theme);
}

interface Curve {
  readonly title: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
  /** Named points on the line. */
  readonly marks: readonly { readonly x: number; readonly label: string }[];
  /** Shaded ranges, with their labels. */
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

/** Draws an axis of numbers or time that begins at zero, with marked points and ranges. */
export function drawCurve(curve: Curve, theme: ChartTheme): Scene {
  const { title, points, marks, bands, xName, xTick, colour, isLogX, hasDots } = curve;
  const spans = bands?.spans ?? [];
  const plot: Plot = {
    ...{ title, tick: formatTick, scale: 'linear', spans },
    lines: [
      {
        ...{ label: title, colour, ...(!hasDots && { draws: 'line' }) },
        points: points.map(({ x, y }) => ({ x, y: exactly([y])[0]! })),
      },
    ],
    marks: marks.map(({ x, label }) => ({ x: exactly([x])[0]!, label })),
  };
  const layout = { xTicks: isLogX ? 'points' : 'round', names: 'none', columns: 1, leastPx: 0, heightPx: 200 } as const;
  const shaded = spans.length === 0 ? xName : `${xName}; shaded: ${bands?.label}`;
  const drawn = drawPlots([plot], { ...layout, xName: shaded, xTick }, theme, smallWidthPx);
  const told = marks.map(({ label }) => label).join(', ');
  return { ...drawn, label: `${title} over ${xName}${told === '' ? '' : `: ${told}`}` };
}
