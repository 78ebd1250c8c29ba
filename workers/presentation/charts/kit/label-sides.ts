/** The side of its point on which a label stands; the names are ECharts'. */
export type Side = 'top' | 'bottom' | 'right' | 'left';

/** A point with a label, in px from the left and the bottom of the panel. */
interface LabelledPoint {
  readonly x: number;
  readonly y: number;
  readonly widthPx: number;
}

export interface Box {
  readonly widthPx: number;
  readonly heightPx: number;
}

interface Rect {
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
}

/** The sides in the order in which they are preferred. */
const sides: readonly Side[] = ['top', 'bottom', 'right', 'left'];
const textPx = 14;
/** The distance from the middle of the point to the text: half a symbol and a gap. */
const awayPx = 6;
/** Lines are looked at so often along their way. */
const stepPx = 3;

/**
 * The side, for each point of the lines, on which its label does not cover a line of the panel, an earlier label or the
 * panel's edge. If no side is free, it is the side that covers least.
 */
export function labelSides(lines: readonly (readonly LabelledPoint[])[], panel: Box): readonly (readonly Side[])[] {
  const inTheWay = lines.flatMap((points) => points.flatMap((point, i) => [point, ...along(points[i - 1], point)]));
  const placed: Rect[] = [];
  return lines.map((points) =>
    points.map((point) => {
      const costs = sides.map((side) => {
        const rect = rectOf(point, side);
        const covered = inTheWay.filter((one) => isWithin(one, rect)).length;
        const overlapping = placed.filter((one) => overlap(one, rect)).length;
        // A name that is cut off, or lies on another, cannot be read at all; one that is crossed by a line can.
        return covered + 100 * (overlapping + (isOutside(rect, panel) ? 1 : 0));
      });
      const side = sides[costs.indexOf(Math.min(...costs))]!;
      placed.push(rectOf(point, side));
      return side;
    }),
  );
}

/**
 * The first side, for each point, on which its label covers no other point, lies on no other label and within the
 * panel; null where there is none. Later ones choose first.
 */
export function freeSides(
  points: readonly LabelledPoint[],
  others: readonly Pick<LabelledPoint, 'x' | 'y'>[],
  panel: Box,
): readonly (Side | null)[] {
  const placed: Rect[] = [];
  const inTheWay = [...points, ...others];
  return points
    .toReversed()
    .map((point) => {
      const side = sides.find((one) => {
        const rect = rectOf(point, one);
        return !(
          isOutside(rect, panel) ||
          placed.some((other) => overlap(other, rect)) ||
          inTheWay.some((other) => isWithin(other, grown(rect)))
        );
      });
      if (side === undefined) return null;
      placed.push(rectOf(point, side));
      return side;
    })
    .toReversed();
}

function along(from: LabelledPoint | undefined, to: LabelledPoint): readonly Pick<LabelledPoint, 'x' | 'y'>[] {
  if (from === undefined) return [];
  const steps = Math.ceil(Math.hypot(to.x - from.x, to.y - from.y) / stepPx);
  return Array.from({ length: Math.max(0, steps - 1) }, (_, i) => ({
    x: from.x + ((to.x - from.x) * (i + 1)) / steps,
    y: from.y + ((to.y - from.y) * (i + 1)) / steps,
  }));
}

function rectOf({ x, y, widthPx }: LabelledPoint, side: Side): Rect {
  const [across, up] = [widthPx / 2, textPx / 2];
  const middleX = side === 'left' ? x - awayPx - across : side === 'right' ? x + awayPx + across : x;
  const middleY = side === 'bottom' ? y - awayPx - up : side === 'top' ? y + awayPx + up : y;
  return { left: middleX - across, right: middleX + across, low: middleY - up, high: middleY + up };
}

/** Grows the rectangle by half a symbol. */
const grown = ({ left, right, low, high }: Rect): Rect => ({
  left: left - 4,
  right: right + 4,
  low: low - 4,
  high: high + 4,
});
const isWithin = ({ x, y }: Pick<LabelledPoint, 'x' | 'y'>, { left, right, low, high }: Rect): boolean =>
  x >= left && x <= right && y >= low && y <= high;
const overlap = (a: Rect, b: Rect): boolean => a.left < b.right && b.left < a.right && a.low < b.high && b.low < a.high;
const isOutside = ({ left, right, low, high }: Rect, { widthPx, heightPx }: Box): boolean =>
  left < 0 || right > widthPx || low < 0 || high > heightPx;
