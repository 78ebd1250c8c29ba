import { expect, test } from 'vitest';
import { fromSteps } from './steps.ts';

test('a value with more rows than the usual one is frequent, and the others are bounds', () => {
  const steps = [
    { value: 1, equal: 1, between: 0, betweenDistinct: 0 },
    { value: 50, equal: 400, between: 48, betweenDistinct: 48 },
    { value: 551, equal: 1, between: 500, betweenDistinct: 500 },
  ];
  const { common, bounds, distinct } = fromSteps(steps, 1_000);
  expect(common).toEqual([{ value: 50, share: 0.4 }]);
  expect([bounds[0], bounds.at(-1), distinct]).toEqual([1, 551, 551]);
  // Half of the other rows lie below about 276 + 25.
  expect(Number(bounds[50])).toBeGreaterThan(200);
});

test('steps without rows between them list all values', () => {
  const steps = ['a', 'b', 'c'].map((value, i) => ({ value, equal: 10 + i, between: 0, betweenDistinct: 0 }));
  expect(fromSteps(steps, 40)).toEqual({
    common: [
      { value: 'c', share: 0.3 },
      { value: 'b', share: 0.275 },
      { value: 'a', share: 0.25 },
    ],
    bounds: [],
    distinct: 3,
  });
  expect(fromSteps([], 0)).toEqual({ common: [], bounds: [], distinct: null });
});
