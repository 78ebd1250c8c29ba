import { variantText } from '#planning/variant-of.ts';
import type { Cell, Plan } from '#protocol/plan.ts';

/** A cell within a sentence: "bulk · Connections: 4 on PostgreSQL"; only the target if there is one variant. */
export const cellName = (plan: Pick<Plan, 'variants'>, { variant, target }: Cell): string =>
  plan.variants.length === 1 ? target : `${variantText(plan, variant)} on ${target}`;
