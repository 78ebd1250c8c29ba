import { describe, expect, it } from 'vitest';
import type { PlanStep } from '#engine-api/query-plan.ts';
import { planned, step } from '../../server/query-plans.fixture.ts';
import { pictureText } from '../shared/picture.fixture.ts';
import { judged, mistakesOf, type SmallRun } from '../shared/small-run.fixture.ts';
import { planChanged } from './plan-changed.ts';
import { outcomeOf } from './plan-outcomes.fixture.ts';

describe('a plan that changed', () => {
  const scan = [step('Seq Scan', { kind: 'fullScan', table: 'table' })];
  const seek = [step('Index Scan', { kind: 'indexSeek', table: 'table', index: 'i' })];

  it('is shown with the repeats and the throughput of each plan', () => {
    const { facts, outcome } = outcomeOf(planChanged, [scan, seek, seek]);
    expect(outcome).toMatchObject({
      status: 'shown',
      confidence: 'certain',
      claim: expect.stringMatching(
        /had 2 plans: “Index Scan” on table, i in repeat 2, 3 \(250\srows\/s\); “Seq Scan” on table in repeat 1 \(100\srows\/s\)\.$/,
      ) as string,
      explains: 0.6,
    });
    expect(pictureText(outcome)).toBe(
      'Plan of the operation: in repeat 2, 3: Index Scan · table · i; in repeat 1: Seq Scan · table',
    );
    expect(mistakesOf(facts, outcome)).toEqual([]);
  });

  it('is not shown where plans differ in rows alone, and cannot be told from one plan', () => {
    const more = [step('Seq Scan', { kind: 'fullScan', table: 'table', estimatedRows: 7 })];
    expect(outcomeOf(planChanged, [scan, more]).outcome.status).toBe('notShown');
    expect(outcomeOf(planChanged, [scan]).outcome.status).toBe('cannotTell');
    expect(outcomeOf(planChanged, [scan, null]).outcome.status).toBe('cannotTell');
    expect(outcomeOf(planChanged, [null, null]).outcome.status).toBe('cannotTell');
  });

  it('is not shown between a plan that was executed and one that was not', () => {
    const executed = seek.map((one) => ({ ...one, loops: 1 }));
    expect(outcomeOf(planChanged, [scan, executed]).outcome.status).toBe('cannotTell');
    expect(outcomeOf(planChanged, [scan, executed, scan]).outcome.status).toBe('notShown');
  });

  const judgedWith = (cells: SmallRun['cells']) => judged(planChanged, { cells }).outcomes;

  it('is shown where the plan is another after the measured phase', () => {
    const of = (later: readonly PlanStep[]) =>
      judgedWith([
        {
          settings: { operation: 'readByKey' },
          trials: [{ perSecond: [100], queryPlans: [planned(null, ...seek)], laterPlans: [planned(null, ...later)] }],
        },
      ]);
    expect(of(scan)).toMatchObject([
      {
        status: 'shown',
        claim: expect.stringMatching(
          /“Index Scan” on table, i before the measured phase of repeat 1; “Seq Scan” on table after the measured phase/,
        ) as string,
      },
    ]);
    expect(of(seek)).toMatchObject([{ status: 'notShown' }]);
  });

  it('is shown between variants that differ in their load, and not where an index differs', () => {
    const cell = (levels: Record<string, number | string>, steps: readonly PlanStep[], rows: number) => ({
      levels,
      settings: { operation: 'readByKey' } as const,
      trials: [{ perSecond: [rows], queryPlans: [planned(null, ...steps)] }],
    });
    expect(judgedWith([cell({ connections: 1 }, seek, 100), cell({ connections: 8 }, scan, 25)])).toMatchObject([
      { status: 'cannotTell' },
      {
        status: 'shown',
        explains: 0.75,
        claim: expect.stringMatching(
          /“Index Scan” on table, i with connections 1 \(.*\); “Seq Scan” on table with connections 8/,
        ) as string,
      },
    ]);
    const same = judgedWith([cell({ connections: 1 }, seek, 100), cell({ connections: 8 }, seek, 25)]);
    expect(same.map(({ status }) => status)).toEqual(['cannotTell', 'notShown']);
    const index = [cell({ indexCreation: 'none' }, scan, 25), cell({ indexCreation: 'afterLoad' }, seek, 100)];
    expect(judgedWith(index).map(({ status }) => status)).toEqual(['cannotTell', 'cannotTell']);
  });
});
