import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Settings } from '#model/settings/settings.ts';
import { createPermutation } from '../generator/permutation.ts';
import { createKeyChoice } from './key-choice.ts';

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
  const draws = (choice: Settings['keyDistribution'], rows: number, count: number, firstCall = 0) => {
    const keys = new Float64Array(count);
    const chooser = createKeyChoice(choice, rows, 11);
    for (let i = 0; i < count; i++) chooser.choose(firstCall + i, keys, i, 1);
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

  test('hotspot sends four fifths of the calls to a fifth of the rows', () => {
    const counts = frequencies(draws('hotspot', 1_000, 100_000));
    const hot = counts.slice(0, 200).reduce((a, b) => a + b) / 100_000;
    expect(hot).toBeGreaterThan(0.78);
    expect(hot).toBeLessThan(0.82);
  });

  test('latest prefers the last row, and of others the later ones', () => {
    const keys = draws('latest', 1_000, 50_000);
    const share = (from: number, to: number) => keys.filter((key) => key >= from && key < to).length / keys.length;
    // 1 ÷ the sum of r^−0.99 over a thousand ranks.
    expect(share(999, 1_000)).toBeCloseTo(0.13, 2);
    expect(share(998, 999)).toBeCloseTo(0.065, 2);
    expect(share(900, 1_000)).toBeGreaterThan(0.65);
    expect(share(0, 100)).toBeGreaterThan(0.005);
  });

  test('zipf has few favourites, the same for all calls but not in one place', () => {
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
    expect(favourite(draws('zipf', 10_000, 50_000, 1e9))[0]).toBe(first);
    expect(Math.abs(first! - second!)).toBeGreaterThan(1);
    const top = frequencies(keys);
    expect(top[0]! / 50_000).toBeGreaterThan(0.08);
  });

  test('the keys of one call are all different, even if it asks for all there are', () => {
    for (const choice of ['uniform', 'zipf', 'hotspot'] as const) {
      const keys = new Float64Array(52).fill(-1);
      createKeyChoice(choice, 50, 1).choose(0, keys, 1, 50);
      expect(new Set(keys.subarray(1, 51)).size).toBe(50);
      expect([keys[0], keys[51]]).toEqual([-1, -1]);
    }
  });

  test('calls draw different keys, and a call the same ones whenever it is made', () => {
    const seen = new Set(draws('uniform', 1e15, 20_000));
    expect(seen.size).toBe(20_000);
    for (const choice of ['uniform', 'zipf', 'hotspot'] as const) {
      const chooser = createKeyChoice(choice, 1_000, 11);
      const keysOf = (call: number) => {
        const keys = new Float64Array(30);
        chooser.choose(call, keys, 0, 30);
        return [...keys];
      };
      const before = [0, 1, 2 ** 40].map(keysOf);
      expect([2 ** 40, 1, 0].map(keysOf).toReversed()).toEqual(before);
      expect(before[0]).not.toEqual(before[1]);
    }
  });

  test('neighbouring calls are independent of each other', () => {
    const keys = draws('uniform', 10, 100_000);
    const pairs = new Map<number, number>();
    for (let i = 1; i < keys.length; i++) {
      const pair = keys[i - 1]! * 10 + keys[i]!;
      pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
    }
    // Pearson's statistic over 100 pairs; above 149 in one of a thousand sets of truly independent ones.
    const chi2 = [...pairs.values()].reduce((sum, count) => sum + (count - 1_000) ** 2 / 1_000, 0);
    expect(pairs.size).toBe(100);
    expect(chi2).toBeLessThan(149);
  });
});
