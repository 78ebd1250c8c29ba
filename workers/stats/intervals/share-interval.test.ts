import { expect, test } from 'vitest';
import { shareInterval } from './share-interval.ts';

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

test('nothing that was counted leaves everything open', () => {
  expect(shareInterval(0, 0)).toEqual({ low: 0, high: 1 });
});
