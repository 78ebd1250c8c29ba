import { describe, expect, it } from 'vitest';
import type { PlanStep } from '#engine-api/query-plan.ts';
import { planned, step } from '../../server/query-plans.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf } from '../shared/small-run.fixture.ts';
import { outcomeOf } from './plan-outcomes.fixture.ts';
import { spilled } from './spilled.ts';

describe('a sort that spilled', () => {
  const of = (...steps: readonly PlanStep[]) => outcomeOf(spilled, [steps]);

  it('is shown if the server reports it', () => {
    const { facts, outcome } = of(step('Sort', { kind: 'sort', spilled: true }));
    expect(outcome).toMatchObject({ status: 'shown', claim: expect.stringContaining('“Sort” of the operation') });
    expect(pictureText(outcome)).toBe('Plan of the operation: : *Sort');
    expect(mistakesOf(facts, outcome)).toBeNull();
  });

  it('of a scan has an experiment with more memory', () => {
    const plans = [planned(null, step('Sort', { kind: 'sort', spilled: true }))];
    const { facts, outcomes } = judged(spilled, {
      cells: [
        {
          settings: { operation: 'scan', orderBy: 'payload', sortMemoryKb: 64 },
          trials: [{ perSecond: [100], queryPlans: plans }],
        },
      ],
      descriptor: { sortMemory: { implementation: 'SET', leastKb: 64 } },
    });
    expect(outcomes).toMatchObject([{ status: 'shown', confirm: expect.anything() as unknown }]);
    expect(mistakesOf(facts, outcomes[0])).toEqual([]);
  });

  it('is not shown if the sort fits in memory, and is left open if the server does not report it', () => {
    expect(of(step('Sort', { kind: 'sort', spilled: false })).outcome.status).toBe('notShown');
    expect(of(step('Scan', { kind: 'fullScan' })).outcome.status).toBe('notShown');
    expect(of(step('USE TEMP B-TREE', { kind: 'sort' })).outcome.status).toBe('cannotTell');
    expect(outcomeOf(spilled, [null]).outcome.status).toBe('cannotTell');
  });
});
