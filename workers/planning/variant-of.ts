import { formatUpTo } from '#model/format/format.ts';
import type { Plan, Variant } from '#protocol/plan.ts';

/** The variant with this id; undefined where the plan has none (a cell of another run). */
export const variantOf = ({ variants }: Pick<Plan, 'variants'>, id: string): Variant | undefined =>
  variants.find((variant) => variant.id === id);

/** The name of a variant in sentences, tables and charts; its id where the plan does not contain it. */
export const variantLabel = (plan: Pick<Plan, 'variants'>, id: string): string => variantOf(plan, id)?.label ?? id;

/**
 * Levels as text; numbers and yes/no are preceded by their factor's name: "prepared · connections 8 · partitioned on".
 */
export const formatLevels = (levels: Variant['levels']): string =>
  Object.entries(levels)
    .map(([factor, level]) => {
      if (typeof level === 'string') return level;
      return `${factor} ${typeof level === 'number' ? formatUpTo(level) : level ? 'on' : 'off'}`;
    })
    .join(' · ');
