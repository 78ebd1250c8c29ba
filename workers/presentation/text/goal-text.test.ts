import { expect, test } from 'vitest';
import { madeTimes } from '#analysis/compare/made-times.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { goalsSentence } from './goal-text.ts';

/** The sentence about three targets, of which the last one takes 30 ms and the others 10 ms. */
function sentenceOf(p50Ms: number): string {
  const made = madeTimes(new Sfc32(3), {
    ...{ variants: 1, targets: 3, statements: 2, repeats: 5, calls: 400, correlation: 0, cv: () => 0.02 },
    ms: (_, target, statement) => (target === 2 && statement === 1 ? 30 : 10),
  });
  const experiment = { ...made.plan.experiment, goals: { p50Ms, of: 's1' } };
  return goalsSentence({ ...made, plan: { ...made.plan, experiment } } as RunModel);
}

test('cells that are alike in their goals are counted, and others are named with those that miss a goal first', () => {
  expect(sentenceOf(1_000)).toBe('Goals: each of 3 cells meets p50 of s1 ≤ 1,000 ms.');
  expect(sentenceOf(1)).toBe('Goals: each of 3 cells misses p50 of s1 ≤ 1 ms.');
  expect(sentenceOf(20)).toBe(
    'Goals: t2 misses p50 of s1 ≤ 20 ms; t0 meets p50 of s1 ≤ 20 ms; t1 meets p50 of s1 ≤ 20 ms.',
  );
});
