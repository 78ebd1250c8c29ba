import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { throughput } from '../random/samples.fixture.ts';
import { compareMeans } from './compare-means.ts';
import { ratioInterval } from './intervals.ts';

describe('compareMeans', () => {
  const falsePositives = (n: number, cvA: number, cvB: number, runs = n < 5 ? 4_000 : 1_000) => {
    const random = new Sfc32(n * 1_000 + cvB * 100);
    let claimed = 0;
    for (let i = 0; i < runs; i++) {
      const { verdict } = compareMeans(throughput(random, n, cvA), throughput(random, n, cvB))!;
      if (verdict !== 'notSignificant') claimed++;
    }
    return claimed / runs;
  };

  it.each([
    [3, 0.05, 0.05],
    [3, 0.02, 0.1],
    [5, 0.05, 0.2],
    [10, 0.05, 0.05],
    [10, 0.02, 0.1],
  ])('claims a difference between equals about once in twenty, n = %i, cv %f and %f', (n, cvA, cvB) => {
    const rate = falsePositives(n, cvA, cvB);
    expect(rate).toBeGreaterThan(0.02);
    expect(rate).toBeLessThan(0.065);
  });

  it('finds a difference that is there', () => {
    const random = new Sfc32(78);
    const { ratio, verdict } = compareMeans(throughput(random, 5, 0.03, 20_000), throughput(random, 5, 0.03))!;
    expect(verdict).toBe('faster');
    expect(ratio.value).toBeCloseTo(2, 1);
    expect(ratio.low!).toBeGreaterThan(1.8);
  });

  it('turns over when the sides are swapped', () => {
    const positive = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const there = compareMeans(a, b)!;
        const back = compareMeans(b, a)!;
        expect(there.ratio.value * back.ratio.value).toBeCloseTo(1, 8);
        const opposite = { faster: 'slower', slower: 'faster' } as const;
        expect(back.verdict).toBe(
          there.verdict === 'faster' || there.verdict === 'slower' ? opposite[there.verdict] : there.verdict,
        );
      }),
      { seed: 3 },
    );
  });

  it('gives no verdict on a single repeat and no ratio to nothing', () => {
    expect(compareMeans([10], [5, 6])).toEqual({
      ratio: { value: expect.closeTo(10 / 5.5, 10), low: null, high: null, n: 1 },
      method: 'welch',
      verdict: 'notEnoughRepeats',
    });
    expect(compareMeans([10], [])).toBeNull();
    expect(ratioInterval([1, 2], [0, 3])).toBeNull();
  });

  it('has the same estimator, the quotient of the means, with few repeats and with many', () => {
    const [a, b] = [
      [10, 20, 40],
      [5, 6, 9],
    ];
    const average = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    for (const times of [1, 2]) {
      const [as, bs] = [a, b].map((values) => Array.from({ length: times }, () => values).flat()) as [
        number[],
        number[],
      ];
      expect(compareMeans(as, bs)!.ratio.value).toBeCloseTo(average(a!) / average(b!), 10);
    }
  });

  it('says which interval it shows: a bootstrap from five repeats on', () => {
    const random = new Sfc32(8);
    const methods = [3, 4, 5, 9].map(
      (n) => compareMeans(throughput(random, n, 0.1), throughput(random, n, 0.1))!.method,
    );
    expect(methods).toEqual(['welch', 'welch', 'bootstrap', 'bootstrap']);
  });

  it('shows an interval that holds 1 wherever it shows no difference', () => {
    const random = new Sfc32(21);
    let disagreed = 0;
    for (let i = 0; i < 300; i++) {
      const { ratio, method, verdict } = compareMeans(throughput(random, 5, 0.1, 11_000), throughput(random, 5, 0.1))!;
      const holdsOne = ratio.low! <= 1 && ratio.high! >= 1;
      expect(holdsOne).toBe(verdict === 'notSignificant');
      if (method === 'welch') disagreed++;
    }
    expect(disagreed).toBeGreaterThan(0);
  });

  it('takes identical repeats as they are', () => {
    expect(compareMeans([5, 5], [5, 5])!.verdict).toBe('notSignificant');
  });
});
