import { describe, expect, test } from 'vitest';
import { type PlanStep, planId } from '#engine-api/query-plan.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';
import type { RunModel, TrialView } from '../run-model/run-model.ts';
import { planned, step } from './query-plans.fixture.ts';
import { plansToCompare, statementPlans, type UsedPlan } from './query-plans.ts';

const trial = (target: string, variant: string, repeat: number, ...queryPlans: readonly AskedPlan[]): TrialView =>
  ({ trial: { number: 1, target, variant, repeat }, queryPlans }) as unknown as TrialView;
const plansIn = (...trials: readonly TrialView[]) =>
  statementPlans({
    trials,
    targets: [
      { name: 'a', engine: 'x' },
      { name: 'b', engine: 'x' },
      { name: 'c', engine: 'y' },
    ] as unknown as RunModel['targets'],
  });

describe('the plans of a statement', () => {
  const scan = step('SCAN', { kind: 'fullScan', table: 'table' });
  const seek = step('SEARCH', { kind: 'indexSeek', table: 'table', index: 'i' });

  test('are one plan where they differ in rows alone, with the repeats of each cell that have it', () => {
    const [of, ...more] = plansIn(
      trial('a', 'v', 2, planned('find', { ...scan, estimatedRows: 3 })),
      trial('b', 'v', 1, planned('find', scan)),
      trial('a', 'v', 1, planned('find', scan)),
      trial('a', 'w', 1, planned('find', seek)),
    );
    expect(more).toEqual([]);
    expect(of).toMatchObject({
      statement: 'find',
      plans: [
        {
          id: planId({ steps: [scan] }),
          uses: [
            { target: 'a', variant: 'v', repeats: [1, 2] },
            { target: 'b', variant: 'v', repeats: [1] },
          ],
        },
        { id: planId({ steps: [seek] }), uses: [{ target: 'a', variant: 'w', repeats: [1] }] },
      ],
      missing: [],
    });
  });

  test('of two engines are never the same', () => {
    const [of] = plansIn(trial('a', 'v', 1, planned('find', scan)), trial('c', 'v', 1, planned('find', scan)));
    expect(of?.plans.map(({ uses }) => uses.map(({ target }) => target))).toEqual([['a'], ['c']]);
  });

  test('are missing with their reason where no trial of the cell has one', () => {
    const none: AskedPlan = { statement: 'find', plan: null, reason: 'It is DDL.' };
    const [of] = plansIn(
      trial('a', 'v', 1, none),
      trial('a', 'v', 2, none),
      trial('b', 'v', 1, none, planned('find', scan)),
    );
    expect(of?.missing).toEqual([{ target: 'a', variant: 'v', reason: 'It is DDL.' }]);
  });
});

describe('plans side by side', () => {
  const used = (engine: string, variant: string, ...steps: readonly PlanStep[]): UsedPlan => ({
    id: planId({ steps }),
    engine,
    plan: { command: '', executed: false, steps, text: '', printed: null },
    uses: [{ variant, target: engine, repeats: [1] }],
  });
  test('are those of one engine first, then those of two engines in one variant', () => {
    const [a, b] = [used('x', 'v', step('1')), used('x', 'w', step('2'))];
    const [c, d] = [used('y', 'w', step('3')), used('z', 'u', step('4'))];
    expect(plansToCompare({ statement: null, plans: [a, b, c, d], missing: [] })).toEqual([
      [a, b],
      [b, c],
    ]);
  });
});
