import type { CellSummary, RunModel } from '#analysis/run-model/run-model.ts';
import { findCell } from '#analysis/run-model/select-cells.ts';
import { workingTargets } from '#planning/rates/contenders.ts';
import type { PlannedTarget, Variant } from '#protocol/plan.ts';

/** The part of a run that a chart shows. Default: every variant, and every target except references. */
export interface Selection {
  readonly variants?: readonly string[];
  readonly targets?: readonly string[];
  /** The width of charts with several columns. Default: defaultWidthPx. */
  readonly widthPx?: number;
}

/** A cell that a chart shows. */
interface ChosenCell {
  readonly variant: Variant;
  readonly target: PlannedTarget;
  readonly cell: CellSummary;
}

export const defaultWidthPx = 1_040;

export function chosenTargets(model: RunModel, selection: Selection): readonly PlannedTarget[] {
  const { targets } = model.plan;
  return selection.targets === undefined
    ? workingTargets(model)
    : targets.filter(({ name }) => selection.targets!.includes(name));
}

export const chosenVariants = ({ plan }: RunModel, { variants }: Selection): readonly Variant[] =>
  plan.variants.filter(({ id }) => variants?.includes(id) ?? true);

/** The cells of the chosen variants and targets, variant by variant. */
export const chosenCells = (model: RunModel, selection: Selection): readonly ChosenCell[] =>
  chosenVariants(model, selection).flatMap((variant) =>
    chosenTargets(model, selection).flatMap((target) => {
      const cell = findCell(model, variant.id, target.name);
      return cell === undefined ? [] : [{ variant, target, cell }];
    }),
  );
