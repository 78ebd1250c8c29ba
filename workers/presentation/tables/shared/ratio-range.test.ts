import { expect, test } from 'vitest';
import { ratioRange } from './ratio-range.ts';

const ratio = (value: number, low: number | null = null, high: number | null = null) => ({ value, low, high, n: 5 });

test('a scale shows every ratio, and an interval without a useful bound does not hide the others', () => {
  expect(ratioRange([null, ratio(1, 0.99, 1.01)])).toEqual([0.8, 1.25]);
  expect(ratioRange([ratio(0.5, 0.4, 0.6), ratio(2, 1.5, 3)])).toEqual([0.4, 3]);
  expect(ratioRange([ratio(0.8), ratio(1.5, 0.001, 700)])).toEqual([0.2, 6]);
});
