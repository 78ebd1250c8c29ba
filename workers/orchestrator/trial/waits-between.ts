import type { WaitBucket, WaitTotal } from '#engine-api/waits.ts';
import type { TrialWaits } from '#protocol/measurement.ts';

/** The most waits that a trial keeps; a server has hundreds of kinds, most of them without time. */
const mostWaits = 50;
/** Histograms of servers have a bucket for each power of two: 64 at most. */
const mostBuckets = 64;

type TrialWait = TrialWaits['most'][number];

/**
 * The waits between two readings of their totals. A wait whose totals went back (restart, statistics reset) is left
 * out.
 */
export function waitsBetween(before: readonly WaitTotal[], after: readonly WaitTotal[]): TrialWaits {
  const earlier = new Map(before.map((wait) => [wait.name, wait]));
  const all = after.flatMap((wait): readonly TrialWait[] => {
    const from = earlier.get(wait.name);
    const count = wait.count - (from?.count ?? 0);
    const totalMs = (wait.totalUs - (from?.totalUs ?? 0)) / 1_000;
    if (!(count > 0) || !(totalMs >= 0)) return [];
    const buckets = bucketsBetween(from?.buckets ?? [], wait.buckets ?? []);
    return [
      {
        ...{ name: wait.name, class: wait.class, count, totalMs },
        ...longestOf(from?.longestUs ?? 0, wait.longestUs, buckets),
        ...(buckets.length > 0 && { buckets: buckets.map(([upToUs, waits]): WaitBucket => [upToUs / 1_000, waits]) }),
      },
    ];
  });
  return {
    totalMs: all.reduce((sum, { totalMs }) => sum + totalMs, 0),
    kinds: all.length,
    most: all.toSorted((a, b) => b.totalMs - a.totalMs || b.count - a.count).slice(0, mostWaits),
  };
}

function bucketsBetween(before: readonly WaitBucket[], after: readonly WaitBucket[]): readonly WaitBucket[] {
  const earlier = new Map(before);
  return after
    .flatMap(([upToUs, count]): readonly WaitBucket[] => {
      const waits = count - (earlier.get(upToUs) ?? 0);
      return waits > 0 && upToUs > 0 ? [[upToUs, waits]] : [];
    })
    .toSorted(([a], [b]) => a - b)
    .slice(0, mostBuckets);
}

/**
 * The longest wait. A server keeps the longest since its start: if it has grown, this wait was within the two readings;
 * if not, no wait was longer. A histogram tells the bound of the last bucket that has filled.
 */
function longestOf(
  beforeUs: number,
  afterUs: number | null,
  buckets: readonly WaitBucket[],
): Pick<TrialWait, 'longestMs' | 'isBound'> {
  if (afterUs !== null && afterUs > beforeUs) return { longestMs: afterUs / 1_000 };
  const bounds = [afterUs, buckets.at(-1)?.[0] ?? null].filter((us) => us !== null);
  return bounds.length === 0 ? { longestMs: null } : { longestMs: Math.min(...bounds) / 1_000, isBound: true };
}
