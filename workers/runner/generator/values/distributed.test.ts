import { describe, expect, test } from 'vitest';
import { countsBetween, misfit } from './chi-square.fixture.ts';
import { valuesOfColumn } from './generate.fixture.ts';

const rows = 50_000;
const numbers = (spec: Readonly<Record<string, unknown>>, seed?: number) =>
  valuesOfColumn(spec, rows, seed).map(Number);
const ranks = (n: number, exponent: number): number[] => {
  const weights = Array.from({ length: n }, (_, r) => (r + 1) ** -exponent);
  const total = weights.reduce((a, b) => a + b);
  return weights.map((weight) => (rows * weight) / total);
};
const unitBounds = (n: number) => Array.from({ length: n + 1 }, (_, i) => i);

describe('numbers follow their distribution (chi-square, 0.999 quantile)', () => {
  test.each([0.5, 0.99, 1, 2])('zipf with exponent %f', (exponent) => {
    const drawn = numbers({ type: 'integer', min: 0, max: 19, distribution: 'zipf', exponent });
    expect(misfit(countsBetween(drawn, unitBounds(20)), ranks(20, exponent))).toBeLessThan(1);
  });

  test('zipf over more values than any table could hold', () => {
    const n = 2 ** 50;
    const drawn = numbers({ type: 'integer', min: 1, max: n, distribution: 'zipf', exponent: 1 });
    // The first ranks’ shares: 1 / r of the harmonic sum, ln n + γ.
    const sum = Math.log(n) + 0.5772156649;
    const expected = [1, 2, 3, 4, 5].map((rank) => rows / rank / sum);
    const counts = countsBetween(drawn, [1, 2, 3, 4, 5, 6]);
    const rest = (all: readonly number[]) => rows - all.reduce((a, b) => a + b);
    expect(misfit([...counts, rest(counts)], [...expected, rest(expected)])).toBeLessThan(1);
    expect(Math.max(...drawn)).toBeGreaterThan(2 ** 45);
  });

  test('normal, cut off at its range', () => {
    const drawn = numbers({
      type: 'integer',
      min: 0,
      max: 9_999,
      distribution: 'normal',
      mean: 3_000,
      deviation: 2_000,
    });
    const bounds = [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 8_000, 10_000];
    // Computes Φ by Simpson's rule, which is slow and obvious.
    const density = (x: number) => Math.exp(-0.5 * ((x - 3_000) / 2_000) ** 2);
    const area = (from: number, to: number) => {
      const steps = 2_000;
      const h = (to - from) / steps;
      let sum = density(from) + density(to);
      for (let i = 1; i < steps; i++) sum += (i % 2 === 1 ? 4 : 2) * density(from + i * h);
      return (sum * h) / 3;
    };
    const whole = area(-0.5, 9_999.5);
    const expected = bounds.slice(1).map((to, i) => (rows * area(bounds[i]! - 0.5, to - 0.5)) / whole);
    expect(misfit(countsBetween(drawn, bounds), expected)).toBeLessThan(1);
    expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
  });

  test('exponential, cut off at its range', () => {
    const drawn = numbers({
      type: 'decimal',
      precision: 6,
      scale: 2,
      min: 5,
      max: 105,
      distribution: 'exponential',
      mean: 25,
    });
    const bounds = [5, 15, 25, 45, 65, 85, 105.01];
    const cumulated = (x: number) => -Math.expm1(-(x - 5) / 20) / -Math.expm1(-100.01 / 20);
    const expected = bounds.slice(1).map((to, i) => rows * (cumulated(to) - cumulated(bounds[i]!)));
    expect(misfit(countsBetween(drawn, bounds), expected)).toBeLessThan(1);
  });

  test('a uniform range with its own ends', () => {
    const drawn = numbers({ type: 'decimal', precision: 4, scale: 1, min: -0.5, max: 0.5 });
    const tenths = drawn.map((value) => Math.round(value * 10) + 5);
    expect(misfit(countsBetween(tenths, unitBounds(11)), new Array(11).fill(rows / 11))).toBeLessThan(1);
  });

  test('timestamps gather in the middle', () => {
    const spec = { type: 'timestamp', from: '2024-01-01', to: '2024-01-07', distribution: 'normal' };
    const days = valuesOfColumn(spec, rows).map((at) => Number(String(at).slice(8, 10)));
    // One day is one deviation: the shares of a normal distribution within three deviations.
    const shares = [0.0214, 0.1359, 0.3413, 0.3413, 0.1359, 0.0214].map((share) => (share / 0.9972) * rows);
    expect(misfit(countsBetween(days, [1, 2, 3, 4, 5, 6, 7]), shares)).toBeLessThan(1);
  });
});

test('a misfit is seen', () => {
  const drawn = numbers({ type: 'integer', min: 0, max: 19, distribution: 'zipf', exponent: 1.05 });
  expect(misfit(countsBetween(drawn, unitBounds(20)), ranks(20, 1))).toBeGreaterThan(1);
});

describe('values of a list', () => {
  const share = (values: readonly unknown[], of: string) => values.filter((value) => value === of).length;

  test('have the weights that are written', () => {
    const drawn = valuesOfColumn({ type: 'oneOf', values: ['a', 'b', 'never', 'c'], weights: [5, 2, 0, 1] }, rows);
    const counts = ['a', 'b', 'c'].map((name) => share(drawn, name));
    expect(
      misfit(
        counts,
        [5 / 8, 2 / 8, 1 / 8].map((part) => part * rows),
      ),
    ).toBeLessThan(1);
    expect(share(drawn, 'never')).toBe(0);
  });

  test('are whole numbers where the list has numbers', () => {
    const drawn = valuesOfColumn({ type: 'oneOf', values: [10, -3], weights: [3, 1] }, rows).map(Number);
    const counts = [10, -3].map((value) => drawn.filter((one) => one === value).length);
    expect(misfit(counts, [0.75 * rows, 0.25 * rows])).toBeLessThan(1);
    expect(counts[0]! + counts[1]!).toBe(rows);
  });

  test('come in the order of their frequency under zipf', () => {
    const values = ['one', 'two', 'three', 'four'];
    const drawn = valuesOfColumn({ type: 'oneOf', values, distribution: 'zipf', exponent: 1 }, rows);
    expect(
      misfit(
        values.map((name) => share(drawn, name)),
        ranks(4, 1),
      ),
    ).toBeLessThan(1);
  });

  test('are made up where only their number is given', () => {
    const drawn = valuesOfColumn({ type: 'oneOf', count: 12 }, 5_000).map(String);
    expect(new Set(drawn).size).toBe(12);
    expect(drawn.every((name) => /^[A-Z][a-z]{0,13}$/.test(name))).toBe(true);
  });
});
