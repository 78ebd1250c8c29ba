import { bootstrapRatio } from './bootstrap.ts';
import { confidence, type Interval, ratioInterval } from './intervals.ts';

export interface Comparison {
  /** a ÷ b. */
  readonly ratio: Interval;
  /**
   * What the bounds are of: a bootstrap over the repeats; Welch's t on logarithms where repeats are too few for one, or where it is the one
   * that shows no difference.
   */
  readonly method: 'bootstrap' | 'welch';
  readonly verdict: 'faster' | 'slower' | 'noDifferenceShown' | 'notEnoughRepeats';
}

/**
 * Whether rates a are higher than rates b. A difference is claimed only where the interval of the ratio excludes 1, and where there are repeats
 * enough for two kinds of interval (five on each side), only where both do. About one comparison in twenty of equal things claims one
 * nevertheless. Null where there is nothing to divide.
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
  // Of two that disagree, the one that is the reason.
  return { ...(kinds[sides.indexOf(0)] ?? first), verdict: 'noDifferenceShown' };
}

type Kind = Pick<Comparison, 'ratio' | 'method'>;

/** The one that is shown first. */
function kindsOf(welch: Interval, boot: Interval | null): readonly [Kind, ...Kind[]] {
  const last: Kind = { ratio: welch, method: 'welch' };
  return boot === null ? [last] : [{ ratio: boot, method: 'bootstrap' }, last];
}

/** 1: above; −1: below; 0: around it; null: no bounds. */
const sideOfOne = ({ low, high }: Interval): 1 | -1 | 0 | null =>
  low === null || high === null ? null : low > 1 ? 1 : high < 1 ? -1 : 0;
