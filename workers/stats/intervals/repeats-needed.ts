import { confidence } from './intervals.ts';
import { tQuantile } from './student-t.ts';

/**
 * Number of repeats, at least 2, for which the expected t interval is at most ± `margin` of the mean: the least n with
 * t(n−1) · cv ÷ √n ≤ margin (Stein 1945, with the observed scatter as the true one). `cv`: coefficient of variation of
 * the repeats.
 */
export const repeatsNeeded = (cv: number, margin: number, level = confidence): number =>
  least(cv, margin, level, (n) => n - 1);

/**
 * Number of repeats on each side for which the expected interval of the ratio of two means is at most ± `margin`: the
 * quotient has the scatter of both sides and Welch's degrees of freedom.
 */
export function repeatsNeededForRatio(cvA: number, cvB: number, margin: number, level = confidence): number {
  const [a, b] = [cvA * cvA, cvB * cvB];
  const share = a + b > 0 ? (a + b) ** 2 / (a * a + b * b) : 2;
  return least(Math.sqrt(a + b), margin, level, (n) => (n - 1) * share);
}

function least(cv: number, margin: number, level: number, freedom: (n: number) => number): number {
  if (!(margin > 0) || !Number.isFinite(cv))
    throw new RangeError(`No number of repeats that scatter by ${cv} gives an interval of ± ${margin}.`);
  const enough = (n: number) => (tQuantile((1 + level) / 2, freedom(n)) * cv) / Math.sqrt(n) <= margin;
  let high = 2;
  while (!enough(high)) high *= 2;
  return leastIn(high / 2, high, enough);
}

/** The least whole number above `low` that is enough. `high` is, and so is each number above one that is. */
function leastIn(low: number, high: number, isEnough: (n: number) => boolean): number {
  if (high - low <= 1) return high;
  const middle = Math.floor((low + high) / 2);
  return isEnough(middle) ? leastIn(low, middle, isEnough) : leastIn(middle, high, isEnough);
}

/** One side of a ratio: the coefficient of variation of its repeats, their number, and whether it gets further ones. */
interface RepeatedSide {
  readonly cv: number;
  readonly n: number;
  readonly grows: boolean;
}

/** More further repeats than this are impractical. */
export const mostFurther = 1_000;

/**
 * Least number of further repeats after which the expected t interval of a ratio reaches less far than `distance`, on
 * logarithms, with the observed scatter as the true one. `level`: of both bounds. Null where more than 1,000 would be
 * needed, or where the side that stays as it is scatters too much for any number.
 */
export function furtherRepeats(
  sides: readonly [RepeatedSide, RepeatedSide],
  distance: number,
  level: number,
): number | null {
  const isEnough = (more: number) => {
    const parts = sides.map(({ cv, n, grows }) => ({
      error: cv ** 2 / (grows ? n + more : n),
      n: grows ? n + more : n,
    }));
    const error = parts.reduce((sum, part) => sum + part.error, 0);
    if (error === 0) return distance > 0;
    const freedom = error ** 2 / parts.reduce((sum, part) => sum + part.error ** 2 / (part.n - 1), 0);
    return tQuantile((1 + level) / 2, freedom) * Math.sqrt(error) < distance;
  };
  if (!(distance > 0) || !isEnough(mostFurther)) return null;
  return leastIn(-1, mostFurther, isEnough);
}
