import { expect, test } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { normal } from '../random/samples.fixture.ts';
import { correlation } from './correlation.ts';

test('the coefficient and its chance are those of scipy.stats.pearsonr', () => {
  const { r, chance } = correlation([1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5])!;
  expect(r).toBeCloseTo(0.8285714285714287, 12);
  expect(chance).toBeCloseTo(0.041562682215743, 10);
  expect(correlation([1, 2, 3, 4], [8, 6, 4, 2])).toEqual({ r: -1, chance: 0 });
});

test('too few pairs, or a series that does not change, have none', () => {
  expect(correlation([1, 2, 3], [1, 2, 4])).toBeNull();
  expect(correlation([1, 1, 1, 1], [1, 2, 3, 4])).toBeNull();
  expect(() => correlation([1], [1, 2])).toThrow(RangeError);
});

test('of independent series one in a hundred has a chance below 1 %', () => {
  const random = new Sfc32(3, 5);
  for (const n of [5, 13]) {
    const series = () => Array.from({ length: n }, () => normal(random));
    let below = 0;
    for (let i = 0; i < 4_000; i++) if (correlation(series(), series())!.chance < 0.01) below++;
    expect(below / 4_000).toBeGreaterThan(0.006);
    expect(below / 4_000).toBeLessThan(0.014);
  }
});
