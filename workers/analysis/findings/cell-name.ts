import type { Cell, Plan } from '#contract/plan.ts';
import { variantLabel, variantOf } from '#contract/variant-of.ts';

/**
 * A cell within a sentence: "bulk · 4 on PostgreSQL"; "callsPerCommit 100 on SQLite" where the variant's name is a bare number; the target alone
 * where there is one variant.
 */
export function cellName(plan: Pick<Plan, 'variants'>, { variant, target }: Cell): string {
  if (plan.variants.length === 1) return target;
  const [[factor, level] = [], ...more] = Object.entries(variantOf(plan, variant)?.levels ?? {});
  const label = variantLabel(plan, variant);
  return `${typeof level === 'number' && more.length === 0 ? `${factor} ${label}` : label} on ${target}`;
}
