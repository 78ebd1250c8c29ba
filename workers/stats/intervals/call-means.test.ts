import { expect, test } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { type CallValues, meansDiffer, spreadOfRepeats } from './call-means.ts';

const random = new Sfc32(20_261, 1);

/** Rows of so many calls, each drawn by itself. */
function drawn(calls: number, draw: () => number): CallValues {
  const values = Array.from({ length: calls }, draw);
  return {
    calls,
    sum: values.reduce((sum, one) => sum + one, 0),
    squares: values.reduce((sum, one) => sum + one ** 2, 0),
    most: Math.max(...values),
  };
}

const uniform = () => random.uint32() / 2 ** 32;
const draws: Readonly<Record<string, () => number>> = {
  'one row or none': () => (uniform() < 0.3 ? 1 : 0),
  'hardly ever none': () => (uniform() < 0.999 ? 1 : 0),
  '0 to 99 rows': () => Math.floor(uniform() * 100),
  'Pareto, without a variance': () => Math.floor(Math.min(1e6, (1 - uniform()) ** (-1 / 1.1))),
  'one call in 10,000 with 10,000 rows': () => (uniform() < 1e-4 ? 10_000 : 1),
  'one key in a hundred with a thousand': () => (uniform() < 0.01 ? 1_000 : 2),
};

test.each(Object.keys(draws))('equal calls are called different in none of 4,000 pairs: %s', (name) => {
  const draw = draws[name]!;
  let wrong = 0;
  for (let i = 0; i < 4_000; i++) {
    const [few, many] = [3 + Math.floor(uniform() * 40), 20 + Math.floor(uniform() * 400)];
    if (meansDiffer(drawn(few, draw), drawn(many, draw), 1e-3)) wrong++;
  }
  expect(wrong).toBe(0);
});

test.each([
  ['1 against 0 in 30 calls', 30, () => 1, () => 0],
  ['70 % instead of all found in 400 calls', 400, () => 1, () => (uniform() < 0.7 ? 1 : 0)],
  ['2 against 1 in 60 calls', 60, () => 2, () => 1],
  ['twice as many of 0 to 99', 1_000, draws['0 to 99 rows']!, () => 2 * draws['0 to 99 rows']!()],
  [
    '3 % fewer in 100,000 calls',
    100_000,
    () => 10 + Math.floor(uniform() * 10),
    () => Math.floor((10 + uniform() * 10) * 0.97),
  ],
])('a planted difference is found in each of 50 pairs: %s', (_, calls, one, other) => {
  for (let i = 0; i < 50; i++) expect(meansDiffer(drawn(calls, one), drawn(calls, other), 1e-7)).toBe(true);
});

test('repeats that differ by themselves widen the tolerance, and those that do not leave it alone', () => {
  const side = (means: readonly number[]) => means.map((mean) => drawn(1_000, () => mean + Math.floor(uniform() * 3)));
  expect(spreadOfRepeats([side([10, 10, 10]), side([10, 10, 10])])).toBeLessThan(5);
  expect(spreadOfRepeats([side([10, 11, 12]), side([10, 11, 12])])).toBeGreaterThan(100);
  expect(spreadOfRepeats([side([10]), side([12])])).toBe(1);
});
