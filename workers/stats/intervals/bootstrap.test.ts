import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { normal, throughput } from '../random/samples.fixture.ts';
import { bootstrapRatio, leastRepeats } from './bootstrap.ts';
import { ratioInterval } from './intervals.ts';

/** Share of comparisons of equal samples that claim a difference. */
function falseClaims(n: number, draw: (random: Sfc32) => number, rounds = 400): number {
  const random = new Sfc32(n);
  let claimed = 0;
  for (let i = 0; i < rounds; i++) {
    const side = () => Array.from({ length: n }, () => draw(random));
    const { low, high } = bootstrapRatio(side(), side(), { resamples: 400, seed: i })!;
    if (low! > 1 || high! < 1) claimed++;
  }
  return claimed / rounds;
}

describe('bootstrapRatio', () => {
  it.each([leastRepeats, 8, 12])('claims a difference of equal things about once in twenty times, n = %i', (n) => {
    expect(falseClaims(n, (random) => Math.exp(0.1 * normal(random)))).toBeLessThan(0.08);
  });

  it('keeps near its promise where repeats are skewed, or now and then stalled', () => {
    expect(falseClaims(8, (random) => 1 - 0.1 * Math.log(1 - random.unit()))).toBeLessThan(0.11);
    expect(falseClaims(8, (random) => (random.unit() < 0.15 ? 0.7 : 1) + 0.02 * normal(random))).toBeLessThan(0.11);
  });

  it('agrees with Welch where there are many repeats', () => {
    const random = new Sfc32(5);
    const a = throughput(random, 40, 0.1, 30_000);
    const b = throughput(random, 40, 0.1);
    const boot = bootstrapRatio(a, b)!;
    const welch = ratioInterval(a, b)!;
    expect(boot.low! / welch.low!).toBeCloseTo(1, 1.5);
    expect(boot.high! / welch.high!).toBeCloseTo(1, 1.5);
  });

  it('is the ratio of the arithmetic means, and turns over with its sides', () => {
    const side = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: leastRepeats, maxLength: 9 });
    fc.assert(
      fc.property(side, side, (a, b) => {
        const there = bootstrapRatio(a, b, { resamples: 400 })!;
        const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
        expect(there.value).toBeCloseTo(sum(a) / a.length / (sum(b) / b.length), 8);
        expect(there.low!).toBeLessThanOrEqual(there.high!);
        expect(bootstrapRatio(b, a, { resamples: 400 })!.value * there.value).toBeCloseTo(1, 8);
      }),
      { seed: 1, numRuns: 50 },
    );
  });

  it('does not promise more than its resamples can show', () => {
    const [a, b] = [throughput(new Sfc32(1), 6, 0.1), throughput(new Sfc32(2), 6, 0.1)];
    expect(bootstrapRatio(a, b, { level: 0.99 })).not.toBeNull();
    expect(bootstrapRatio(a, b, { level: 0.999 })).toBeNull();
  });

  it('gives the same interval for the same seed, and none for fewer than five repeats or for a zero', () => {
    const [a, b] = [throughput(new Sfc32(1), 6, 0.1), throughput(new Sfc32(2), 6, 0.1)];
    expect(bootstrapRatio(a, b)).toEqual(bootstrapRatio(a, b));
    expect(bootstrapRatio(a.slice(0, 4), b)).toBeNull();
    expect(bootstrapRatio([...a, 0], b)).toBeNull();
    expect(bootstrapRatio([5, 5, 5, 5, 5], [4, 4, 4, 4, 4])).toEqual({ value: 1.25, low: 1.25, high: 1.25, n: 5 });
  });
});

/** Percentiles of the resampled ratios: the simpler method, for comparison. */
function percentileBootstrap(a: readonly number[], b: readonly number[], random: Sfc32): readonly [number, number] {
  const drawnMean = (values: readonly number[]) =>
    values.map(() => values[random.below(values.length)]!).reduce((sum, value) => sum + value, 0) / values.length;
  const ratios = Array.from({ length: 400 }, () => drawnMean(a) / drawnMean(b)).sort((x, y) => x - y);
  return [ratios[10]!, ratios[389]!];
}

it('percentiles of a bootstrap are too narrow with few repeats, which is why intervals are not made of them', () => {
  const random = new Sfc32(6);
  let missed = 0;
  for (let i = 0; i < 300; i++) {
    const [low, high] = percentileBootstrap(throughput(random, 3, 0.05), throughput(random, 3, 0.05), random);
    if (low > 1 || high < 1) missed++;
  }
  expect(missed / 300).toBeGreaterThan(0.1);
});
