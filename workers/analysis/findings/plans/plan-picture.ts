import type { PlanStep, QueryPlan } from '#engine-api/query-plan.ts';
import type { Picture } from '../shared/picture.ts';

/** The most plans and steps in a picture. */
const [mostPlans, mostSteps] = [2, 6];

/** Plans of a statement beside each other. The steps that `isAbout` selects stand out; default: none. */
export const planPicture = (
  statement: string,
  plans: readonly { readonly label: string; readonly plan: QueryPlan }[],
  isAbout: (step: PlanStep) => boolean = () => false,
): Picture => ({
  kind: 'trees',
  title: `Plan of ${statement}`,
  trees: plans.slice(0, mostPlans).map(({ label, plan }) => ({
    label,
    lines: plan.steps.slice(0, mostSteps).map((step) => ({
      depth: step.depth,
      text: [step.operator, step.table, step.index].filter((word) => word !== null && word !== '').join(' · '),
      isMarked: isAbout(step),
    })),
  })),
});
