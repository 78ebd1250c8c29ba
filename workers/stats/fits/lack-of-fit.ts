import { incompleteBeta } from '../intervals/student-t.ts';

/** A measured point (x, y) with the curve's value at x. */
export interface FittedPoint {
  readonly x: number;
  readonly y: number;
  readonly fitted: number;
}

/**
 * Tests if a curve misses the means of repeated measurements by more than their scatter explains: the F test of lack of
 * fit (Draper & Smith 1998, Applied Regression Analysis, 2.1; NIST/SEMATECH e-Handbook, 4.4.4.6). `parameters` of the
 * curve were estimated from the same points.
 * @returns the probability of a miss as large by chance, or null where no x was measured twice or there are no more x
 * than parameters.
 */
export function lackOfFit(points: readonly FittedPoint[], parameters: number): number | null {
  const groups = new Map<number, FittedPoint[]>();
  for (const point of points) groups.set(point.x, [...(groups.get(point.x) ?? []), point]);
  const dfFit = groups.size - parameters;
  const dfError = points.length - groups.size;
  if (dfFit < 1 || dfError < 1) return null;
  let miss = 0;
  let error = 0;
  for (const group of groups.values()) {
    const average = group.reduce((sum, { y }) => sum + y, 0) / group.length;
    miss += group.length * (average - group[0]!.fitted) ** 2;
    error += group.reduce((sum, { y }) => sum + (y - average) ** 2, 0);
  }
  if (error === 0) return miss === 0 ? 1 : 0;
  const f = miss / dfFit / (error / dfError);
  // The upper tail of the F distribution (Abramowitz & Stegun 26.6.2).
  return incompleteBeta(dfError / (dfError + dfFit * f), dfError / 2, dfFit / 2);
}
