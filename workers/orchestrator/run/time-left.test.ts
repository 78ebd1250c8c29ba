import { expect, it } from 'vitest';
import { experimentYaml } from '#integration/home.fixture.ts';
import { type FinishedTrial, noDurations } from '#planning/durations.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { secondsLeft as leftOf } from './time-left.ts';

const plan: Plan = planExperiment(
  parseFile(
    experimentYaml({
      workload: '{ operation: readByKey }',
      targets: '[noop, sqlite]',
      measure: '{ until: { seconds: 5 }, repeats: 3, warmupSeconds: 1 }',
    }),
  ),
  planContext(),
).plan!;
const secondsLeft = (remaining: Plan['trials'], finished: readonly FinishedTrial[]) =>
  leftOf(plan, remaining, finished, noDurations);
const on = (target: string) => plan.trials.filter((trial) => trial.target === target);

it('counts the seconds of the plan while nothing has run', () => {
  const left = secondsLeft(plan.trials, []);
  expect(left).toBeGreaterThanOrEqual(6 * 6);
  expect(left).toBeLessThan(6 * 10);
});

it('takes finished repeats for those to come', () => {
  const [first, ...rest] = on('sqlite');
  expect(secondsLeft(rest, [{ ...first!, seconds: 20, tablesSeconds: 0 }])).toBeCloseTo(40, 6);
});

it('corrects estimates by what other targets took', () => {
  const before = secondsLeft(on('noop'), []);
  const after = secondsLeft(
    on('noop'),
    on('sqlite').map((one) => ({ ...one, seconds: 70, tablesSeconds: 0 })),
  );
  expect(after).toBeGreaterThan(before * 5);
});
