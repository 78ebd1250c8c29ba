import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { autoregressive, normal } from '../random/samples.fixture.ts';
import { bestWholeSplit, findLevelChanges, type LevelSeries } from './level-changes.ts';
import { madeHistories } from './made-histories.fixture.ts';

/** A series on logarithms, as a history has it. */
const series = (values: readonly number[]): LevelSeries => ({
  values,
  leastError: 0.005,
  leastChange: Math.log1p(0.01),
});

/** Logarithms of values around levels: each level with its number of runs. */
const made = (random: Sfc32, cv: number, ...levels: readonly (readonly [runs: number, level: number])[]): LevelSeries =>
  series(levels.flatMap(([runs, level]) => Array.from({ length: runs }, () => Math.log(level) + cv * normal(random))));

const positions = (all: readonly LevelSeries[]) => findLevelChanges(all).map((one) => one.map(({ at }) => at));

describe('bestWholeSplit', () => {
  it('has the greatest energy distance of all splits, by the definition', () => {
    const energyOf = (values: readonly number[], at: number) => {
      const [left, right] = [values.slice(0, at), values.slice(at)];
      const distances = (a: readonly number[], b: readonly number[]) =>
        a.reduce((sum, x) => sum + b.reduce((total, y) => total + Math.abs(x - y), 0), 0);
      const [m, n] = [left.length, right.length];
      const within = (part: readonly number[]) => distances(part, part) / (part.length * (part.length - 1));
      return ((m * n) / (m + n)) * ((2 / (m * n)) * distances(left, right) - within(left) - within(right));
    };
    const numbers = fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 4, maxLength: 16 });
    fc.assert(
      fc.property(numbers, (values) => {
        const all = Array.from({ length: values.length - 3 }, (_, i) => energyOf(values, i + 2));
        expect(energyOf(values, bestWholeSplit(values)!)).toBeCloseTo(Math.max(...all), 6);
      }),
      { seed: 1 },
    );
    expect(bestWholeSplit([1, 2, 3])).toBeNull();
  });
});

describe('findLevelChanges', () => {
  it('finds a step with its size, in a history of ten runs', () => {
    const [[found] = []] = findLevelChanges([made(new Sfc32(1), 0.02, [5, 100], [5, 140])]);
    expect(found).toMatchObject({ at: 5 });
    expect(Math.exp(found!.after - found!.before)).toBeCloseTo(1.4, 1);
    expect(Math.exp(found!.low)).toBeLessThan(1.4);
    expect(Math.exp(found!.high)).toBeGreaterThan(1.4);
    expect(found!.p).toBeLessThan(0.001);
  });

  it('finds a change that was taken back, and several steps', () => {
    expect(positions([made(new Sfc32(2), 0.02, [6, 100], [3, 70], [6, 100])])).toEqual([[6, 9]]);
    expect(positions([made(new Sfc32(3), 0.02, [20, 100], [20, 110], [20, 125])])).toEqual([[20, 40]]);
  });

  it('finds a short dip in a long history', () => {
    const [found = []] = positions([made(new Sfc32(4), 0.02, [120, 100], [4, 60], [120, 100])]);
    expect(found).toEqual([120, 124]);
  });

  it('takes neither one outlier, nor rounding, nor a change below 1 % for a change', () => {
    const outlier = [100, 101, 99, 100, 160, 100, 101, 99].map(Math.log);
    const rounded = [100, 100, 100, 100.4, 100.4, 100.4].map(Math.log);
    const small = Array.from({ length: 400 }, (_, i) => (i < 200 ? 0 : 0.008) + 0.002 * normal(new Sfc32(i)));
    expect(positions([series(outlier), series(rounded), series(small), series([1, 1, 1, 1, 1])])).toEqual([
      [],
      [],
      [],
      [],
    ]);
    expect(positions([series([1, 2]), series([])])).toEqual([[], []]);
  });

  it('seldom takes a slow drift from run to run for a change', () => {
    let claimed = 0;
    for (let seed = 0; seed < 100; seed++) {
      const values = autoregressive(new Sfc32(seed), 60, 0.5).map((one) => 0.03 * one);
      if (positions([series(values)])[0]!.length > 0) claimed++;
    }
    expect(claimed).toBeLessThanOrEqual(20);
  });

  it('claims a change in one of twenty histories without a change at most, however many series they have', () => {
    const claims = (runs: number, count: number, histories: number) => {
      let claimed = 0;
      for (let seed = 0; seed < histories; seed++) {
        const random = new Sfc32(seed, runs);
        const all = Array.from({ length: count }, () => made(random, 0.03, [runs, 100]));
        if (findLevelChanges(all).some((found) => found.length > 0)) claimed++;
      }
      return claimed;
    };
    // 5 % and three standard errors.
    for (const [runs, count] of [
      [5, 8],
      [8, 1],
      [10, 8],
      [15, 20],
      [40, 4],
    ] as const)
      expect(claims(runs, count, 300)).toBeLessThanOrEqual(26);
  });

  it('finds a change of 20 % among ten series of ten runs that scatter by 3 % in most histories', () => {
    let found = 0;
    for (let seed = 0; seed < 100; seed++) {
      const random = new Sfc32(seed, 7);
      const still = Array.from({ length: 9 }, () => made(random, 0.03, [10, 100]));
      const [first = []] = positions([made(random, 0.03, [5, 100], [5, 120]), ...still]);
      if (first.some((at) => at === 5)) found++;
    }
    expect(found).toBeGreaterThanOrEqual(85);
  });

  it('finds the known steps of made-up histories, and hardly any other ones', () => {
    const near = (a: number, all: readonly number[]) => all.some((b) => Math.abs(a - b) <= 1);
    const all = madeHistories().map(({ values, steps }) => ({
      truth: steps.map(({ at }) => at),
      found: positions([series(values.map(Math.log))])[0]!,
    }));
    const count = (of: (one: (typeof all)[number]) => readonly number[]) => all.flatMap(of).length;
    expect(count(({ truth }) => truth)).toBe(68);
    expect(count(({ truth, found }) => truth.filter((at) => near(at, found)))).toBeGreaterThanOrEqual(55);
    expect(count(({ truth, found }) => found.filter((at) => !near(at, truth)))).toBeLessThanOrEqual(2);
  });
});
