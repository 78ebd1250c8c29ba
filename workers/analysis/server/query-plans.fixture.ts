import { type PlanStep, unknownStep } from '#engine-api/query-plan.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';

/** For tests only: a step of which nothing is known but its operator. */
export const step = (operator: string, more: Partial<PlanStep> = {}): PlanStep => ({
  ...unknownStep,
  operator,
  ...more,
});

/** For tests only: the plan of a statement. */
export const planned = (statement: string | null, ...steps: readonly PlanStep[]): AskedPlan => ({
  statement,
  plan: { command: 'EXPLAIN', executed: steps.some(({ loops }) => loops !== null), steps },
  reason: null,
});
