import { expect, test } from 'vitest';
import { createCollections } from './collections.ts';

/** A collection as RavenDB 7.2 tells it, without the members that are not read. */
const collection = (index: number, heapBytes: number, ...pauses: readonly string[]) => ({
  Generation: 1,
  HeapSizeBytes: heapBytes,
  Index: index,
  PauseDurations: pauses,
  PauseTimePercentage: 0.21,
});
const none = collection(0, 0, '00:00:00', '00:00:00');

test('pauses are added up from the second answer on, each once', () => {
  const read = createCollections();
  const first = { Any: none, Background: none, Ephemeral: collection(7, 900, '00:00:00.0100000'), FullBlocking: none };
  expect(read(first)).toEqual({
    counters: { gc_collections: 7, gc_pauses: 0 },
    gauges: { gc_longest_pause: 0, gc_heap_bytes: 900 },
  });
  const second = { ...first, FullBlocking: collection(9, 500, '00:00:00.2500000', '00:00:00') };
  const both = { ...second, Ephemeral: collection(8, 700, '00:00:00.0025000') };
  expect(read(both)).toEqual({
    counters: { gc_collections: 9, gc_pauses: 252.5 },
    gauges: { gc_longest_pause: 250, gc_heap_bytes: 500 },
  });
  expect(read(both)).toEqual({
    counters: { gc_collections: 9, gc_pauses: 252.5 },
    gauges: { gc_longest_pause: 0, gc_heap_bytes: 500 },
  });
});

test('a background collection that ends after later ones counts, with both of its pauses', () => {
  const read = createCollections();
  const before = { Background: collection(4, 800), Ephemeral: collection(12, 900), FullBlocking: none };
  read(before);
  const after = { ...before, Background: collection(10, 600, '00:00:00.0040000', '00:00:00.0060000') };
  expect(read(after)).toEqual({
    counters: { gc_collections: 12, gc_pauses: 10 },
    gauges: { gc_longest_pause: 10, gc_heap_bytes: 900 },
  });
});

test.each([
  [null],
  [{}],
  [{ Ephemeral: null }],
  [{ Ephemeral: { Index: '7', HeapSizeBytes: 1, PauseDurations: [] } }],
  [{ Ephemeral: { Index: 7, HeapSizeBytes: 1, PauseDurations: 'none' } }],
])('an answer of another form tells nothing: %j', (answer) => {
  expect(createCollections()(answer)).toBeNull();
});
