import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { throughput } from '../random/samples.fixture.ts';
import { findOutliers } from './outliers.ts';

describe('findOutliers', () => {
  it('scores by the published formula, on logarithms', () => {
    const logs = [2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 8.2, 8.3];
    const found = findOutliers(logs.map(Math.exp));
    // Median 2.45, median absolute deviation 0.15.
    expect(found.map(({ at }) => at)).toEqual([8, 9]);
    expect(found[0]!.score).toBeCloseTo((0.6745 * (8.2 - 2.45)) / 0.15, 6);
    expect(found[1]!.value).toBeCloseTo(Math.exp(8.3), 6);
  });

  it('marks as few good values as its threshold promises, and a repeat at half the speed nearly always', () => {
    const random = new Sfc32(5);
    const runs = 2_000;
    let good = 0;
    let slow = 0;
    for (let i = 0; i < runs; i++) {
      const values = throughput(random, 10, 0.03);
      good += findOutliers(values).length;
      if (findOutliers(values.with(3, values[3]! / 2)).some(({ at, score }) => at === 3 && score < 0)) slow++;
    }
    // Among ten normal values the median absolute deviation is a rough scale: 1 in 50 is marked, not 1 in 2,000.
    expect(good / (10 * runs)).toBeLessThan(0.03);
    expect(slow / runs).toBeGreaterThan(0.97);
  });

  it('depends on the pattern alone, not on the unit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1, max: 1e3, noNaN: true }), { minLength: 5, maxLength: 12 }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (values, unit) => {
          const scaled = findOutliers(values.map((value) => value * unit));
          const there = new Set(scaled.map(({ at }) => at));
          // A score on the threshold may fall to either side of it by rounding.
          for (const { at, score } of findOutliers(values)) if (Math.abs(score) > 3.51) expect(there).toContain(at);
        },
      ),
      { seed: 4 },
    );
  });

  it('says nothing of four values, of equal ones, or where a value is not positive', () => {
    expect(findOutliers([1, 1.1, 0.9, 50])).toEqual([]);
    expect(findOutliers([5, 5, 5, 5, 9])).toEqual([]);
    expect(findOutliers([0, 1, 1.1, 0.9, 1.2])).toEqual([]);
  });
});
