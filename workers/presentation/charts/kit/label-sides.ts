/** The side of its point on which a label stands, in the words of ECharts. */
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

type Place = Pick<LabelledPoint, 'x' | 'y'>;

interface Rect {
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
}

/** The sides, the preferred one first. */
const sides: readonly Side[] = ['top', 'bottom', 'right', 'left'];
const textPx = 14;
/** The distance from the middle of the point to the text: half a symbol and a gap. */
const awayPx = 6;
/** The distance of the places at which each line is sampled. */
const stepPx = 3;
/** The most points and sampled places of lines that a label may cover if it has no free side. */
const mostCrossings = 16;

/**
 * Returns the side on which a label covers least, and the cost of that side. Covered labels cost far more than covered
 * points.
 */
function placer(inTheWay: readonly Place[], panel: Box, marginPx: number) {
  const placed: Rect[] = [];
  return (point: LabelledPoint, most: number): Side | null => {
    const costs = sides.map((side) => {
      const rect = rectOf(point, side);
      const covered = inTheWay.filter((one) => isWithin(one, rect, marginPx)).length;
      const overlapping = placed.filter((one) => overlap(one, rect)).length;
      // A label that is cut off or lies on another label cannot be read. A label that a line crosses can be read.
      return covered + 100 * (overlapping + (isOutside(rect, panel) ? 1 : 0));
    });
    const least = Math.min(...costs);
    if (least > most) return null;
    const side = sides[costs.indexOf(least)]!;
    placed.push(rectOf(point, side));
    return side;
  };
}

/**
 * Chooses a side for the label of each point. On that side the label covers no line, no earlier label and no edge of
 * the panel. If no side is free, the label takes the side on which it covers least.
 */
export function labelSides(lines: readonly (readonly LabelledPoint[])[], panel: Box): readonly (readonly Side[])[] {
  const place = placer(
    lines.flatMap((points) => points.flatMap((point, i) => [point, ...along(points[i - 1], point)])),
    panel,
    0,
  );
  return lines.map((points) => points.map((point) => place(point, Number.POSITIVE_INFINITY)!));
}

/** A point whose label several points could have. */
interface SharedLabel extends LabelledPoint {
  /** Points with the same key have the same label, which only one of them shows. */
  readonly key: string;
}

/**
 * Chooses a side for each label: the label covers no line, no point and no other label, and lies within the panel.
 * Null for points without a label. Of the points that share a label, the last one with a free side has it. If none has,
 * the label stands at the last point whose label only a few lines cross. A label keeps half a symbol's distance from
 * points.
 */
export function freeSides(
  points: readonly SharedLabel[],
  lines: readonly (readonly Place[])[],
  panel: Box,
): readonly (Side | null)[] {
  const inTheWay = lines.flatMap((line) => line.flatMap((point, i) => [point, ...along(line[i - 1], point)]));
  const place = placer([...points, ...inTheWay], panel, 4);
  const sideOf = new Map<SharedLabel, Side>();
  const labelled = new Set<string>();
  for (const most of [0, mostCrossings])
    for (const point of points.toReversed()) {
      const side = labelled.has(point.key) ? null : place(point, most);
      if (side === null) continue;
      sideOf.set(point, side);
      labelled.add(point.key);
    }
  return points.map((point) => sideOf.get(point) ?? null);
}

function along(from: Place | undefined, to: Place): readonly Place[] {
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

const isWithin = ({ x, y }: Place, { left, right, low, high }: Rect, marginPx: number): boolean =>
  x >= left - marginPx && x <= right + marginPx && y >= low - marginPx && y <= high + marginPx;
const overlap = (a: Rect, b: Rect): boolean => a.left < b.right && b.left < a.right && a.low < b.high && b.low < a.high;
const isOutside = ({ left, right, low, high }: Rect, { widthPx, heightPx }: Box): boolean =>
  left < 0 || right > widthPx || low < 0 || high > heightPx;
