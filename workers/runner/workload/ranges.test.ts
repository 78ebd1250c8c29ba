import { describe, expect, test } from 'vitest';
import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { createGenerator } from '../generator/generator.ts';
import { createRanges } from './ranges.ts';

const rows = 40_000;
const day = 86_400_000_000;
const columns: Readonly<Record<string, ColumnSpec>> = {
  id: { type: 'sequence', start: 5, nulls: 0 },
  at: { type: 'timestamp', from: '2020-01-01', to: '2026-01-01', nulls: 0.25 },
  skewed: { type: 'integer', min: 0, max: 1_000_000, distribution: 'exponential', nulls: 0 },
  later: { type: 'delayed', of: 'at', medianHours: 24, spread: 1, nulls: 0 },
};
const dataset = { rows, seed: 3, columns };
const generator = createGenerator(dataset);
const numbers = Float64Array.from({ length: rows }, (_, row) => row);

function matches(column: string, low: number, high: number): number {
  const { values, nulls } = generator.numbers(column, numbers);
  return values.reduce((sum, value, r) => sum + (nulls?.[r] !== 1 && value >= low && value < high ? 1 : 0), 0);
}

describe.each(Object.keys(columns))('%s', (column) => {
  test.each([200, 4_000])('ranges hold about %d rows, wherever they begin', (rangeRows) => {
    const ranges = createRanges(dataset, generator, column, rows, rangeRows);
    // Five times the deviation of a Poisson count, and what a sample of half of the rows leaves open at such a share.
    const off = 5 * Math.sqrt(2 * rangeRows);
    for (const part of [0, 0.1, 0.37, 0.5, 0.99, 1]) {
      const { low, high } = ranges.at(part);
      expect(high).toBeGreaterThan(low);
      const found = matches(column, low, high);
      expect(found, `at ${part}`).toBeGreaterThan(rangeRows - off);
      expect(found, `at ${part}`).toBeLessThan(rangeRows + off);
    }
  });

  test('one over all rows leaves none out', () => {
    const { low, high } = createRanges(dataset, generator, column, rows, rows).at(0.5);
    const { values, nulls } = generator.numbers(column, numbers);
    const known = values.filter((_, r) => nulls?.[r] !== 1);
    // The ends of a sample differ from the ends of all rows.
    expect(matches(column, low, high) / known.length).toBeGreaterThan(0.999);
  });
});

test('the same ranges come out again, and bounds are whole numbers', () => {
  const [one, other] = [1, 2].map(() => createRanges(dataset, createGenerator(dataset), 'later', rows, 100));
  for (const part of [0, 0.3, 1]) {
    expect(one!.at(part)).toEqual(other!.at(part));
    expect(Number.isInteger(one!.at(part).low)).toBe(true);
  }
});

test('a range of times is a span of time', () => {
  const { low, high } = createRanges(dataset, generator, 'at', rows, 3_000).at(0);
  expect(low).toBe(Date.UTC(2020, 0, 1) * 1_000);
  expect((high - low) / day).toBeCloseTo(219.2, 1);
});
