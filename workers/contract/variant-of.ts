import type { Plan, Variant } from './plan.ts';

/** The variant with this id; undefined where the plan has none (a cell of another run). */
export const variantOf = ({ variants }: Pick<Plan, 'variants'>, id: string): Variant | undefined =>
  variants.find((variant) => variant.id === id);

/** How a variant is called in tables and charts; its id where the plan does not know it. */
export const variantLabel = (plan: Pick<Plan, 'variants'>, id: string): string => variantOf(plan, id)?.label ?? id;

/** A number that is a level, as labels have it. */
export const numberLabel = (level: number): string => level.toLocaleString('en');

/** How it is called within a sentence, where bare numbers would say nothing: "connections 8", "connections 8 · workingSet 0.05". */
export function variantInWords(plan: Pick<Plan, 'variants'>, id: string): string {
  const levels = Object.entries(variantOf(plan, id)?.levels ?? {});
  const named = levels.flatMap(([factor, level]) =>
    typeof level === 'number' ? [`${factor} ${numberLabel(level)}`] : [],
  );
  return named.length > 0 && named.length === levels.length ? named.join(' · ') : variantLabel(plan, id);
}
