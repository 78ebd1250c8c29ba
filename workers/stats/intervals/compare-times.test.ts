import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resolution } from '../histogram/histogram.ts';
import { Sfc32 } from '../random/random.ts';
import { throughput } from '../random/samples.fixture.ts';
import { compareTimes, timesChance, timesInterval } from './compare-times.ts';

it.each([
  [3, 0.1, 0.1],
  [3, 0.1, 0.8],
  [5, 0.5, 0.5],
  [10, 0.2, 1],
])('claims a difference between equals about once in twenty, n = %i, σ %f and %f', (n, sigmaA, sigmaB) => {
  const random = new Sfc32(n * 1_000 + sigmaB * 100);
  const runs = 2_000;
  let claimed = 0;
  for (let i = 0; i < runs; i++)
    if (compareTimes(throughput(random, n, sigmaA), throughput(random, n, sigmaB))!.verdict !== 'notSignificant')
      claimed++;
  expect(claimed / runs).toBeGreaterThan(0.02);
  expect(claimed / runs).toBeLessThan(0.065);
});

it('calls the side that takes longer slower', () => {
  const random = new Sfc32(78);
  const { ratio, verdict } = compareTimes(throughput(random, 5, 0.03, 20), throughput(random, 5, 0.03, 10))!;
  expect(verdict).toBe('slower');
  expect(ratio.value).toBeCloseTo(2, 1);
});

it('claims nothing of times that a histogram cannot keep apart, although its repeats agree', () => {
  const [low, high] = [10, 10 * (1 + resolution * 0.99)];
  expect(compareTimes([low, low, low], [high, high, high])!.verdict).toBe('notSignificant');
  expect(timesChance([low, low, low], [high, high, high])).toBe(1);
  expect(compareTimes([10, 10, 10], [11, 11, 11])!.verdict).toBe('faster');
});

const times = fc.array(fc.double({ min: 1e-3, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 8 });

it('turns over when the sides are swapped, and is the quotient of the means', () => {
  fc.assert(
    fc.property(times, times, (a, b) => {
      const [there, back] = [compareTimes(a, b)!, compareTimes(b, a)!];
      expect(Math.log(there.ratio.value) + Math.log(back.ratio.value)).toBeCloseTo(0, 8);
      expect(Math.log(there.ratio.low!) + Math.log(back.ratio.high!)).toBeCloseTo(0, 6);
      expect(there.ratio.value / (timesInterval(a)!.value / timesInterval(b)!.value)).toBeCloseTo(1, 8);
    }),
    { seed: 3 },
  );
});

it('has a chance below 5 % exactly where the interval excludes 1', () => {
  fc.assert(
    fc.property(times, times, (a, b) => {
      const isClaimed = compareTimes(a, b)!.verdict !== 'notSignificant';
      const chance = timesChance(a, b)!;
      if (Math.abs(chance - 0.05) > 1e-9) expect(chance < 0.05).toBe(isClaimed);
    }),
    { seed: 5 },
  );
});

it('gives no verdict on a single repeat, and no ratio to nothing or to zero', () => {
  expect(compareTimes([10], [5, 6])).toMatchObject({ ratio: { low: null, high: null }, verdict: 'notEnoughRepeats' });
  expect(compareTimes([], [1])).toBeNull();
  expect(compareTimes([0, 1], [1, 2])).toBeNull();
  expect(timesInterval([])).toBeNull();
});
