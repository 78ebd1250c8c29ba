import { expect, test } from 'vitest';
import type { PlanStep } from '#engine-api/query-plan.ts';
import type { RunModel, TrialView } from '../run-model/run-model.ts';
import { planned, step } from '../server/query-plans.fixture.ts';
import { comparePlans } from './compare-plans.ts';

const run = (...trials: readonly (readonly [variant: string, steps: readonly PlanStep[]])[]) =>
  ({
    targets: [{ name: 't', engine: 'x' }],
    trials: trials.map(
      ([variant, steps], i) =>
        ({
          trial: { number: i + 1, target: 't', variant, repeat: i + 1 },
          queryPlans: [planned('find', ...steps), { statement: 'change', plan: null, reason: 'None.' }],
        }) as unknown as TrialView,
    ),
  }) as unknown as RunModel;
const scan = [step('Seq Scan', { kind: 'fullScan', table: 'table' })];
const seek = [step('Index Scan', { kind: 'indexSeek', table: 'table', index: 'i' })];
const told = (before: RunModel, after: RunModel) =>
  comparePlans(before, after).map(({ before: old, after: now, hasChanged }) => [
    now.variant,
    old.plan.steps[0]?.operator,
    now.plan.steps[0]?.operator,
    hasChanged,
  ]);

test('the last plan of a statement in each cell is compared, changed plans first', () => {
  expect(told(run(['a', scan], ['b', seek]), run(['a', scan], ['b', seek], ['b', scan]))).toEqual([
    ['b', 'Index Scan', 'Seq Scan', true],
    ['a', 'Seq Scan', 'Seq Scan', false],
  ]);
});

test('cells of one run alone, and plans of which one was executed, are not compared', () => {
  expect(told(run(['a', scan]), run(['b', scan]))).toEqual([]);
  expect(told(run(['a', scan]), run(['a', seek.map((one) => ({ ...one, loops: 1 }))]))).toEqual([]);
});
