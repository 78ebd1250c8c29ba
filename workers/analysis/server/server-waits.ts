import type { ProbeInfo } from '#engine-api/probe.ts';
import type { TrialView } from '../run-model/run-model.ts';
import { sampledWaits, sumOf } from './server-time.ts';

/** One kind of wait over the good repeats of a cell. */
export interface ServerWait {
  /** The server's own name of the wait and of its class. */
  readonly name: string;
  readonly class: string;
  /** Null: samples do not count waits. */
  readonly count: number | null;
  readonly totalMs: number;
  /** The longest wait, or an upper bound of it. Null: the server does not tell. */
  readonly longest: { readonly ms: number; readonly isBound: boolean } | null;
  /** The waits up to each time in ms, above the time before; ascending. Empty: the server has no histogram. */
  readonly buckets: readonly (readonly [upToMs: number, count: number])[];
}

/**
 * The waits of a server over the measured phases of a cell, without idle ones. counted: the whole server's own counts
 * and times. sampled: the time that the run's sessions were seen in a wait, once a second.
 */
export interface ServerWaits {
  readonly method: 'counted' | 'sampled';
  /** All waits, those included that are not listed. */
  readonly totalMs: number;
  readonly kinds: number;
  /** The longest time first. */
  readonly most: readonly ServerWait[];
}

/** Waits over trials of one cell; null: the server told none. */
export function serverWaitsOf(
  infos: Readonly<Record<string, ProbeInfo>>,
  views: readonly TrialView[],
  connections?: number,
): ServerWaits | null {
  const counted = views.flatMap(({ result }) => (result?.waits?.most.length ? result.waits : []));
  if (counted.length === 0) return sampledOf(sampledWaits(infos, views, connections));
  const merged = Map.groupBy(
    counted.flatMap(({ most }) => most),
    ({ name }) => name,
  );
  const most = [...merged.values()].map((own): ServerWait => {
    const [{ name, class: of }] = own as [(typeof own)[number]];
    return {
      name,
      class: of,
      count: sumOf(own.map(({ count }) => count)),
      totalMs: sumOf(own.map(({ totalMs }) => totalMs)),
      longest: longestOf(own),
      buckets: mergedBuckets(own.flatMap(({ buckets = [] }) => buckets)),
    };
  });
  return {
    method: 'counted',
    totalMs: sumOf(counted.map(({ totalMs }) => totalMs)),
    kinds: Math.max(most.length, ...counted.map(({ kinds }) => kinds)),
    most: most.toSorted((a, b) => b.totalMs - a.totalMs),
  };
}

/** Null if one repeat does not tell. A bound above all known waits is the bound of all. */
function longestOf(
  own: readonly { readonly longestMs: number | null; readonly isBound?: true }[],
): ServerWait['longest'] {
  const known = own.flatMap(({ longestMs, isBound = false }) =>
    longestMs === null ? [] : [{ ms: longestMs, isBound }],
  );
  if (known.length < own.length) return null;
  return known.toSorted((a, b) => b.ms - a.ms || Number(a.isBound) - Number(b.isBound))[0] ?? null;
}

/** A damaged file may have bounds of 0 or less, which no log axis has. */
function mergedBuckets(all: ServerWait['buckets']): ServerWait['buckets'] {
  const counts = new Map<number, number>();
  for (const [upToMs, count] of all) if (upToMs > 0) counts.set(upToMs, (counts.get(upToMs) ?? 0) + count);
  return [...counts].toSorted(([a], [b]) => a - b);
}

function sampledOf(parts: ReturnType<typeof sampledWaits>): ServerWaits | null {
  if (parts.length === 0) return null;
  const most = parts.map(({ label, ms }): ServerWait => {
    const [of = '', ...name] = label.split(':');
    return { name: name.join(':'), class: of, count: null, totalMs: ms, longest: null, buckets: [] };
  });
  return {
    method: 'sampled',
    totalMs: sumOf(most.map(({ totalMs }) => totalMs)),
    kinds: most.length,
    most: most.toSorted((a, b) => b.totalMs - a.totalMs),
  };
}
