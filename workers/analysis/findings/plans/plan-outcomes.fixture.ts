import { expect } from 'vitest';
import type { PlanStep } from '#engine-api/query-plan.ts';
import { planned, step } from '../../server/query-plans.fixture.ts';
import type { Outcome, Rule } from '../shared/finding.ts';
import { judged, type SmallRun } from '../shared/small-run.fixture.ts';

/** The outcome of a rule for a cell whose repeats have these plans of the operation; null: no plan was requested. */
export function outcomeOf(rule: Rule, plans: readonly (readonly PlanStep[] | null)[], more: Partial<SmallRun> = {}) {
  const trials = plans.map((steps, i) => ({
    perSecond: [100 * (i + 1), 100 * (i + 1)],
    ...(steps && { queryPlans: [planned(null, ...steps)] }),
  }));
  const { facts, outcomes } = judged(rule, { cells: [{ settings: { operation: 'readByKey' }, trials }], ...more });
  expect(outcomes).toHaveLength(1);
  return { facts, outcome: outcomes[0]! as Outcome };
}
/** A step whose rows the server counted in an execution. */
export const counted = (
  operator: string,
  estimatedRows: number,
  actualRows: number,
  more: Partial<PlanStep> = {},
): PlanStep =>
  step(operator, { estimatedRows, actualRows, examinedRows: actualRows, loops: 1, table: 'table', ...more });
