import { describe, expect, it } from 'vitest';
import type { PlanStep } from '#engine-api/query-plan.ts';
import { planned, step } from '../../server/query-plans.fixture.ts';
import type { Outcome, Rule } from '../shared/finding.ts';
import { judged, mistakesOf, type SmallRun } from '../shared/small-run.fixture.ts';
import { estimatesOff } from './estimates-off.ts';
import { planChanged } from './plan-changed.ts';
import { spilled } from './spilled.ts';

/** The outcome of a rule for a cell whose repeats have these plans of the operation; null: none was asked. */
function outcomeOf(rule: Rule, plans: readonly (readonly PlanStep[] | null)[], more: Partial<SmallRun> = {}) {
  const trials = plans.map((steps, i) => ({
    perSecond: [100 * (i + 1), 100 * (i + 1)],
    ...(steps && { queryPlans: [planned(null, ...steps)] }),
  }));
  const { facts, outcomes } = judged(rule, { cells: [{ settings: { operation: 'readByKey' }, trials }], ...more });
  expect(outcomes).toHaveLength(1);
  return { facts, outcome: outcomes[0]! as Outcome };
}
const counted = (operator: string, estimatedRows: number, actualRows: number, more: Partial<PlanStep> = {}): PlanStep =>
  step(operator, { estimatedRows, actualRows, examinedRows: actualRows, loops: 1, table: 'table', ...more });

describe('estimates that are off', () => {
  const of = (...steps: readonly PlanStep[]) => outcomeOf(estimatesOff, [steps]).outcome;

  it('are shown with both numbers of the worst step', () => {
    const outcome = of(counted('Scan', 200, 20_000), counted('Sort', 100, 5_000, { depth: 1, table: null }));
    expect(outcome).toMatchObject({ status: 'shown', confidence: 'certain' });
    expect(outcome).toMatchObject({
      claim: expect.stringMatching(/expected 200 rows .*“Scan” on table, and there were 20,000\.$/),
    });
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

describe('a sort that spilled', () => {
  const of = (...steps: readonly PlanStep[]) => outcomeOf(spilled, [steps]);

  it('is shown where the server says so', () => {
    const { facts, outcome } = of(step('Sort', { kind: 'sort', spilled: true }));
    expect(outcome).toMatchObject({ status: 'shown', claim: expect.stringContaining('“Sort” of the operation') });
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

  it('is not shown where it fits, and left open where the server says nothing', () => {
    expect(of(step('Sort', { kind: 'sort', spilled: false })).outcome.status).toBe('notShown');
    expect(of(step('Scan', { kind: 'fullScan' })).outcome.status).toBe('notShown');
    expect(of(step('USE TEMP B-TREE', { kind: 'sort' })).outcome.status).toBe('cannotTell');
    expect(outcomeOf(spilled, [null]).outcome.status).toBe('cannotTell');
  });
});

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
