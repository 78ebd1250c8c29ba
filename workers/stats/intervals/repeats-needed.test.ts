import fc from 'fast-check';
import { expect, it } from 'vitest';
import { repeatsNeeded, repeatsNeededForRatio } from './repeats-needed.ts';
import { tQuantile } from './student-t.ts';

it('is the least number whose interval is narrow enough', () => {
  const width = (n: number, cv: number) => (tQuantile(0.975, n - 1) * cv) / Math.sqrt(n);
  fc.assert(
    fc.property(
      fc.double({ min: 0.001, max: 0.5, noNaN: true }),
      fc.double({ min: 0.01, max: 0.3, noNaN: true }),
      (cv, margin) => {
        const n = repeatsNeeded(cv, margin);
        expect(width(n, cv)).toBeLessThanOrEqual(margin);
        if (n > 2) expect(width(n - 1, cv)).toBeGreaterThan(margin);
      },
    ),
    { seed: 1 },
  );
  expect(repeatsNeeded(0, 0.05)).toBe(2);
  expect(() => repeatsNeeded(0.1, 0)).toThrow(RangeError);
});

it('is, for a ratio of equally scattered sides, the least number whose interval of twice the variance is narrow enough', () => {
  const width = (n: number, cv: number) => (tQuantile(0.975, 2 * (n - 1)) * cv * Math.SQRT2) / Math.sqrt(n);
  for (const cv of [0.01, 0.05, 0.2]) {
    const n = repeatsNeededForRatio(cv, cv, 0.05);
    expect(width(n, cv)).toBeLessThanOrEqual(0.05);
    if (n > 2) expect(width(n - 1, cv)).toBeGreaterThan(0.05);
  }
  // A side without scatter adds nothing: the interval of the other side's mean remains.
  expect(repeatsNeededForRatio(0.1, 0, 0.05)).toBe(repeatsNeeded(0.1, 0.05));
  expect(repeatsNeededForRatio(0, 0, 0.05)).toBe(2);
  expect(() => repeatsNeededForRatio(Number.NaN, 0.1, 0.05)).toThrow(RangeError);
});
