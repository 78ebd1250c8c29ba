import { tChance } from '../intervals/student-t.ts';
import { mean } from '../intervals/summary.ts';

/** The correlation of two series. */
interface Correlation {
  /** Pearson's coefficient, −1…1. */
  readonly r: number;
  /**
   * The probability that independent normal series of that length are correlated as strongly: t = r √((n − 2) ÷ (1 −
   * r²)).
   */
  readonly chance: number;
}

/**
 * Correlation of two series of equal length (Pearson 1896), with Student's test. Null: fewer than four pairs, or one of
 * the series does not change.
 */
export function correlation(x: readonly number[], y: readonly number[]): Correlation | null {
  const n = x.length;
  if (n !== y.length) throw new RangeError(`Series of ${n} and ${y.length} values have no correlation.`);
  if (n < 4) return null;
  const [meanX, meanY] = [mean(x), mean(y)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [dx, dy] = [x[i]! - meanX, y[i]! - meanY];
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  if (!(xx > 0 && yy > 0)) return null;
  const r = Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
  return { r, chance: Math.abs(r) === 1 ? 0 : tChance(r * Math.sqrt((n - 2) / (1 - r * r)), n - 2) };
}
