import { bootstrapRatio } from './bootstrap.ts';
import { confidence, type Interval, ratioInterval } from './intervals.ts';

/** A comparison of the means of two samples of rates. */
export interface Comparison {
  /** a ÷ b. */
  readonly ratio: Interval;
  /**
   * The source of the bounds: a bootstrap over the repeats; or Welch's t on logarithms where a bootstrap has too few
   * repeats, or where only Welch's interval shows no difference.
   */
  readonly method: 'bootstrap' | 'welch';
  readonly verdict: 'faster' | 'slower' | 'notSignificant' | 'notEnoughRepeats';
}

/** True if a verdict of any kind of comparison claims a difference. */
export const isDifference = (verdict: string | undefined): verdict is 'faster' | 'slower' =>
  verdict === 'faster' || verdict === 'slower';

/**
 * Compares rates a with rates b. It claims a difference only where the interval of the ratio excludes 1; where both
 * sides have enough repeats for two kinds of interval (five), only where both intervals exclude 1. About one comparison
 * in twenty of equal samples claims one nevertheless. Null where the ratio is undefined.
 */
export function compareMeans(a: readonly number[], b: readonly number[], level = confidence): Comparison | null {
  const welch = ratioInterval(a, b, level);
  if (welch === null) return null;
  const boot = bootstrapRatio(a, b, { level });
  const kinds = kindsOf(welch, boot);
  const [first] = kinds;
  const sides = kinds.map(({ ratio }) => sideOfOne(ratio));
  if (sides.includes(null)) return { ...first, verdict: 'notEnoughRepeats' };
  const [side] = sides;
  if (side !== 0 && sides.every((one) => one === side)) return { ...first, verdict: side === 1 ? 'faster' : 'slower' };
  // If the two methods disagree, the interval that contains 1 is reported; if they lie on either side of 1, the hull of
  // both.
  return { ...(kinds[sides.indexOf(0)] ?? { ...first, ratio: hull(kinds) }), verdict: 'notSignificant' };
}

/** The interval from the lowest bound to the highest. */
const hull = (kinds: readonly [Kind, ...Kind[]]): Interval => ({
  ...kinds[0].ratio,
  low: Math.min(...kinds.map(({ ratio }) => ratio.low ?? 0)),
  high: Math.max(...kinds.map(({ ratio }) => ratio.high ?? Number.POSITIVE_INFINITY)),
});

type Kind = Pick<Comparison, 'ratio' | 'method'>;

/** The interval to show comes first. */
function kindsOf(welch: Interval, boot: Interval | null): readonly [Kind, ...Kind[]] {
  const last: Kind = { ratio: welch, method: 'welch' };
  return boot === null ? [last] : [{ ratio: boot, method: 'bootstrap' }, last];
}

/** 1: above; −1: below; 0: around it; null: no bounds. */
const sideOfOne = ({ low, high }: Interval): 1 | -1 | 0 | null =>
  low === null || high === null ? null : low > 1 ? 1 : high < 1 ? -1 : 0;
