import { expect, it } from 'vitest';
import { madeCells } from '#analysis/compare/made-cells.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Published } from '#experiment/schema/published.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { judgeCard } from './judge-card.ts';

type Value = Published['values'][number];

/** A run of three variants, the second of which is five times as fast as the first, and the third about as fast. */
function runOf(value: Partial<Value>, of: Published['of'] = 'ratio', level = 'b'): RunModel {
  const model = madeCells(new Sfc32(7), {
    ...{ variants: 3, targets: 1, repeats: 5 },
    rate: (variant) => (variant === 1 ? 5_000 : 1_000),
  });
  const published: Published = {
    ...{ source: 'A source', of, baseline: { step: 'a' } },
    values: [
      { levels: { step: 'a' }, value: of === 'seconds' ? 10 : 1 },
      { levels: { step: level }, value: 1, ...value },
    ],
  };
  const variants = model.plan.variants.map((one, i) => ({ ...one, levels: { step: ['a', 'b', 'c'][i]! } }));
  return {
    ...model,
    plan: { ...model.plan, variants, experiment: { ...model.plan.experiment, published: [published] } },
    status: 'complete',
  } as RunModel;
}

it('confirms a published ratio of the same sign', () => {
  expect(judgeCard(runOf({ value: 2 }))).toEqual({ failures: [], undecided: [], confirmed: 1 });
  expect(judgeCard(runOf({ value: 4 }, 'seconds'))).toMatchObject({ failures: [], confirmed: 1 });
});

it('fails for a sign that has turned for certain', () => {
  const { failures, confirmed } = judgeCard(runOf({ value: 0.5 }));
  expect(failures).toEqual([
    expect.stringMatching(/^v1 on t0 is 4\.88× of v0 here \(4\.\d+× to 5\.\d+×\), and 0\.500× in A source\.$/),
  ]);
  expect(confirmed).toBe(0);
  expect(judgeCard(runOf({ value: 20 }, 'seconds')).failures).toHaveLength(1);
});

it('lists a sign that the run does not decide, and fails for none', () => {
  const { failures, undecided } = judgeCard(runOf({ value: 3 }, 'ratio', 'c'));
  expect(failures).toEqual([]);
  expect(undecided).toHaveLength(1);
});

it('takes no sign from a bound that leaves it open', () => {
  const none = { failures: [], undecided: [], confirmed: 0 };
  expect(judgeCard(runOf({ value: 0.5, bound: 'atLeast' }))).toEqual(none);
  expect(judgeCard(runOf({ value: 2, bound: 'atMost' }))).toEqual(none);
  expect(judgeCard(runOf({ value: 20, bound: 'atMost' }, 'seconds'))).toEqual(none);
  expect(judgeCard(runOf({ value: 0.5, bound: 'atMost' })).failures).toHaveLength(1);
  expect(judgeCard(runOf({ value: 2, bound: 'atLeast' })).confirmed).toBe(1);
});

it('fails for failed trials, once for each error, and for a run that did not end', () => {
  const model = runOf({ value: 2 });
  const trials = model.trials.map((one, i) =>
    i < 2 ? { ...one, result: { ...one.result!, status: 'failed', error: { message: 'It broke.\nA log.' } } } : one,
  ) as RunModel['trials'];
  expect(judgeCard({ ...model, trials, status: 'interrupted' }).failures).toEqual([
    'v0: It broke.',
    'The run is interrupted.',
  ]);
});

it('names the error of a target once, and not with each of its trials', () => {
  const error = { message: 'The server does not start.' };
  const model = runOf({ value: 2 });
  const trials = model.trials.map((one) => ({ ...one, result: { ...one.result!, status: 'failed', error } }));
  const targets = model.targets.map((one) => ({ ...one, error }));
  expect(judgeCard({ ...model, targets, trials } as unknown as RunModel).failures).toEqual([
    't0: The server does not start.',
  ]);
});
