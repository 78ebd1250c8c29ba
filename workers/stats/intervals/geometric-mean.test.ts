import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { throughput } from '../random/samples.fixture.ts';
import { geometricMeanRatio, type Pair } from './geometric-mean.ts';
import { ratioInterval } from './intervals.ts';

describe('geometricMeanRatio', () => {
  const positive = fc.array(fc.double({ min: 1, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 6 });

  it('is Welch’s interval of the ratio where there is one pair', () => {
    fc.assert(
      fc.property(positive, positive, (a, b) => {
        const [one, welch] = [geometricMeanRatio([{ a, b }])!, ratioInterval(a, b)!];
        for (const bound of ['value', 'low', 'high'] as const)
          expect(Math.log(one[bound]!)).toBeCloseTo(Math.log(welch[bound]!), 6);
      }),
      { seed: 6 },
    );
  });

  it('turns over when the sides are swapped', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ a: positive, b: positive }), { minLength: 1, maxLength: 5 }), (pairs) => {
        const there = geometricMeanRatio(pairs)!;
        const back = geometricMeanRatio(pairs.map(({ a, b }) => ({ a: b, b: a })))!;
        expect(Math.log(there.value)).toBeCloseTo(-Math.log(back.value), 8);
        expect(Math.log(there.low!)).toBeCloseTo(-Math.log(back.high!), 6);
      }),
      { seed: 7 },
    );
  });

  it('holds the true mean as often as it says, of pairs that scatter differently', () => {
    const random = new Sfc32(12);
    const truths = [0.5, 1.2, 3, 4];
    const truth = Math.exp(truths.reduce((sum, one) => sum + Math.log(one), 0) / truths.length);
    const runs = 2_000;
    let held = 0;
    for (let i = 0; i < runs; i++) {
      const pairs = truths.map(
        (ratio, k): Pair => ({
          a: throughput(random, 3, 0.02 * (k + 1), 100 * ratio),
          b: throughput(random, 3, 0.05, 100),
        }),
      );
      const { low, high } = geometricMeanRatio(pairs)!;
      if (low! <= truth && truth <= high!) held++;
    }
    expect(held / runs).toBeGreaterThan(0.935);
    expect(held / runs).toBeLessThan(0.975);
  });

  it('has no bounds with single repeats, and no value without all of them', () => {
    expect(
      geometricMeanRatio([
        { a: [2], b: [1] },
        { a: [8], b: [1] },
      ]),
    ).toEqual({
      value: expect.closeTo(4, 10),
      low: null,
      high: null,
      n: 1,
    });
    expect(geometricMeanRatio([])).toBeNull();
    expect(geometricMeanRatio([{ a: [1], b: [] }])).toBeNull();
    expect(geometricMeanRatio([{ a: [1, 2], b: [0, 1] }])).toBeNull();
  });
});
