import { confidence } from './intervals.ts';
import { incompleteBeta, tQuantile } from './student-t.ts';

/** The quantile of the normal distribution for 95 % between two bounds. */
const usualZ = 1.959964;
/** Student's t is the normal distribution. */
const manyDegrees = 1e7;
/** … and above one. */
const oneSided = 1.644854;

/** The interval of a share (0…1) that was counted among so many (Wilson 1927), 95 % by default; of none: everything. */
export function shareInterval(
  share: number,
  of: number,
  level = confidence,
): { readonly low: number; readonly high: number } {
  if (of <= 0) return { low: 0, high: 1 };
  const z = level === confidence ? usualZ : tQuantile((1 + level) / 2, manyDegrees);
  const centre = (share + (z * z) / (2 * of)) / (1 + (z * z) / of);
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  // These bounds are exact: the difference of two floating-point numbers would exclude a share of 0.
  return { low: share <= 0 ? 0 : Math.max(0, centre - half), high: share >= 1 ? 1 : Math.min(1, centre + half) };
}

/** The observations of one sample: `count` of `of`. */
interface ShareSample {
  readonly count: number;
  readonly of: number;
}

/**
 * The number of independent observations that say as much as these samples, whose observations may depend on each
 * other: 16 sessions that wait for one lock at a time are hardly more than one. It is the number of observations
 * divided by the design effect, the variance of the ratio between samples over that of independent observations (Kish
 * 1965; Cochran 1977, 6.3), if this is above the 95 % limit of chance.
 */
export function effectiveCount(samples: readonly ShareSample[]): number {
  const seen = samples.filter(({ of }) => of > 0);
  const of = seen.reduce((sum, one) => sum + one.of, 0);
  const share = seen.reduce((sum, { count }) => sum + count, 0) / of;
  if (seen.length < 2 || share <= 0 || share >= 1) return of;
  const freedom = seen.length - 1;
  const squares = seen.reduce((sum, one) => sum + (one.count - share * one.of) ** 2, 0);
  const effect = ((seen.length / freedom) * squares) / (of * share * (1 - share));
  return effect > 1 + oneSided * Math.sqrt(2 / freedom) ? of / effect : of;
}

/**
 * True if a share is at least `bound` with 95 % confidence, one-sided: by the exact interval of Clopper & Pearson 1934,
 * with the effective number of observations (Korn & Graubard 1998).
 */
export function isShareAtLeast(bound: number, share: number, effective: number): boolean {
  const count = share * effective;
  return count > 0 && incompleteBeta(bound, count, effective - count + 1) <= 0.05;
}
