/** A value with bounds. */
export interface Bounded {
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** Values without bounds. */
export const exactly = (values: readonly number[]): readonly Bounded[] =>
  values.map((value) => ({ value, low: null, high: null }));

/** The positions of values along an axis. */
interface Scale {
  /** A log axis has no zero, so it has dots instead of bars. */
  readonly isLog: boolean;
  readonly ticks: readonly number[];
  /** Returns 0 at the beginning of the axis and 1 at its end. Values beyond the axis are moved to its ends. */
  readonly shareOf: (value: number) => number;
  /** True if the value lies on the axis. An interval that ends beyond the axis is drawn with an arrowhead. */
  readonly holds: (value: number) => boolean;
}

/** The largest ratio at which the shortest bar is still visible. */
const widestOfBars = 100;
/**
 * The interval of a few repeats may be far longer than every bar. It is cut off at this multiple of the longest bar.
 */
const farthest = 1.5;

/** Returns an axis for bars from zero. Values that differ by more than about 100 times get a log axis for dots. */
export function scaleOf(values: readonly Bounded[], always: 'linear' | 'log' | 'log2' | null = null): Scale {
  const positive = values.map(({ value }) => value).filter((value) => value > 0);
  if (positive.length === 0) return linear(1);
  const [least, most] = [Math.min(...positive), Math.max(...positive)];
  if (always === 'log' || always === 'log2' || (always === null && most / least > widestOfBars)) {
    const ends = values.flatMap(({ low, high }) => [low, high]).filter((end): end is number => end !== null && end > 0);
    return logarithmic(
      Math.max(least / farthest ** 3, Math.min(least, ...ends)),
      Math.min(most * farthest ** 3, Math.max(most, ...ends)),
      always === 'log2',
    );
  }
  const highest = Math.max(most, ...values.map(({ high }) => high ?? 0));
  return linear(Math.min(highest, most * farthest));
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));

function linear(most: number): Scale {
  const step = niceStep(most / 5);
  const ticks = Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => i * step);
  return {
    ...{ isLog: false, ticks, shareOf: (value) => clamp(value / most) },
    holds: (value) => value >= 0 && value <= most * (1 + 1e-9),
  };
}

/** The least extent of an axis of dots, as a share of the middle value: noise of one percent looks like noise. */
const leastExtent = 0.2;
/** The ratio of values above which an axis of dots is logarithmic. */
const widestOfDots = 20;

/** Returns an axis for dots, which begins near the lowest value instead of at zero. */
export function dotScaleOf(values: readonly Bounded[]): Scale {
  const all = values.map(({ value }) => value);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  if (all.length === 0 || most <= 0) return linear(1);
  if (least > 0 && most / least > widestOfDots) return scaleOf(values, 'log');
  const room = Math.max(most - least, (leastExtent / 2) * ((most + least) / 2));
  const lows = values.map(({ value, low }) => Math.max(low ?? value, least - room));
  const highs = values.map(({ value, high }) => Math.min(high ?? value, most + room));
  const [low, high] = [Math.min(...lows), Math.max(...highs)];
  const lacking = Math.max(0.2 * (high - low), leastExtent * ((most + least) / 2) - (high - low)) / 2;
  const [from, to] = [Math.max(0, low - lacking), high + lacking];
  const step = niceStep((to - from) / 4);
  const first = Math.ceil(from / step - 1e-9);
  return {
    isLog: false,
    ticks: Array.from({ length: Math.floor(to / step + 1e-9) - first + 1 }, (_, i) => (first + i) * step),
    shareOf: (value) => clamp((value - from) / (to - from)),
    holds: (value) => value >= from - 1e-9 * to && value <= to * (1 + 1e-9),
  };
}

function niceStep(least: number): number {
  const decade = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((step) => step * decade).find((step) => step >= least * (1 - 1e-9))!;
}

/** Returns the ticks within a decade. There are fewer ticks if there are many decades. */
const decadeTicks = (decades: number): readonly number[] =>
  decades > 2.5 ? [1] : decades > 1.2 ? [1, 3] : decades > 0.5 ? [1, 2, 5] : [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9];

/**
 * Returns ticks at powers of ten and at round numbers between them. Ticks of bytes are powers of two, and both ends.
 */
function logarithmic(least: number, most: number, isBinary: boolean): Scale {
  const [from, to] = isBinary
    ? [Math.log10(2 ** Math.floor(Math.log2(least))), Math.log10(2 ** Math.ceil(Math.log2(most * 1.01)))]
    : [Math.log10(least) - 0.08, Math.log10(most) + 0.02];
  const doublings = Math.max(1, Math.round((to - from) / Math.log10(2) / 4));
  const every = isBinary
    ? Array.from({ length: 64 }, (_, i) => 2 ** (Math.round(from / Math.log10(2)) + i * doublings))
    : Array.from({ length: Math.ceil(to) - Math.floor(from) + 1 }, (_, i) =>
        decadeTicks(to - from).map((step) => step * 10 ** (Math.floor(from) + i)),
      ).flat();
  const isWithin = (value: number) => value > 0 && Math.log10(value) >= from - 1e-9 && Math.log10(value) <= to + 1e-9;
  return {
    isLog: true,
    ticks: every.filter(isWithin),
    shareOf: (value) => (value <= 0 ? 0 : clamp((Math.log10(value) - from) / (to - from))),
    holds: isWithin,
  };
}
