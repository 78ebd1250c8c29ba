import type { Experiment } from '#experiment/schema/experiment.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { Cell, Plan, Variant } from '#protocol/plan.ts';
import { isContender } from './contenders.ts';

/**
 * The denominator of ratios. `target` alone: each variant against the same variant on that target. `variant` alone:
 * each cell against that variant on its own target. Both: every cell against that one.
 */
export type Baseline = Partial<Cell>;

/** The two comparisons of a run: targets with each other, or the levels of each target. */
export type Compare = NonNullable<Experiment['compare']>;

/**
 * The baseline of a run. The file's `compare` selects the part of the file's `baseline` that applies: its target or its
 * levels. Without `compare`, the file's baseline applies as it is written. Without both, or where the baseline refers
 * to a removed target or variant, several targets are compared with the first of them that is neither a reference nor
 * an emulator, and the variants of a single target with its first variant.
 */
export function baselineOf(
  { plan, targets }: { readonly plan: Plan; readonly targets: readonly TargetRecord[] },
  compare: Compare | undefined = plan.experiment.compare,
): Baseline {
  const named = namedBaseline(plan);
  if (compare === undefined && named !== null) return named;
  const contenders = contendersOf({ plan, targets });
  if (compare !== 'levels' && contenders.length > 1) {
    const isNamed = named?.target !== undefined && contenders.includes(named.target);
    return { target: isNamed ? named.target! : contenders[0]! };
  }
  if (named?.variant !== undefined) return { variant: named.variant };
  const runsEverywhere = ({ id }: Variant) => !plan.skipped.some(({ variant }) => variant === id);
  const first = plan.variants.find(runsEverywhere) ?? plan.variants[0];
  return first === undefined ? {} : { variant: first.id };
}

/** The names of the targets that have verdicts, in the order of the plan. */
const contendersOf = ({ plan, targets }: { readonly plan: Plan; readonly targets: readonly TargetRecord[] }) =>
  plan.targets.map(({ name }) => name).filter((name) => isContender({ targets }, name));

/**
 * The comparison that a baseline asks for. A single cell as the baseline compares targets, too.
 */
export function compareOf(
  run: { readonly plan: Plan; readonly targets: readonly TargetRecord[] },
  { target }: Baseline,
): Compare {
  return target !== undefined && contendersOf(run).length > 1 ? 'targets' : 'levels';
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

/** The variants between which the file asks for an explanation; null where it asks for none, or names no variant. */
export function explainedGap(plan: Plan): { readonly from: string; readonly to: string } | null {
  const { explain } = plan.experiment;
  const from = namedBaseline(plan)?.variant ?? plan.variants[0]?.id;
  const to = explain && Object.keys(explain).length > 0 ? findVariant(plan, explain) : undefined;
  return from === undefined || to === undefined || from === to ? null : { from, to };
}

/** The cell that this cell is compared with; null if the baseline has no such cell. */
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
