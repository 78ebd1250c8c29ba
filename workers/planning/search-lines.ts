import { stepsPerDoubling } from '#experiment/schema/search.ts';
import type { Plan, PlannedTrial, Variant } from '#protocol/plan.ts';
import { repeatsOf } from './repeats.ts';
import { formatLevels } from './variant-of.ts';

/**
 * The level of an ascending list, from `index` on, that is nearest to twice the one at `index`; `index` itself at the
 * end of the list.
 */
export function nextDoubling(levels: readonly number[], index: number): number {
  const twice = 2 * levels[index]!;
  const away = (i: number) => Math.abs(Math.log(levels[i]! / twice));
  let nearest = Math.min(index + 1, levels.length - 1);
  while (nearest + 1 < levels.length && away(nearest + 1) <= away(nearest)) nearest++;
  return nearest;
}

/** The level of an ascending list, below `index`, that is nearest to half the one at `index`; 0 at the start of it. */
export function nextHalving(levels: readonly number[], index: number): number {
  const half = levels[index]! / 2;
  const away = (i: number) => Math.abs(Math.log(levels[i]! / half));
  let nearest = Math.max(index - 1, 0);
  while (nearest > 0 && away(nearest - 1) <= away(nearest)) nearest--;
  return nearest;
}

/** The position of the load that a search tries first, in its ascending loads; the last one if all are below it. */
export function firstTried(loads: readonly number[], from: number): number {
  const at = loads.findIndex((load) => load >= from);
  return at < 0 ? loads.length - 1 : at;
}

/** One search of a run: a target, and a combination of the factors other than the load. */
export interface SearchLine {
  readonly target: string;
  readonly others: Variant['levels'];
  /** The levels of the other factors as text; empty without such factors. */
  readonly label: string;
  /** The levels that the target can run, ascending. */
  readonly levels: readonly SearchLevel[];
}

/** One load of a search with its trials. */
export interface SearchLevel {
  readonly load: number;
  readonly variant: string;
  /** The trials in the order of their repeats. */
  readonly trials: readonly PlannedTrial[];
}

/** The searches of a plan, one per target and combination of the other factors. */
export function searchLines(plan: Plan): readonly SearchLine[] {
  const { search } = plan.measure;
  if (!search) return [];
  const byCell = Map.groupBy(plan.trials, ({ variant, target }) => JSON.stringify([variant, target]));
  const cells = plan.targets.flatMap(({ name: target }) =>
    plan.variants.flatMap(({ id: variant, levels }) => {
      const trials = byCell.get(JSON.stringify([variant, target]));
      const others = Object.fromEntries(Object.entries(levels).filter(([name]) => name !== search.setting));
      return trials ? [{ target, others, load: Number(levels[search.setting]), variant, trials }] : [];
    }),
  );
  return [...Map.groupBy(cells, ({ target, others }) => JSON.stringify([target, others])).values()].map((own) => ({
    target: own[0]!.target,
    others: own[0]!.others,
    label: formatLevels(own[0]!.others),
    levels: own
      .map(({ load, variant, trials }) => ({ load, variant, trials }))
      .toSorted((one, other) => one.load - other.load),
  }));
}

/** Number of loads that a search repeats, about: two on each side of the answer, and one for comparison. */
export const repeatedLoads = 5;

/** Approximate number of trials of a search that ends on its first loads, and of one that continues to its last. */
export function searchTrials(
  { levels }: Pick<SearchLine, 'levels'>,
  measure: Pick<Plan['measure'], 'repeats' | 'search'>,
): { readonly least: number; readonly most: number } {
  const loads = levels.map(({ load }) => load);
  const again = repeatsOf(measure).max - 1;
  const first = firstTried(loads, measure.search?.from ?? 0);
  const climb = Math.max(doublingsFrom(loads, first), halvingsFrom(loads, first));
  const narrow = Math.ceil(Math.log2(stepsPerDoubling(measure.search?.relativeStep ?? 1))) + 1;
  return {
    least: Math.min(2, loads.length) + again,
    most: Math.min(loads.length, climb + narrow) + repeatedLoads * again,
  };
}

/** The loads that halving visits, including the one at `index`. */
export function halvingsFrom(loads: readonly number[], index: number): number {
  let count = loads.length > 0 ? 1 : 0;
  for (let i = index; i > 0; i = nextHalving(loads, i)) count++;
  return count;
}

/** The loads that doubling visits, including the one at `index`. */
export function doublingsFrom(loads: readonly number[], index: number): number {
  let count = loads.length > 0 ? 1 : 0;
  for (let i = index; i < loads.length - 1; i = nextDoubling(loads, i)) count++;
  return count;
}
