import { expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { throughput } from '../random/samples.fixture.ts';
import { betweenRuns, betweenRunsChance } from './between-runs.ts';

it('gives a chance below 1 − level exactly where the bounds at that level exclude 1', () => {
  const random = new Sfc32(4);
  for (let i = 0; i < 200; i++) {
    const earlier = throughput(random, 3 + (i % 8), 0.05);
    const ratio = throughput(random, 1, 0.15, 1)[0]!;
    const { low, high } = betweenRuns(ratio, earlier, 0.95)!;
    expect(betweenRunsChance(ratio, earlier)! < 0.05).toBe(low > 1 || high < 1);
  }
  expect(betweenRunsChance(2, [1, 1])).toBeNull();
  expect([betweenRunsChance(1, [3, 3, 3]), betweenRunsChance(1.1, [3, 3, 3])]).toEqual([1, 0]);
});
