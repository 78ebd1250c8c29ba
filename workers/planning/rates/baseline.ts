import type { TargetRecord } from '#protocol/journal.ts';
import type { Cell, Plan, Variant } from '#protocol/plan.ts';
import { isContender } from './contenders.ts';

/**
 * The denominator of ratios. `target` alone: each variant against the same variant on that target. `variant` alone:
 * each cell against that variant on its own target. Both: every cell against that one.
 */
export type Baseline = Partial<Cell>;

/**
 * The experiment file's baseline. Without one, or where it refers to a removed target or variant, a sole factor decides
 * what is compared: its first level, on each target. With several factors or none it is the first of several targets
 * that is neither a reference nor an emulator, or the first variant.
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
  const compared = variedFactors(plan).size === 1 && plan.measure.search === undefined;
  if (contenders.length > 1 && !compared) return { target: contenders[0]!.name };
  const runsEverywhere = ({ id }: Variant) => !plan.skipped.some(({ variant }) => variant === id);
  const first = plan.variants.find(runsEverywhere) ?? plan.variants[0];
  return first === undefined ? {} : { variant: first.id };
}

/** Factors of which the variants have several levels. */
export const variedFactors = ({ variants }: Pick<Plan, 'variants'>): ReadonlySet<string> =>
  new Set(
    variants.flatMap(({ levels }) =>
      Object.keys(levels).filter((factor) => variants.some((other) => other.levels[factor] !== levels[factor])),
    ),
  );

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
