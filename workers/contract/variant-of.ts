import type { Plan, Variant } from './plan.ts';

/** The variant with this id; undefined where the plan has none (a cell of another run). */
export const variantOf = ({ variants }: Pick<Plan, 'variants'>, id: string): Variant | undefined =>
  variants.find((variant) => variant.id === id);

/** How a variant is called in tables and charts; its id where the plan does not know it. */
export const variantLabel = (plan: Pick<Plan, 'variants'>, id: string): string => variantOf(plan, id)?.label ?? id;

/** How it is called within a sentence, where a bare number would say nothing: "connections 8". */
export function variantInWords(plan: Pick<Plan, 'variants'>, id: string): string {
  const [[factor, level] = [], ...more] = Object.entries(variantOf(plan, id)?.levels ?? {});
  const label = variantLabel(plan, id);
  return typeof level === 'number' && more.length === 0 ? `${factor} ${label}` : label;
}
