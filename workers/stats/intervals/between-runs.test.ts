import { expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { normal } from '../random/samples.fixture.ts';
import { againstRuns } from './between-runs.ts';
import { chanceOf } from './intervals.ts';

/** The share of sets of runs without a change whose next run differs from them at 5 %. */
function falseShare(runs: number, wander: number): { readonly plain: number; readonly cautious: number } {
  const random = new Sfc32(4);
  const count = { plain: 0, cautious: 0 };
  const sets = 2_000;
  for (let i = 0; i < sets; i++) {
    let level = 0;
    const made = Array.from({ length: runs + 1 }, () => {
      level += wander * normal(random);
      return Math.exp(level + 0.02 * normal(random));
    });
    const { value, error, cautiousError, freedom } = againstRuns(made.at(-1)!, made.slice(0, -1))!;
    if (chanceOf(value, { error, freedom }) < 0.05) count.plain++;
    if (chanceOf(value, { error: cautiousError, freedom }) < 0.05) count.cautious++;
  }
  return { plain: count.plain / sets, cautious: count.cautious / sets };
}

it.each([3, 5, 10])('finds one run of twenty different from %i runs of the same thing', (runs) => {
  const { plain, cautious } = falseShare(runs, 0);
  // 5 % of 2,000 and three standard errors.
  expect(Math.abs(plain - 0.05)).toBeLessThan(0.015);
  expect(cautious).toBeLessThan(plain);
});

it('is more careful where the level of the runs wanders', () => {
  const { plain, cautious } = falseShare(10, 0.05);
  expect(plain).toBeGreaterThan(0.1);
  expect(cautious).toBeLessThan(0.05);
});

it('knows nothing of fewer than three runs, and finds every difference from equal ones', () => {
  expect(againstRuns(2, [1, 1])).toBeNull();
  expect(againstRuns(3, [3, 3, 3])).toMatchObject({ value: 0, error: 0, freedom: 2 });
  expect(chanceOf(0.1, againstRuns(3.3, [3, 3, 3])!)).toBe(0);
});
