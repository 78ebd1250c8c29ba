import fc from 'fast-check';
import { expect, it } from 'vitest';
import { furtherRepeats, repeatsNeeded, repeatsNeededForRatio } from './repeats-needed.ts';
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

it('is, for further repeats of one side, the least number whose interval no longer reaches the distance', () => {
  const half = (n: number, of: number, cv: number) => {
    const parts = [
      { error: cv ** 2 / n, n },
      { error: cv ** 2 / of, n: of },
    ];
    const error = parts.reduce((sum, part) => sum + part.error, 0);
    const freedom = error ** 2 / parts.reduce((sum, part) => sum + part.error ** 2 / (part.n - 1), 0);
    return tQuantile(0.9, freedom) * Math.sqrt(error);
  };
  const side = { cv: 0.05, n: 5, grows: true };
  const fixed = { ...side, grows: false };
  const more = furtherRepeats([side, fixed], 0.038, 0.8)!;
  expect(more).toBeGreaterThan(1);
  expect(half(5 + more, 5, 0.05)).toBeLessThan(0.038);
  expect(half(5 + more - 1, 5, 0.05)).toBeGreaterThanOrEqual(0.038);
  // The repeats of the other side remain as they are, and scatter too much.
  expect(furtherRepeats([side, fixed], 0.02, 0.8)).toBeNull();
  expect(furtherRepeats([side, side], 0.02, 0.8)).toBeGreaterThan(more);
  expect(furtherRepeats([side, side], 0, 0.8)).toBeNull();
  expect(furtherRepeats([fixed, fixed], 1, 0.8)).toBe(0);
});
