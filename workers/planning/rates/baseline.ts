import type { TargetRecord } from '#protocol/journal.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import { isContender } from './contenders.ts';

/**
 * The denominator of ratios. `target` alone: each variant against the same variant on that target. `variant` alone:
 * each cell against that variant on its own target. Both: every cell against that one.
 */
export type Baseline = Partial<Cell>;

/**
 * The experiment file's baseline. Without one, or where it refers to a removed target or variant: with several targets
 * the first that is neither a reference nor a stand-in, else the first variant.
 */
export function baselineOf({
  plan,
  targets,
}: {
  readonly plan: Plan;
  readonly targets: readonly TargetRecord[];
}): Baseline {
  const named = namedBaseline(plan);
  if (named !== null) return named;
  const contenders = plan.targets.filter(({ name }) => isContender({ targets }, name));
  if (contenders.length > 1) return { target: contenders[0]!.name };
  return plan.variants[0] === undefined ? {} : { variant: plan.variants[0].id };
}

/** The file's baseline; null where it has none, or an unknown one. */
function namedBaseline(plan: Plan): Baseline | null {
  const { target, ...levels } = plan.experiment.baseline ?? {};
  const onTarget = target === undefined ? undefined : plan.targets.find(({ name }) => name === String(target));
  const withLevels = Object.keys(levels).length === 0 ? undefined : findVariant(plan, levels);
  if (target !== undefined && onTarget === undefined) return null;
  if (Object.keys(levels).length > 0 && withLevels === undefined) return null;
  if (onTarget === undefined && withLevels === undefined) return null;
  return { ...(onTarget && { target: onTarget.name }), ...(withLevels !== undefined && { variant: withLevels }) };
}

/** The baseline's cell for this one, or null where the baseline is empty. */
export function baselineCell(cell: Cell, baseline: Baseline): Cell | null {
  if (baseline.variant === undefined && baseline.target === undefined) return null;
  return { variant: baseline.variant ?? cell.variant, target: baseline.target ?? cell.target };
}

/** The first variant with the given levels (or settings). */
function findVariant(plan: Plan, levels: Readonly<Record<string, unknown>>): string | undefined {
  return plan.variants.find((variant) =>
    Object.entries(levels).every(([name, level]) => {
      const settings: Readonly<Record<string, unknown>> = variant.settings;
      return String(variant.levels[name] ?? settings[name]) === String(level);
    }),
  )?.id;
}
