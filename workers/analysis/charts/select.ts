import type { PlannedTarget, Variant } from '#contract/plan.ts';
import { isReference } from '../contenders.ts';
import type { RunModel } from '../model.ts';

/** What of a run a chart shows. Default: every variant, every target that does any work. */
export interface Selection {
  readonly variants?: readonly string[];
  readonly targets?: readonly string[];
  /** Room for charts of several columns; defaultWidthPx if not given. */
  readonly widthPx?: number;
}

export const defaultWidthPx = 1_040;

export function chosenTargets(model: RunModel, selection: Selection): readonly PlannedTarget[] {
  const named = model.plan.targets.filter(({ name }) => selection.targets?.includes(name) ?? true);
  if (selection.targets !== undefined) return named;
  const working = named.filter(({ name }) => !isReference(model, name));
  // A run of nothing but the null engine still has something to show.
  return working.length > 0 ? working : named;
}

export const chosenVariants = ({ plan }: RunModel, { variants }: Selection): readonly Variant[] =>
  plan.variants.filter(({ id }) => variants?.includes(id) ?? true);
