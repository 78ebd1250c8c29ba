import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createKeyChoice } from './key-choice.ts';
import { createPermutation } from './permutation.ts';

test('a permutation visits every row once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3_000 }), fc.nat(), (n, seed) => {
      const order = createPermutation(n, seed, 0);
      const seen = new Set(Array.from({ length: n }, (_, position) => order(position)));
      expect(seen.size).toBe(n);
      expect(Math.min(...seen)).toBe(0);
      expect(Math.max(...seen)).toBe(n - 1);
    }),
    { numRuns: 60 },
  );
});

test('a permutation stays inside ten billion rows', () => {
  const order = createPermutation(10_000_000_000, 3, 0);
  const values = Array.from({ length: 2_000 }, (_, position) => order(position));
  expect(values.every((value) => Number.isSafeInteger(value) && value >= 0 && value < 1e10)).toBe(true);
  expect(new Set(values).size).toBe(2_000);
});

describe('key choice', () => {
  const draws = (choice: 'uniform' | 'zipf' | 'hotSet', rows: number, count: number, stream = 0) => {
    const keys = new Float64Array(count);
    const chooser = createKeyChoice(choice, rows, 11, stream);
    for (let i = 0; i < count; i++) chooser.choose(keys, i, 1);
    return keys;
  };
  const frequencies = (keys: Float64Array): number[] => {
    const counts = new Map<number, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    return [...counts.values()].sort((a, b) => b - a);
  };

  test('uniform reaches all rows about equally', () => {
    const counts = frequencies(draws('uniform', 100, 100_000));
    expect(counts.length).toBe(100);
    expect(counts[0]! / counts[99]!).toBeLessThan(1.4);
  });

  test('hotSet sends four fifths of the calls to a fifth of the rows', () => {
    const counts = frequencies(draws('hotSet', 1_000, 100_000));
    const hot = counts.slice(0, 200).reduce((a, b) => a + b) / 100_000;
    expect(hot).toBeGreaterThan(0.78);
    expect(hot).toBeLessThan(0.82);
  });

  test('zipf has few favourites, the same for every worker but not in one place', () => {
    const keys = draws('zipf', 10_000, 50_000);
    const favourite = (all: Float64Array) => {
      const counts = new Map<number, number>();
      for (const key of all) counts.set(key, (counts.get(key) ?? 0) + 1);
      return [...counts]
        .sort((a, b) => b[1] - a[1])
        .slice(0, 2)
        .map(([key]) => key);
    };
    const [first, second] = favourite(keys);
    expect(favourite(draws('zipf', 10_000, 50_000, 1))[0]).toBe(first);
    expect(Math.abs(first! - second!)).toBeGreaterThan(1);
    const top = frequencies(keys);
    expect(top[0]! / 50_000).toBeGreaterThan(0.08);
  });

  test('the keys of one call are all different, even if it asks for all there are', () => {
    for (const choice of ['uniform', 'zipf', 'hotSet'] as const) {
      const keys = new Float64Array(52).fill(-1);
      createKeyChoice(choice, 50, 1, 0).choose(keys, 1, 50);
      expect(new Set(keys.subarray(1, 51)).size).toBe(50);
      expect([keys[0], keys[51]]).toEqual([-1, -1]);
    }
  });

  test('workers draw different keys', () => {
    expect([...draws('uniform', 1e6, 20, 0)]).not.toEqual([...draws('uniform', 1e6, 20, 1)]);
  });
});
