import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { ratios } from './compare.ts';
import { headlineClaims } from './headline-claims.ts';
import { latencyRatios } from './latency-ratios.ts';
import { madeTimes } from './made-times.fixture.ts';
import { meanRatios } from './mean-ratios.ts';
import { rankedCells } from './ranked-cells.ts';

/** Two variants on three targets, where t1 answers s0 otherwise than the other two. */
function apart(): RunModel {
  const model = madeTimes(new Sfc32(5), { variants: 2, targets: 3, repeats: 3, statements: 2 });
  const differ = (target: string, other: string, variant: string) => ({
    ...{ statement: 's0', draws: 1, why: 'it returned other rows', other: { target: other, variant } },
    outcome: [target, other].includes('t1') ? ('differ' as const) : ('equal' as const),
  });
  const cells = model.cells.map((cell) => ({
    ...cell,
    load: null,
    otherAnswers: ['t0', 't1', 't2']
      .filter((other) => other !== cell.target)
      .map((other) => differ(cell.target, other, cell.variant)),
  }));
  return { ...model, cells };
}

test('two targets that answer a statement otherwise have no verdict on it, nor on throughput', () => {
  const model = apart();
  const verdicts = ratios(model, { target: 't0' }).filter(({ variant }) => variant === 'v0');
  expect(verdicts.map(({ verdict, otherRows }) => [verdict, otherRows])).toEqual([
    ['baseline', undefined],
    ['notComparable', true],
    [expect.stringMatching(/notSignificant|faster|slower/), undefined],
  ]);
  expect(meanRatios(model, { target: 't0' }).map(({ target }) => target)).toEqual(['t2']);
  const times = latencyRatios(model, { target: 't0' }, ['mean']);
  const of = (target: string) =>
    times
      .filter((one) => one.target === target && one.variant === 'v0')
      .map(({ work, verdict }) => [work, verdict === 'notComparable']);
  expect(of('t1'), 'the times of the other statement stay').toEqual([
    [null, true],
    ['s0', true],
    ['s1', false],
  ]);
  expect(of('t2')).toEqual([
    [null, false],
    ['s0', false],
    ['s1', false],
  ]);
});

test('a statement that only levels have is compared among the cells that call it', () => {
  const { trials, ...model } = madeTimes(new Sfc32(5), { variants: 3, targets: 1, repeats: 3, statements: 2 });
  const added = trials.map((view) =>
    view.trial.variant === 'v0'
      ? { ...view, result: { ...view.result!, statements: view.result!.statements!.slice(0, 1) } }
      : view,
  );
  const times = latencyRatios({ ...model, trials: added }, { variant: 'v0' }, ['mean']);
  const of = (name: string) =>
    times
      .filter(({ work }) => work === name)
      .map(({ variant, against, verdict }) => [variant, against.variant, verdict === 'baseline']);
  expect(of('s0')).toEqual([
    ['v0', 'v0', true],
    ['v1', 'v0', false],
    ['v2', 'v0', false],
  ]);
  expect(of('s1')).toEqual([
    ['v1', 'v1', true],
    ['v2', 'v1', false],
  ]);
  const experiment = { ...model.plan.experiment, judge: [{ statement: 's1', quantile: 0.5 }] };
  const judged = { ...model, trials: added, plan: { ...model.plan, experiment } } as unknown as RunModel;
  expect(headlineClaims(judged, { variant: 'v0' }).latency!.comparisons).toBe(1);
});

test('variants of a target with other answers stay comparable, and no ranking of targets has it', () => {
  const model = apart();
  const verdicts = ratios(model, { variant: 'v0' }).filter(({ target }) => target === 't1');
  expect(verdicts.map(({ verdict }) => verdict)).not.toContain('notComparable');
  expect(new Set(rankedCells(model).map(({ target }) => target))).toEqual(new Set(['t0', 't2']));
  const { lead, best } = headlineClaims(model, { target: 't0' });
  expect(lead!.fastest.target).not.toBe('t1');
  expect(best!.others.map(({ best: { target } }) => target)).not.toContain('t1');
});
