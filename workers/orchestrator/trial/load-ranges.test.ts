import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadRanges } from './load-ranges.ts';

const engine = { loadsInParallel: true } as const;
const variant = (processes: number, loadFrom = 'local', connections = 64) => ({ processes, loadFrom, connections });
const countOf = (
  variants: readonly ReturnType<typeof variant>[],
  rows = 1_000_000,
  on: typeof engine | object = engine,
) => loadRanges(on, variants, rows).length;

test('the ranges follow each other over all rows, and are alike in size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 1, max: 64 }), (rows, processes) => {
      const ranges = loadRanges(engine, [variant(processes)], rows);
      expect(ranges[0]?.first).toBe(0);
      expect(ranges.at(-1)?.end).toBe(rows);
      for (const [i, { first }] of ranges.slice(1).entries()) expect(first).toBe(ranges[i]?.end);
      const sizes = ranges.map(({ first, end }) => end - first);
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }),
    { numRuns: 200 },
  );
});

test('there are as many as processes or load hosts, where there are rows enough for each', () => {
  expect(countOf([variant(1)])).toBe(1);
  expect(countOf([variant(4)])).toBe(4);
  expect(countOf([variant(2, 'local, load1, load2')])).toBe(3);
  expect(countOf([variant(8)], 249_999)).toBe(1);
  expect(countOf([variant(8)], 250_000)).toBe(2);
});

test('an engine that does not load in parallel loads in one piece', () => {
  expect(countOf([variant(4)], 1_000_000, {})).toBe(1);
});

test('all variants have as many: the most that each has processes for, and not more than a trial has sessions', () => {
  expect(countOf([variant(4), variant(2), variant(8)])).toBe(2);
  expect(countOf([variant(2, 'load1, load2, load3'), variant(2)])).toBe(2);
  expect(countOf([variant(4, 'local', 1), variant(4, 'local', 16)])).toBe(4);
  expect(countOf([variant(8, 'local', 3)])).toBe(3);
});
