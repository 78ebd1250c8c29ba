import type { ProbeSample } from '#engine-api/probe.ts';
import { isMapping } from '#model/is-mapping.ts';
import { timeSpanMs } from './probe-info.ts';

/**
 * The latest garbage collection of each kind, in /admin/debug/memory/gc (System.GCMemoryInfo). The server has one
 * number for all collections, and does not tell when they were.
 */
const kinds = ['Ephemeral', 'Background', 'FullBlocking'] as const;

/** A collection: its number since the server started, its pauses, and the heap after it. */
interface Collection {
  readonly index: number;
  readonly pauseMs: number;
  readonly heapBytes: number;
}

/**
 * Reads the answers one after the other. Of several collections of one kind between two answers, the server tells the
 * pause of the last one only, so the sum of pauses is a lower bound. Null: the server does not tell in this form.
 */
export function createCollections(): (answer: unknown) => Pick<ProbeSample, 'counters' | 'gauges'> | null {
  let before: ReadonlyMap<string, number> | null = null;
  let collections = 0;
  let pausesMs = 0;
  return (answer) => {
    const latest = kinds.flatMap((kind) => {
      const found = collectionOf(isMapping(answer) ? answer[kind] : null);
      return found ? [{ kind, ...found }] : [];
    });
    if (latest.length === 0) return null;
    const known = before;
    const added = known === null ? [] : latest.filter(({ kind, index }) => index !== known.get(kind));
    before = new Map(latest.map(({ kind, index }) => [kind, index]));
    // A background collection ends after later ones of the other kind.
    const newest = latest.reduce((a, b) => (b.index > a.index ? b : a));
    collections = Math.max(collections, newest.index);
    pausesMs += added.reduce((sum, { pauseMs }) => sum + pauseMs, 0);
    return {
      counters: { gc_collections: collections, gc_pauses: pausesMs },
      gauges: {
        gc_longest_pause: Math.max(0, ...added.map(({ pauseMs }) => pauseMs)),
        gc_heap_bytes: newest.heapBytes,
      },
    };
  };
}

/** Null: there was no collection of the kind so far, or the answer has another form. */
function collectionOf(told: unknown): Collection | null {
  if (!isMapping(told)) return null;
  const { Index: index, HeapSizeBytes: heapBytes, PauseDurations: pauses } = told;
  if (typeof index !== 'number' || typeof heapBytes !== 'number' || !Array.isArray(pauses)) return null;
  return { index, heapBytes, pauseMs: pauses.reduce<number>((sum, pause) => sum + (timeSpanMs(pause) ?? 0), 0) };
}
