import { describe, expect, it } from 'vitest';
import type { PlanStep } from '#engine-api/query-plan.ts';
import { step } from '../../server/query-plans.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { estimatesOff } from './estimates-off.ts';
import { counted, outcomeOf } from './plan-outcomes.fixture.ts';

describe('estimates that are off', () => {
  const of = (...steps: readonly PlanStep[]) => outcomeOf(estimatesOff, [steps]).outcome;

  it('are shown with both numbers of the worst step', () => {
    const outcome = of(counted('Scan', 200, 20_000), counted('Sort', 100, 5_000, { depth: 1, table: null }));
    expect(outcome).toMatchObject({ status: 'shown', confidence: 'certain' });
    expect(outcome).toMatchObject({
      claim: expect.stringMatching(/expected 200 rows .*“Scan” on table, and there were 20,000\.$/),
    });
    expect(pictureText(outcome)).toBe('Rows of a step of the plan: Rows estimated 200, Rows counted 20,000');
    expect(of(counted('Scan', 20_000, 5)).status).toBe('shown');
  });

  it('are not shown below ten times, for few rows, and where a step was never executed', () => {
    expect(of(counted('Scan', 200, 1_900)).status).toBe('notShown');
    expect(of(counted('Scan', 1, 99)).status).toBe('notShown');
    const never = counted('Scan', 40_000, 0, { depth: 1, loops: 0, actualRows: null });
    expect(of(counted('Join', 10, 10), never).status).toBe('notShown');
  });

  it('of a step that may stop are shown only where there were too many rows, and of one that repeats never', () => {
    const stopped = (estimated: number, actual: number) =>
      of(counted('Scan', estimated, actual, { extent: 'mayStop' }));
    expect(stopped(40_000, 10).status).toBe('notShown');
    expect(stopped(10, 4_000)).toMatchObject({
      status: 'shown',
      claim: expect.stringContaining('there were at least 4,000') as string,
    });
    const repeated = counted('Scan', 10, 4_000, { extent: 'mayRepeat' });
    expect(of(counted('Join', 10, 10), repeated).status).toBe('notShown');
  });

  it('cannot be told where nothing was counted', () => {
    expect(of(step('SCAN', { table: 'table' })).status).toBe('cannotTell');
    expect(outcomeOf(estimatesOff, [null]).outcome.status).toBe('cannotTell');
  });
});
