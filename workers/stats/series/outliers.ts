import { median } from '../intervals/summary.ts';

/** A value that differs more from the others than their scatter explains. */
interface Outlier {
  /** Position in the sample. */
  readonly at: number;
  readonly value: number;
  /** Modified z-score of its logarithm; positive above the median. */
  readonly score: number;
}

/** Scores beyond this mark an outlier (Iglewicz & Hoaglin 1993; NIST/SEMATECH e-Handbook 1.3.5.17). */
export const outlierScore = 3.5;
/** With fewer values, one or two of them determine the median absolute deviation. */
const leastForOutliers = 5;

/**
 * Outliers of positive rates by the modified z-score (Iglewicz & Hoaglin 1993), 0.6745 · (x − median) ÷ MAD, of their
 * logarithms, because rates scatter by per cent. None for fewer than five values, or where more than half of them are
 * equal, which leaves no scale.
 */
export function findOutliers(values: readonly number[]): readonly Outlier[] {
  if (values.length < leastForOutliers || !values.every((value) => value > 0)) return [];
  const logs = values.map(Math.log);
  const centre = median(logs);
  const spread = median(logs.map((log) => Math.abs(log - centre)));
  if (spread === 0) return [];
  return logs
    .map((log, at) => ({ at, value: values[at]!, score: (0.6745 * (log - centre)) / spread }))
    .filter(({ score }) => Math.abs(score) > outlierScore);
}
