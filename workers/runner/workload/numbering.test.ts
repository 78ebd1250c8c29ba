import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Numbering, numberDealt, numberRange, share } from './numbering.ts';

const rowsOf = (numbering: Numbering, calls = numbering.calls): number[] =>
  Array.from({ length: calls }, (_, call) =>
    Array.from({ length: numbering.rows(call) }, (_, i) => numbering.first(call) + i),
  ).flat();

const small = (min: number, max: number) => fc.integer({ min, max });

test('rows are split exactly over the workers and their calls', () => {
  fc.assert(
    fc.property(small(0, 2_000), small(1, 9), small(1, 300), (total, workers, rowsPerCall) => {
      const rows = Array.from({ length: workers }, (_, worker) => {
        const { start, end } = share(total, worker, workers);
        return rowsOf(numberRange(start, end, rowsPerCall));
      }).flat();
      expect(rows).toEqual(Array.from({ length: total }, (_, row) => row));
    }),
  );
});

test('dealt rows never meet, and leave no gap up to the shortest worker', () => {
  fc.assert(
    fc.property(small(1, 6), small(1, 50), small(1, 20), (workers, rowsPerCall, perBlock) => {
      const all = Array.from({ length: workers }, (_, worker) =>
        rowsOf(numberDealt(7, Number.POSITIVE_INFINITY, rowsPerCall, perBlock, worker, workers), perBlock * 2),
      ).flat();
      expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: all.length }, (_, i) => 7 + i));
    }),
  );
});

test('dealt rows with an end come to exactly that many', () => {
  fc.assert(
    fc.property(small(0, 700), small(1, 5), small(1, 30), small(1, 12), (end, workers, rowsPerCall, perBlock) => {
      const all = Array.from({ length: workers }, (_, worker) =>
        rowsOf(numberDealt(0, end, rowsPerCall, perBlock, worker, workers)),
      ).flat();
      expect(all.sort((a, b) => a - b)).toEqual(Array.from({ length: end }, (_, i) => i));
    }),
  );
});
