import { expect, test } from 'vitest';
import { effectiveCount, isShareAtLeast, shareInterval } from './share-interval.ts';

/** Newcombe, "Two-sided confidence intervals for the single proportion", 1998, table I, method 3. */
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
])('%i of %i: as published', (count, of, low, high) => {
  const found = shareInterval(count / of, of);
  expect(found.low).toBeCloseTo(low, 4);
  expect(found.high).toBeCloseTo(high, 4);
});

test('a share of none or all lies within its interval, whatever the numbers are rounded to', () => {
  for (let of = 1; of <= 300; of++)
    for (const level of [0.95, 0.9875]) {
      expect(shareInterval(0, of, level).low).toBe(0);
      expect(shareInterval(1, of, level).high).toBe(1);
    }
});

test('nothing that was counted leaves everything open', () => {
  expect(shareInterval(0, 0)).toEqual({ low: 0, high: 1 });
});

test.each([
  // P(X ≥ count) of the binomial distribution with the share 0.05 (R: 1 - pbinom(count - 1, n, 0.05)).
  [3, 20, false], // 0.0755; Wilson's interval would hold it for more
  [4, 20, true], // 0.0159
  [4, 30, false], // 0.0608
  [5, 40, true], // 0.0480
  [4, 40, false], // 0.1381
])('%i of %i are at least 5 %: %s, by the exact tail', (count, of, expected) => {
  expect(isShareAtLeast(0.05, count / of, of)).toBe(expected);
});

test('observations that depend on each other count as fewer', () => {
  const together = Array.from({ length: 10 }, (_, i) => ({ count: i < 2 ? 16 : 0, of: 16 }));
  // Observations of a sample are all alike: as many are independent as there are samples, less one degree of freedom.
  expect(effectiveCount(together)).toBeCloseTo(9, 9);
  // The scatter is that of independent observations: (0, 1, 2, 3 of 4) about one half.
  const apart = [1, 2, 3, 2, 1, 2, 3, 2, 1, 3].map((count) => ({ count, of: 4 }));
  expect(effectiveCount(apart)).toBe(40);
  expect(effectiveCount([{ count: 1, of: 4 }])).toBe(4);
  expect(effectiveCount([])).toBe(0);
});
