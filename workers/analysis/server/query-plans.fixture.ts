import { type PlanStep, unknownStep } from '#engine-api/query-plan.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';

/** A step of which only the operator is known; for tests only. */
export const step = (operator: string, more: Partial<PlanStep> = {}): PlanStep => ({
  ...unknownStep,
  operator,
  ...more,
});

/** The plan of a statement; for tests only. */
export const planned = (statement: string | null, ...steps: readonly PlanStep[]): AskedPlan => ({
  statement,
  plan: { command: 'EXPLAIN', executed: steps.some(({ loops }) => loops !== null), steps },
  reason: null,
});
