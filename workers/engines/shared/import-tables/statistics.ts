import type { ColumnStatistics, StatisticsValue } from '#engine-api/table-facts.ts';

/** Statistics that tell nothing but the number of different values. */
export const distinctAlone = (distinct: number): ColumnStatistics => ({
  nullShare: null,
  distinct,
  common: [],
  bounds: [],
  meanBytes: null,
  rowOrder: null,
});

/** A bucket of a histogram. The shares are of all rows. */
export interface Bucket {
  readonly low: StatisticsValue;
  readonly high: StatisticsValue;
  readonly share: number;
  /** Number of different values in it. */
  readonly distinct: number;
}

/** The most bounds of a histogram of equal shares. */
const mostBounds = 101;

/**
 * Frequent values and bounds of equal shares from buckets in ascending order. A bucket of one value is a frequent
 * value; the others are divided anew, in proportion between the ends of a bucket where these are numbers.
 */
export function fromBuckets(buckets: readonly Bucket[]): Pick<ColumnStatistics, 'common' | 'bounds' | 'distinct'> {
  const isAlone = ({ distinct }: Bucket) => distinct <= 1;
  const common = buckets
    .filter(isAlone)
    .map(({ low, share }) => ({ value: low, share }))
    .toSorted((a, b) => b.share - a.share);
  const spread = buckets.filter((bucket) => !isAlone(bucket) && bucket.share > 0);
  const distinct = buckets.reduce((sum, bucket) => sum + Math.max(1, Math.round(bucket.distinct)), 0);
  return { common, bounds: boundsOf(spread), distinct: buckets.length === 0 ? null : distinct };
}

function boundsOf(spread: readonly Bucket[]): readonly StatisticsValue[] {
  const [first] = spread;
  const last = spread.at(-1);
  if (first === undefined || last === undefined) return [];
  const total = spread.reduce((sum, { share }) => sum + share, 0);
  const bounds: StatisticsValue[] = [first.low];
  let before = 0;
  let at = 0;
  for (let i = 1; i < mostBounds - 1; i++) {
    const wanted = (i / (mostBounds - 1)) * total;
    while (at < spread.length - 1 && before + spread[at]!.share < wanted) before += spread[at++]!.share;
    const { low, high, share } = spread[at]!;
    const within = Math.min(1, Math.max(0, (wanted - before) / share));
    const isNumber = typeof low === 'number' && typeof high === 'number';
    bounds.push(isNumber ? low + within * (high - low) : within < 0.5 ? low : high);
  }
  bounds.push(last.high);
  return bounds;
}

/**
 * Frequent values and bounds from bounds of equal shares of the rows, in which a frequent value occurs several times: n
 * buckets between its occurrences are its own, and on average another half at each end.
 */
export function fromBounds(
  all: readonly StatisticsValue[],
  share: number,
): Pick<ColumnStatistics, 'common' | 'bounds'> {
  const buckets = Math.max(1, all.length - 1);
  const times = new Map<StatisticsValue, number>();
  for (const bound of all) times.set(bound, (times.get(bound) ?? 0) + 1);
  const common = [...times]
    .filter(([, count]) => count > 1)
    .map(([value, count]) => ({ value, share: (count / (buckets + 1)) * share }))
    .toSorted((a, b) => b.share - a.share);
  const frequent = new Set(common.map(({ value }) => value));
  return { common, bounds: all.filter((bound) => !frequent.has(bound)) };
}
