import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { normal } from '../random/samples.fixture.ts';
import { meanInterval, positiveMeanInterval, ratioInterval } from './intervals.ts';
import { incompleteBeta, logGamma, tQuantile } from './student-t.ts';
import { mean, median, quantile, variance } from './summary.ts';

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

describe('mean, median, variance and quantile', () => {
  it('agree with the definitions', () => {
    expect([mean([4, 2, 8, 6]), median([4, 2, 8, 6])]).toEqual([5, 5]);
    expect(variance([4, 2, 8, 6])).toBeCloseTo(20 / 3, 12);
    expect([mean([]), median([]), variance([7])]).toEqual([Number.NaN, Number.NaN, Number.NaN]);
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

describe('positiveMeanInterval', () => {
  it('covers the true mean in 95 of 100 experiments, also with three repeats', () => {
    for (const n of [2, 3, 10]) {
      const random = new Sfc32(n);
      let covered = 0;
      for (let i = 0; i < 4_000; i++) {
        const { low, high } = positiveMeanInterval(Array.from({ length: n }, () => 100 + 5 * normal(random)))!;
        if (low! <= 100 && 100 <= high!) covered++;
      }
      expect(covered / 4_000).toBeGreaterThan(0.94);
      expect(covered / 4_000).toBeLessThan(0.96);
    }
  });

  it('does not reach zero where the ratio to another mean is certain', () => {
    const noisy = [854, 1_940, 1_040];
    const { value, low, high } = positiveMeanInterval(noisy)!;
    expect(meanInterval(noisy)!.low).toBeLessThan(0);
    expect(low).toBeGreaterThan(0);
    // A mean without an error leaves the ratio the interval of the other one.
    const ratio = ratioInterval(noisy, [1, 1, 1])!;
    expect([value, low, high]).toEqual([ratio.value, ratio.low, ratio.high].map((one) => expect.closeTo(one!, 6)));
  });

  it('is cut at zero where a value is zero, and has no bounds for a single repeat', () => {
    expect(positiveMeanInterval([0, 4])).toEqual({ value: 2, low: 0, high: meanInterval([0, 4])!.high, n: 2 });
    expect(positiveMeanInterval([7])).toEqual({ value: 7, low: null, high: null, n: 1 });
    expect(positiveMeanInterval([])).toBeNull();
  });
});
