import * as v from 'valibot';
import { planStepExtents, planStepKinds } from '#engine-api/query-plan.ts';
import { amount, ordinal, type Read, whole } from './read-values.ts';

/** No plan has as many steps; a file with more would only fill the memory. */
const mostSteps = 2_000;

const planStep = v.object({
  depth: whole,
  kind: v.picklist(planStepKinds),
  operator: v.string(),
  table: v.nullable(v.string()),
  index: v.nullable(v.string()),
  estimatedRows: v.nullable(amount),
  actualRows: v.nullable(amount),
  examinedRows: v.nullable(amount),
  loops: v.nullable(amount),
  sharedBy: ordinal,
  extent: v.picklist(planStepExtents),
  cost: v.nullable(amount),
  spilled: v.nullable(v.boolean()),
  filter: v.nullable(v.string()),
  details: v.array(v.string()),
});

/** The schema of QueryPlan (engine-api/query-plan.ts). */
export const queryPlanSchema = v.object({
  command: v.string(),
  executed: v.boolean(),
  steps: v.pipe(
    v.array(planStep),
    v.minLength(1),
    v.maxLength(mostSteps),
    v.check(
      (steps) => steps.every(({ depth }, i) => depth <= (steps[i - 1]?.depth ?? -1) + 1),
      'a step is deeper than the one before by more than one level',
    ),
  ),
  text: v.string(),
  printed: v.nullable(v.string()),
});

/** The schema of AskedPlan. */
export const askedPlanSchema = v.object({
  /** Name of the experiment's statement; null: the trial's operation. */
  statement: v.nullable(v.string()),
  /** Null: there is none, for `reason`. Tables have the names that the experiment gives them. */
  plan: v.nullable(queryPlanSchema),
  /** The reason why there is no plan, as a sentence; null: there is one. */
  reason: v.nullable(v.string()),
});
/** The query plan of one statement of a trial, asked outside the clock. */
export type AskedPlan = Read<typeof askedPlanSchema>;

/** The moments at which plans are asked: after the warm-up, or after the measured phase. */
export const planMoments = ['warm', 'measured'] as const;
/** One of these moments. */
export type PlanMoment = (typeof planMoments)[number];
