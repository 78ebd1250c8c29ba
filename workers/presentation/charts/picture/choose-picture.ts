import { p99GoalMs } from '#planning/judged/named-goals.ts';
import type { Plan, Variant } from '#protocol/plan.ts';

/** The kind of picture that answers the question of a run, with the factor on its x axis if it has one. */
type Picture =
  /** One factor of names, or no factor. */
  | { readonly kind: 'bars' }
  /** One factor of numbers. */
  | { readonly kind: 'lines'; readonly factor: string }
  /** Two or more factors, or too many cells for bars. */
  | { readonly kind: 'heatMap' }
  /** A search: latency against load, with the line of its limit. */
  | { readonly kind: 'search'; readonly factor: string; readonly limitMs: number | null }
  /** Throughput and latency against users. */
  | { readonly kind: 'users'; readonly factor: string };

/** The most bars that fit on a screen. */
const mostBars = 36;
/** A curve needs three points. */
const leastLevels = 3;

/** Factors with more than one level, in the order of the experiment. */
export function variedFactors(variants: readonly Variant[]): readonly string[] {
  const names = new Set(variants.flatMap(({ levels }) => Object.keys(levels)));
  return [...names].filter((name) => new Set(variants.map(({ levels }) => levels[name])).size > 1);
}

/** The distinct levels of a factor; numbers are sorted. */
export function levelsOfFactor(variants: readonly Variant[], factor: string): readonly (string | number | boolean)[] {
  const levels = [...new Set(variants.flatMap((variant) => variant.levels[factor] ?? []))];
  return levels.every((level) => typeof level === 'number') ? levels.toSorted((a, b) => a - b) : levels;
}

/** True if all levels of a factor are numbers. */
export const isNumeric = (variants: readonly Variant[], factor: string): boolean =>
  levelsOfFactor(variants, factor).every((level) => typeof level === 'number');

/** Chooses the picture that answers the question of a run's plan. */
export function choosePicture({
  variants,
  targets,
  measure: { search },
  experiment,
}: {
  readonly variants: readonly Variant[];
  readonly targets: readonly unknown[];
  readonly measure: Pick<Plan['measure'], 'search'>;
  readonly experiment: Pick<Plan['experiment'], 'goals'>;
}): Picture {
  if (search)
    return { kind: 'search', factor: search.setting, limitMs: search.find === 'limit' ? p99GoalMs(experiment) : null };
  const [factor, ...others] = variedFactors(variants);
  if (others.length > 0) return { kind: 'heatMap' };
  const hasCurve =
    factor !== undefined && isNumeric(variants, factor) && levelsOfFactor(variants, factor).length >= leastLevels;
  if (hasCurve) return { kind: factor === 'users' ? 'users' : 'lines', factor };
  return variants.length * targets.length > mostBars ? { kind: 'heatMap' } : { kind: 'bars' };
}
