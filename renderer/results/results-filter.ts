import type { RunModel } from '#analysis/run-model/run-model.ts';

/** The shown part of the results. An empty set hides nothing. */
export interface Filter {
  readonly hiddenTargets: ReadonlySet<string>;
  readonly variant: string | null;
}

export const noFilter: Filter = { hiddenTargets: new Set(), variant: null };

/** The run with only the cells that pass the filter. Targets keep their colours. */
export function filtered(model: RunModel, filter: Filter): RunModel {
  if (filter.hiddenTargets.size === 0 && filter.variant === null) return model;
  const passes = (cell: { readonly target: string; readonly variant: string }) =>
    !filter.hiddenTargets.has(cell.target) && (filter.variant === null || cell.variant === filter.variant);
  return {
    ...model,
    plan: {
      ...model.plan,
      targets: model.plan.targets.filter(({ name }) => !filter.hiddenTargets.has(name)),
      variants: model.plan.variants.filter(({ id }) => filter.variant === null || id === filter.variant),
    },
    trials: model.trials.filter((view) => passes(view.trial)),
    searches: model.searches.filter(({ target }) => !filter.hiddenTargets.has(target)),
    cells: model.cells.filter(passes),
    skipped: model.skipped.filter(passes),
  };
}
