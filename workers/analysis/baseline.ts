import type { TargetRecord } from '#contract/journal.ts';
import type { Cell, Plan } from '#contract/plan.ts';

/**
 * What ratios refer to. `target` alone: each variant against the same variant on that target. `variant` alone: each cell against that
 * variant on its own target. Both: every cell against that one.
 */
export type Baseline = Partial<Cell>;

/**
 * The experiment file's baseline; without one, the first target that does any work where there are several, else the first variant.
 */
export function baselineOf({
  plan,
  targets,
}: {
  readonly plan: Plan;
  readonly targets: readonly TargetRecord[];
}): Baseline {
  const { target, ...levels } = plan.experiment.baseline ?? {};
  const named = Object.keys(levels).length === 0 ? undefined : findVariant(plan, levels);
  const chosen = {
    ...(typeof target === 'string' && plan.targets.some(({ name }) => name === target) ? { target } : {}),
    ...(named === undefined ? {} : { variant: named }),
  };
  if (Object.keys(chosen).length > 0) return chosen;
  const contenders = plan.targets.filter(
    ({ name }) => targets.find((target) => target.name === name)?.descriptor.reference !== true,
  );
  if (contenders.length > 1) return { target: contenders[0]!.name };
  return plan.variants[0] === undefined ? {} : { variant: plan.variants[0].id };
}

/** The baseline's cell for this one, or null where the baseline names nothing. */
export function baselineCell(cell: Cell, baseline: Baseline): Cell | null {
  if (baseline.variant === undefined && baseline.target === undefined) return null;
  return { variant: baseline.variant ?? cell.variant, target: baseline.target ?? cell.target };
}

/** The first variant whose levels (or settings) are as given. */
function findVariant(plan: Plan, levels: Readonly<Record<string, unknown>>): string | undefined {
  return plan.variants.find((variant) =>
    Object.entries(levels).every(([name, level]) => {
      const settings: Readonly<Record<string, unknown>> = variant.settings;
      return (variant.levels[name] ?? settings[name]) === level;
    }),
  )?.id;
}
