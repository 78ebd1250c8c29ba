import { type PlanStep, unknownStep } from '#engine-api/query-plan.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';

/** A step with only an operator; only for tests. */
export const step = (operator: string, more: Partial<PlanStep> = {}): PlanStep => ({
  ...unknownStep,
  operator,
  ...more,
});

/** The plan of a statement; only for tests. */
export const planned = (statement: string | null, ...steps: readonly PlanStep[]): AskedPlan => ({
  statement,
  plan: {
    ...{ command: 'EXPLAIN', executed: steps.some(({ loops }) => loops !== null), steps },
    ...{ text: `SELECT * FROM ${statement ?? 'rows'}`, printed: steps.map(({ operator }) => operator).join('\n') },
  },
  reason: null,
});
