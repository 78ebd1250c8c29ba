import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { autoregressive, normal } from '../random/samples.fixture.ts';
import { bestSplit, blockLengthOf, findChangePoints, findSteps, mostValues } from './change-points.ts';

/** The statistic as the paper defines it, for one split. */
function energyOf(values: readonly number[], at: number): number {
  const [left, right] = [values.slice(0, at), values.slice(at)];
  const distances = (a: readonly number[], b: readonly number[]) => a.flatMap((x) => b.map((y) => Math.abs(x - y)));
  const sum = (all: readonly number[]) => all.reduce((total, one) => total + one, 0);
  const [m, n] = [left.length, right.length];
  const within = (part: readonly number[]) => sum(distances(part, part)) / (part.length * (part.length - 1));
  return ((m * n) / (m + n)) * ((2 / (m * n)) * sum(distances(left, right)) - within(left) - within(right));
}

describe('bestSplit', () => {
  it('is the best of all splits and ends, by the definition', () => {
    const numbers = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 6, maxLength: 16 });
    fc.assert(
      fc.property(numbers, (values) => {
        const all = values.flatMap((_, at) =>
          values.flatMap((__, last) => {
            const end = last + 1;
            return at >= 3 && end - at >= 3 ? [{ at, energy: energyOf(values.slice(0, end), at) }] : [];
          }),
        );
        const { at, energy } = bestSplit(Float64Array.from(values), 3)!;
        expect(energy).toBeCloseTo(Math.max(...all.map((one) => one.energy)), 6);
        expect(Math.max(...all.filter((one) => one.at === at).map((one) => one.energy))).toBeCloseTo(energy, 6);
      }),
      { seed: 1 },
    );
  });
});

describe('findChangePoints', () => {
  const noisy = (random: Sfc32, lengths: readonly number[], levels: readonly number[], sd: number) =>
    levels.flatMap((level, i) => Array.from({ length: lengths[i]! }, () => level + sd * normal(random)));

  it('finds a dip and its end, with the levels before and after', () => {
    const found = findChangePoints(noisy(new Sfc32(1), [40, 12, 40], [1_000, 400, 1_000], 50));
    expect(found.map(({ at }) => at)).toEqual([40, 52]);
    expect(found[0]!.before).toBeCloseTo(1_000, -2);
    expect(found[0]!.after).toBeCloseTo(400, -2);
    expect(found[1]!.after).toBeCloseTo(1_000, -2);
    for (const { p } of found) expect(p).toBeLessThanOrEqual(0.01);
  });

  it('finds a change of scatter without a change of the mean', () => {
    const random = new Sfc32(2);
    const series = [...noisy(random, [60], [0], 1), ...noisy(random, [60], [0], 8)];
    const [first] = findChangePoints(series);
    expect(Math.abs(first!.at - 60)).toBeLessThanOrEqual(8);
  });

  it('claims a change in a series without one about as often as it is allowed to', () => {
    let claimed = 0;
    for (let seed = 0; seed < 200; seed++) {
      const random = new Sfc32(seed);
      const series = Array.from({ length: 60 }, () => normal(random));
      if (findChangePoints(series, { significance: 0.05, permutations: 99, seed }).length > 0) claimed++;
    }
    expect(claimed / 200).toBeLessThan(0.1);
  });

  it('in blocks, does not take correlation in time for changes', () => {
    const claims = (blockLength: number) => {
      let claimed = 0;
      for (let seed = 0; seed < 60; seed++)
        if (
          findChangePoints(autoregressive(new Sfc32(seed), 120, 0.7), { blockLength, permutations: 99, seed }).length >
          0
        )
          claimed++;
      return claimed / 60;
    };
    const [independent, inBlocks] = [claims(1), claims(12)];
    expect(independent).toBeGreaterThan(0.4);
    expect(inBlocks).toBeLessThan(0.15);
  });

  it('finds none in a constant or very short series, and refuses very long ones', () => {
    expect(findChangePoints(Array.from({ length: 50 }, () => 7))).toEqual([]);
    expect(findChangePoints([1, 2, 100])).toEqual([]);
    expect(() => findChangePoints(new Array<number>(mostValues + 1).fill(0))).toThrow(RangeError);
  });
});

describe('findSteps', () => {
  /** A second's noise is 4 % of the rate; the test detects changes from 5 % on. */
  const share = (rho: number, change: (i: number) => number, runs = 60) => {
    let found = 0;
    for (let seed = 0; seed < runs; seed++) {
      const series = autoregressive(new Sfc32(seed), 60, rho).map((noise, i) => 100 + 4 * noise + change(i));
      if (findSteps(series, seed).some(({ before, after }) => Math.abs(after / before - 1) > 0.05)) found++;
    }
    return found / runs;
  };

  it('leaves changes to be found, short dips too', () => {
    const step = (i: number) => (i < 30 ? 0 : -20);
    const dip = (i: number) => (i >= 30 && i < 38 ? -30 : 0);
    expect(share(0.4, step)).toBeGreaterThan(0.9);
    expect(share(0.4, dip)).toBeGreaterThan(0.8);
    expect(share(0.8, step)).toBeGreaterThan(0.5);
  });

  it.each([0, 0.4, 0.7, 0.8, 0.9])('seldom takes correlation of %f in time for a change', (rho) => {
    // 5 % of 120 and three standard errors.
    expect(share(rho, () => 0, 120) * 120).toBeLessThanOrEqual(13);
  });

  it('finds the steps of a series without noise', () => {
    const steps = Array.from({ length: 60 }, (_, i) => (i < 20 ? 5 : i < 40 ? 9 : 5));
    expect(findSteps(steps).map(({ at }) => at)).toEqual([20, 40]);
  });
});

describe('blockLengthOf', () => {
  it('is a single value where nothing is correlated, or nothing can be detected', () => {
    expect(blockLengthOf([1, 5, 2, 8, 3])).toBeGreaterThanOrEqual(1);
    expect(blockLengthOf(Array.from({ length: 40 }, () => 7))).toBeLessThanOrEqual(2);
  });
});
