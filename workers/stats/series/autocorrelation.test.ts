import { describe, expect, it } from 'vitest';
import { meanInterval } from '../intervals/intervals.ts';
import { mean, variance } from '../intervals/summary.ts';
import { Sfc32 } from '../random/random.ts';
import { autoregressive, normal } from '../random/samples.fixture.ts';
import { autocorrelation, correlatedMeanInterval, effectiveSize } from './autocorrelation.ts';

describe('on NIST’s statistical reference data (StRD, univariate)', () => {
  const alternating = (first: number, low: number, high: number) => [
    first,
    ...Array.from({ length: 1_000 }, (_, i) => (i % 2 === 0 ? low : high)),
  ];

  it.each([
    ['NumAcc2', alternating(1.2, 1.1, 1.3), 1.2, 0.1, -0.999],
    ['NumAcc3', alternating(1_000_000.2, 1_000_000.1, 1_000_000.3), 1_000_000.2, 0.1, -0.999],
    ['NumAcc4', alternating(10_000_000.2, 10_000_000.1, 10_000_000.3), 10_000_000.2, 0.1, -0.999],
  ] as const)('%s has its certified mean, deviation and lag-1 autocorrelation', (_, values, certified, sd, rho) => {
    expect(mean(values) / certified).toBeCloseTo(1, 13);
    expect(Math.sqrt(variance(values))).toBeCloseTo(sd, 7);
    expect(autocorrelation(values, 1)).toBeCloseTo(rho, 6);
  });

  it('NumAcc1 as well', () => {
    const values = [10_000_001, 10_000_003, 10_000_002];
    expect([mean(values), variance(values)]).toEqual([10_000_002, 1]);
    expect(autocorrelation(values, 1)).toBeCloseTo(-0.5, 12);
  });
});

describe('effectiveSize', () => {
  it('is that of a first-order autoregressive series: n (1 − ρ) ÷ (1 + ρ)', () => {
    for (const rho of [0, 0.5, 0.9]) {
      const expected = (20_000 * (1 - rho)) / (1 + rho);
      const found = effectiveSize(autoregressive(new Sfc32(4), 20_000, rho));
      expect(found / expected).toBeGreaterThan(0.85);
      expect(found / expected).toBeLessThan(1.15);
    }
  });

  it('lies between 1 and n', () => {
    expect(effectiveSize([3, 3, 3, 3, 3])).toBe(5);
    expect(effectiveSize(Array.from({ length: 100 }, (_, i) => i))).toBeLessThan(10);
    expect(effectiveSize(Array.from({ length: 100 }, (_, i) => i % 2))).toBe(100);
    expect(effectiveSize([])).toBe(0);
  });
});

describe('correlatedMeanInterval', () => {
  /** Share of the intervals that contain the true mean, 50. */
  const coverage = (rho: number, length: number) => {
    let covered = 0;
    for (let seed = 0; seed < 400; seed++) {
      const { low, high } = correlatedMeanInterval(autoregressive(new Sfc32(seed), length, rho, 50))!;
      if (low! <= 50 && 50 <= high!) covered++;
    }
    return covered / 400;
  };

  it.each([20, 30, 60, 120, 300])(
    'covers the mean of %i values as often as it says, up to a correlation of 0.9',
    (n) => {
      for (const rho of [0, 0.3, 0.6, 0.8, 0.9]) expect(coverage(rho, n)).toBeGreaterThan(0.925);
    },
  );

  it('is that of independent values where there is no correlation', () => {
    const random = new Sfc32(1);
    const series = Array.from({ length: 400 }, () => normal(random));
    const [own, plain] = [correlatedMeanInterval(series)!, meanInterval(series)!];
    expect((own.high! - own.low!) / (plain.high! - plain.low!)).toBeCloseTo(1, 0);
    expect(own.value).toBe(plain.value);
  });

  it('needs twenty values', () => {
    expect(correlatedMeanInterval(Array.from({ length: 19 }, () => 1))).toBeNull();
    expect(correlatedMeanInterval(Array.from({ length: 20 }, () => 1))).toMatchObject({ value: 1, low: 1, high: 1 });
  });
});
