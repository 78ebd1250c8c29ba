import type { Path } from '#model/text/path-text.ts';
import { variantOf } from '#planning/variant-of.ts';
import type { Cell, Plan } from '#protocol/plan.ts';

/** The place in the experiment file that makes a cell: the level of its first factor, or the work. */
export function cellPath(plan: Plan, { variant }: Pick<Cell, 'variant'>): Path {
  const [factor, level] = Object.entries(variantOf(plan, variant)?.levels ?? {})[0] ?? [];
  if (factor === undefined || level === undefined) return ['workload'];
  const levels = plan.experiment.factors?.[factor];
  return ['factors', factor, Array.isArray(levels) ? levels.indexOf(level) : String(level)];
}
