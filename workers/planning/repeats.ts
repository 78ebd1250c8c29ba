import { loadNouns, type Search, searchAims } from '#experiment/schema/search.ts';
import { formatUpTo } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import type { Plan, PlannedMeasure } from '#protocol/plan.ts';
import { formatGoal, namedGoals } from './judged/named-goals.ts';

/** Bounds of the number of trials per cell. */
interface Repeats {
  readonly min: number;
  readonly max: number;
  /**
   * Half the width of a sufficiently narrow interval, as a share of its value; null where the number of repeats is
   * fixed.
   */
  readonly relativeMargin: number | null;
}

/** The bounds as the plan defines them; a fixed number is both. */
export const repeatsOf = ({ repeats }: Pick<PlannedMeasure, 'repeats'>): Repeats =>
  typeof repeats === 'number' ? { min: repeats, max: repeats, relativeMargin: null } : repeats;

/** The least number of repeats for which a bootstrap and Welch's t have to agree (stats/compare-means.ts). */
export const leastForVerdict = 5;

/**
 * `measure.repeats` for intervals of about two thirds of the width: twice as many, and at least five; with a precision,
 * the new upper bound.
 */
export function moreRepeats(measure: Pick<PlannedMeasure, 'repeats'>): number | { readonly max: number } {
  const { max, relativeMargin } = repeatsOf(measure);
  const more = Math.max(leastForVerdict, max * 2);
  return relativeMargin === null ? more : { max: more };
}

/** The parts of a plan that decide its repeats and what a search looks for. */
interface SearchedPlan {
  readonly measure: Pick<PlannedMeasure, 'repeats' | 'budgetSeconds' | 'search'>;
  readonly experiment: Pick<Plan['experiment'], 'goals'>;
}

/**
 * "3 repeats"; "5 to 30 repeats, until intervals are within ± 3 %"; "3 repeats next to the answer of a search for the
 * saturation, …".
 */
export function formatRepeats({ measure, experiment }: SearchedPlan): string {
  const { min, max, relativeMargin } = repeatsOf(measure);
  if (measure.search) return `${many(max, 'repeat')} next to the answer of ${searchText(measure.search, experiment)}`;
  if (relativeMargin === null) return many(max, 'repeat');
  const budget = measure.budgetSeconds === undefined ? '' : `, or ${measure.budgetSeconds} s are spent`;
  return `${min} to ${max} repeats, until intervals are within ±\u00a0${Number((relativeMargin * 100).toPrecision(3))}\u00a0%${budget}`;
}

/** "a search for the saturation point, 1 to 512 users"; "… for the maximum load with p99 ≤ 20 ms, …". */
function searchText(search: Search, experiment: SearchedPlan['experiment']): string {
  const { find, from, to } = search;
  const goals = new Intl.ListFormat('en').format(namedGoals(experiment).map(formatGoal));
  const what = find === 'limit' ? `maximum load with ${goals}` : searchAims[find].noun;
  return `a search for the ${what}, ${formatUpTo(from)} to ${formatUpTo(to)} ${loadNouns(search)}`;
}
