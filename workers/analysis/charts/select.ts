import type { PlannedTarget, Variant } from '#protocol/plan.ts';
import type { CellSummary, RunModel } from '../model.ts';
import { isStandIn } from '../stand-in.ts';

/** What of a run a chart shows. Default: every variant, every target that does any work. */
export interface Selection {
  readonly variants?: readonly string[];
  readonly targets?: readonly string[];
  /** Room for charts of several columns; defaultWidthPx if not given. */
  readonly widthPx?: number;
}

export const defaultWidthPx = 1_040;

export const isReference = ({ targets }: Pick<RunModel, 'targets'>, target: string): boolean =>
  targets.find(({ name }) => name === target)?.descriptor.reference === true;

/** Takes part in verdicts: neither a reference nor something that stands in for a product. */
export const isContender = (model: Pick<RunModel, 'targets'>, target: string): boolean =>
  !isReference(model, target) && !model.targets.some((one) => one.name === target && isStandIn(one));

export function chosenTargets(model: RunModel, selection: Selection): readonly PlannedTarget[] {
  const named = model.plan.targets.filter(({ name }) => selection.targets?.includes(name) ?? true);
  if (selection.targets !== undefined) return named;
  const working = named.filter(({ name }) => !isReference(model, name));
  // A run of nothing but the null engine still has something to show.
  return working.length > 0 ? working : named;
}

export const chosenVariants = ({ plan }: RunModel, { variants }: Selection): readonly Variant[] =>
  plan.variants.filter(({ id }) => variants?.includes(id) ?? true);

export const findCell = ({ cells }: RunModel, variant: string, target: string): CellSummary | undefined =>
  cells.find((cell) => cell.variant === variant && cell.target === target);

/** True where the run counts rows; else its rates are calls. */
export const countsRows = ({ trials }: Pick<RunModel, 'trials'>): boolean =>
  trials.every(({ result }) => result === null) || trials.some(({ result }) => (result?.totals.rows ?? 0) > 0);

/** Where calls are told apart, rates are of the first one. */
export const rateUnit = (model: Pick<RunModel, 'trials'>): string =>
  `${countsRows(model) ? 'rows/s' : 'calls/s'}${model.trials.some(({ result }) => result?.eachCall) ? ', call 1' : ''}`;
