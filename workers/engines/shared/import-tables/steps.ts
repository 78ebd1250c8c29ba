import type { ColumnStatistics, StatisticsValue } from '#engine-api/table-facts.ts';
import { type Bucket, fromBuckets } from './statistics.ts';

/** A step of a histogram: the rows of a value, and those between it and the value of the step before. */
export interface HistogramStep {
  readonly value: StatisticsValue;
  /** Rows of the value itself. */
  readonly equal: number;
  /** Rows above the value of the step before and below this one, and their different values. */
  readonly between: number;
  readonly betweenDistinct: number;
}

/** A value is frequent if it has so many times the rows of the usual one. */
const frequentBy = 1.25;

/**
 * Frequent values, bounds and the number of different values from the steps of a histogram in ascending order. The
 * value of a step that is no frequent one belongs to the rows below it. `rows`: all rows, nulls included. `distinct`:
 * the number of different values; default: that of the steps.
 */
export function fromSteps(
  steps: readonly HistogramStep[],
  rows: number,
  distinct?: number,
): Pick<ColumnStatistics, 'common' | 'bounds' | 'distinct'> {
  const all = steps.reduce((sum, { equal, between }) => sum + equal + between, 0);
  const different = distinct ?? steps.reduce((sum, { betweenDistinct }) => sum + 1 + betweenDistinct, 0);
  const usual = all / Math.max(1, different);
  const isWhole = steps.every(({ between }) => between === 0);
  const buckets: Bucket[] = [];
  const share = (count: number) => count / Math.max(1, rows);
  for (const [i, { value, equal, between, betweenDistinct }] of steps.entries()) {
    const isFrequent = isWhole || equal > frequentBy * usual;
    const low = steps[i - 1]?.value ?? value;
    const [count, values] = isFrequent ? [between, betweenDistinct] : [between + equal, betweenDistinct + 1];
    // A bucket of one value would be a frequent one.
    if (count > 0) buckets.push({ low, high: value, share: share(count), distinct: Math.max(2, values) });
    if (isFrequent) buckets.push({ low: value, high: value, share: share(equal), distinct: 1 });
  }
  return { ...fromBuckets(buckets), distinct: steps.length === 0 ? null : Math.round(different) };
}
