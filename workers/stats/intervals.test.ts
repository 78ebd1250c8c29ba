import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareMeans, type Interval, meanInterval, ratioInterval } from './intervals.ts';
import { Sfc32 } from './random.ts';
import { incompleteBeta, logGamma, tQuantile } from './student-t.ts';
import { mean, quantile, summarise } from './summary.ts';

/** Box–Muller. */
const normal = (random: Sfc32) => Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());
const throughput = (random: Sfc32, n: number, cv: number, scale = 10_000) =>
  Array.from({ length: n }, () => scale * Math.exp(cv * normal(random)));

describe('the t distribution', () => {
  // NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.6.7.2, upper critical values.
  it.each([
    [1, 0.95, 6.314],
    [1, 0.975, 12.706],
    [1, 0.999, 318.313],
    [2, 0.975, 4.303],
    [3, 0.975, 3.182],
    [4, 0.99, 3.747],
    [5, 0.975, 2.571],
    [9, 0.995, 3.25],
    [10, 0.975, 2.228],
    [30, 0.9, 1.31],
    [60, 0.975, 2.0],
    [100, 0.999, 3.174],
  ])('has the published quantile for %i degrees of freedom, p = %f', (df, p, published) => {
    expect(tQuantile(p, df)).toBeCloseTo(published, 2);
    expect(tQuantile(1 - p, df)).toBeCloseTo(-published, 2);
  });

  it('is the normal distribution with very many degrees of freedom', () => {
    expect(tQuantile(0.975, 1e10)).toBeCloseTo(1.959964, 5);
    expect(tQuantile(0.001, 1e10)).toBeCloseTo(-3.090232, 5);
  });

  it('agrees with its closed forms for 1 and 2 degrees of freedom', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.005, max: 0.995, noNaN: true }), (p) => {
        expect(tQuantile(p, 1)).toBeCloseTo(Math.tan(Math.PI * (p - 0.5)), 8);
        expect(tQuantile(p, 2)).toBeCloseTo((2 * p - 1) / Math.sqrt(2 * p * (1 - p)), 8);
      }),
      { seed: 1 },
    );
  });

  it('leaves 1 − p beyond its quantile', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.501, max: 0.9995, noNaN: true }),
        fc.double({ min: 1, max: 200, noNaN: true }),
        (p, df) => {
          const t = tQuantile(p, df);
          expect(incompleteBeta(df / (df + t * t), df / 2, 0.5) / 2).toBeCloseTo(1 - p, 9);
        },
      ),
      { seed: 2 },
    );
  });

  it('stands on right special functions', () => {
    expect(logGamma(5)).toBeCloseTo(Math.log(24), 12);
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.sqrt(Math.PI)), 12);
    expect(incompleteBeta(0.3, 2, 3)).toBeCloseTo(0.3483, 4);
  });
});

describe('summarise', () => {
  it('agrees with the definitions', () => {
    expect(summarise([4, 2, 8, 6])).toMatchObject({ n: 4, mean: 5, median: 5, min: 2, max: 8 });
    expect(summarise([4, 2, 8, 6])!.sd).toBeCloseTo(Math.sqrt(20 / 3), 12);
    expect(summarise([])).toBeNull();
    expect(quantile([1, 2, 3, 4], 0.25)).toBe(1.75);
  });
});

describe('meanInterval', () => {
  it('covers the true mean in 95 of 100 experiments, also with three repeats', () => {
    for (const n of [2, 3, 10]) {
      const random = new Sfc32(n);
      let covered = 0;
      for (let i = 0; i < 4_000; i++) {
        const { low, high } = meanInterval(Array.from({ length: n }, () => 100 + 5 * normal(random)))!;
        if (low! <= 100 && 100 <= high!) covered++;
      }
      expect(covered / 4_000).toBeGreaterThan(0.94);
      expect(covered / 4_000).toBeLessThan(0.96);
    }
  });

  it('has no bounds for a single repeat', () => {
    expect(meanInterval([7])).toEqual({ value: 7, low: null, high: null, n: 1 });
    expect(meanInterval([])).toBeNull();
  });
});

describe('compareMeans', () => {
  const falsePositives = (n: number, cvA: number, cvB: number, runs = 4_000) => {
    const random = new Sfc32(n * 1_000 + cvB * 100);
    let claimed = 0;
    for (let i = 0; i < runs; i++) {
      const { verdict } = compareMeans(throughput(random, n, cvA), throughput(random, n, cvB))!;
      if (verdict !== 'noDifferenceShown') claimed++;
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
    const random = new Sfc32(77);
    const { ratio, verdict } = compareMeans(throughput(random, 5, 0.03, 20_000), throughput(random, 5, 0.03))!;
    expect(verdict).toBe('faster');
    expect(ratio.low!).toBeLessThan(2);
    expect(ratio.high!).toBeGreaterThan(2);
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
      ratio: { value: expect.closeTo(10 / Math.sqrt(30), 10), low: null, high: null, n: 1 },
      verdict: 'notEnoughRepeats',
    });
    expect(compareMeans([10], [])).toBeNull();
    expect(ratioInterval([1, 2], [0, 3])).toBeNull();
  });

  it('takes identical repeats as they are', () => {
    expect(compareMeans([5, 5], [5, 5])!.verdict).toBe('noDifferenceShown');
  });
});

/** Percentile bootstrap of the ratio of means: the road not taken. */
function bootstrapRatio(a: readonly number[], b: readonly number[], random: Sfc32): Interval {
  const resampled = (values: readonly number[]) => mean(values.map(() => values[random.below(values.length)]!));
  const ratios = Array.from({ length: 400 }, () => resampled(a) / resampled(b)).sort((x, y) => x - y);
  return { value: mean(a) / mean(b), low: quantile(ratios, 0.025), high: quantile(ratios, 0.975), n: a.length };
}

describe('a bootstrap interval', () => {
  it('agrees with the t interval where there are many repeats', () => {
    const random = new Sfc32(5);
    const a = throughput(random, 40, 0.1, 30_000);
    const b = throughput(random, 40, 0.1);
    const boot = bootstrapRatio(a, b, random);
    const welch = ratioInterval(a, b)!;
    expect(boot.low! / welch.low!).toBeCloseTo(1, 1);
    expect(boot.high! / welch.high!).toBeCloseTo(1, 1);
  });

  it('is too narrow with three repeats, which is why verdicts do not use it', () => {
    const random = new Sfc32(6);
    let missed = 0;
    for (let i = 0; i < 300; i++) {
      const { low, high } = bootstrapRatio(throughput(random, 3, 0.05), throughput(random, 3, 0.05), random);
      if (low! > 1 || high! < 1) missed++;
    }
    expect(missed / 300).toBeGreaterThan(0.1);
  });
});
