import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { keyIndex, tableColumns, tableIndexes } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { loadRanges } from './load-ranges.ts';

const engine = { loadsInParallel: true } as const;
const variant = (processes: number, loadFrom = 'local', connections = 64) => ({ processes, loadFrom, connections });
const random: Dataset = { rows: 1, seed: 1, key: 'id', columns: { id: { type: 'uuid4', nulls: 0 } } };
const tableOf = (dataset: Dataset) => ({
  columns: tableColumns(dataset),
  key: keyIndex(dataset),
  indexes: tableIndexes(dataset, 't', 'postgres'),
});
const rangesOf = (variants: readonly ReturnType<typeof variant>[], rows = 2_000_000, dataset = random) =>
  loadRanges(engine, dataset, tableOf(dataset), variants, rows);
const countOf = (...what: Parameters<typeof rangesOf>) => rangesOf(...what).length;

test('the ranges follow each other over all rows, and are alike in size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e12 }), fc.integer({ min: 1, max: 64 }), (rows, processes) => {
      const ranges = rangesOf([variant(processes)], rows);
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
  expect(countOf([variant(8)], 399_999)).toBe(1);
  expect(countOf([variant(8)], 400_000)).toBe(2);
});

test('an engine that does not load in parallel loads in one piece', () => {
  expect(loadRanges({}, random, tableOf(random), [variant(4)], 2_000_000)).toHaveLength(1);
});

test('all variants have as many: the most that each has processes for, and not more than a trial has sessions', () => {
  expect(countOf([variant(4), variant(2), variant(8)])).toBe(2);
  expect(countOf([variant(2, 'load1, load2, load3'), variant(2)])).toBe(2);
  expect(countOf([variant(4, 'local', 1), variant(4, 'local', 16)])).toBe(4);
  expect(countOf([variant(8, 'local', 3)])).toBe(3);
});

test('rows that a key or an index keeps in their order are loaded in one piece', () => {
  const ordered = (spec: ColumnSpec) => countOf([variant(4)], 2_000_000, { ...random, columns: { id: spec } }) === 1;
  expect(ordered({ type: 'sequence', start: 1, nulls: 0 })).toBe(true);
  expect(ordered({ type: 'uuid7', nulls: 0 })).toBe(true);
  expect(ordered({ type: 'code', pattern: '########', nulls: 0 })).toBe(false);
  const number = { type: 'sequence', start: 1, nulls: 0 } as const;
  const twice = { type: 'correlated', of: 'number', factor: 2, plus: 0, precision: 15, scale: 0, nulls: 0 } as const;
  const columns = { id: random.columns.id!, number, twice };
  const indexed = (column: string): Pick<Dataset, 'columns' | 'indexes'> => ({
    columns,
    indexes: [{ columns: [column], unique: false, kind: 'btree', visible: true }],
  });
  expect(countOf([variant(4)], 2_000_000, { ...random, columns })).toBe(4);
  expect(countOf([variant(4)], 2_000_000, { ...random, ...indexed('number') })).toBe(1);
  expect(countOf([variant(4)], 2_000_000, { ...random, ...indexed('twice') })).toBe(1);
  const noIndex = { ...tableOf({ ...random, ...indexed('number') }), indexes: [] };
  expect(loadRanges(engine, { columns }, noIndex, [variant(4)], 2_000_000)).toHaveLength(4);
});
