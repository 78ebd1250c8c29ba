import type { ErrorData } from '#model/error.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan, PlannedTrial } from '#protocol/plan.ts';
import { shuffled } from '#stats/random/shuffle.ts';
import { type NamedGoal, namedGoals } from '../judged/named-goals.ts';
import { haveFallenBehind } from '../rates/load-rates.ts';
import { isTimed, throughputOf } from '../rates/trial-rate.ts';
import { repeatsOf } from '../repeats.ts';
import { type SearchLevel, type SearchLine, searchLines } from '../search-lines.ts';
import { variantOf } from '../variant-of.ts';
import { overGoals } from './over-goals.ts';
import { type SearchEnd, type SearchStep, searchStep, type Tried, type TriedLoad } from './search-steps.ts';

/** The state of the search on one target, for one combination of the factors other than the load. */
export interface SearchSummary extends Pick<SearchLine, 'target' | 'others' | 'label'> {
  /** Trials that have a result. */
  readonly trials: number;
  /** Null: the search continues. */
  readonly end: SearchEnd | null;
  /** The load whose trials show the answer, and its variant; null before the end, and where no trial succeeded. */
  readonly at: Pick<SearchLevel, 'load' | 'variant'> | null;
  /** The error that ended the search, where trials failed above the answer. */
  readonly error: ErrorData | null;
}

/** The state of every search of a plan; empty for a plan without a search. */
export const summariseSearches = (plan: Plan, results: readonly TrialResult[]): readonly SearchSummary[] =>
  stepsOf(plan, results).map(({ line, results: own, step }) => {
    const { target, others, label, levels } = line;
    const end = 'end' in step ? step.end : null;
    const at = end?.at == null ? null : levels[end.at]!;
    return {
      ...{ target, others, label, end },
      trials: own.length,
      at: at && { load: at.load, variant: at.variant },
      error: end?.reason === 'failed' ? (own.findLast(({ status }) => status !== 'ok')?.error ?? null) : null,
    };
  });

/** The next trial of a run, and the trials to expect. */
export interface Ahead {
  /** Null: the run is complete. */
  readonly next: PlannedTrial | null;
  /** The expected trials, including `next`; for a search, an estimated number of trials like its next one. */
  readonly expected: readonly PlannedTrial[];
}

/**
 * The next trial and the expected ones after it, from the results so far: the first trial of the plan without a result.
 * Among searches, which choose by their results, the one with the fewest trials continues, so that drift of the machine
 * affects all alike.
 */
export function whatFollows(plan: Plan, results: readonly TrialResult[]): Ahead {
  if (!plan.measure.search) {
    const done = new Set(results.map(({ number }) => number));
    const expected = plan.trials.filter(({ number }) => !done.has(number));
    return { next: expected[0] ?? null, expected };
  }
  const open = stepsOf(plan, results).flatMap(({ line, results: own, step }) => {
    const trial = 'next' in step ? nextRepeat(line.levels[step.next]!, own) : null;
    return 'next' in step && trial !== null ? [{ trial, more: step.more, had: own.length }] : [];
  });
  const fewest = Math.min(...open.map(({ had }) => had));
  const turn = open.filter(({ had }) => had === fewest);
  const { order, seed } = plan.measure;
  const [first] = order === 'declared' ? turn : shuffled(turn, seed, fewest);
  return {
    next: first?.trial ?? null,
    expected: open.flatMap(({ trial, more }) => new Array<PlannedTrial>(more).fill(trial)),
  };
}

interface LineStep {
  readonly line: SearchLine;
  readonly results: readonly TrialResult[];
  readonly step: SearchStep;
}

function stepsOf(plan: Plan, results: readonly TrialResult[]): readonly LineStep[] {
  const { search } = plan.measure;
  if (!search) return [];
  const byCell = Map.groupBy(results, ({ target, variant }) => JSON.stringify([target, variant]));
  const goals = search.find === 'limit' ? namedGoals(plan.experiment) : [];
  return searchLines(plan).map((line) => {
    const own = line.levels.map(({ variant }) => byCell.get(JSON.stringify([line.target, variant])) ?? []);
    const loads = line.levels.map(({ load, variant }, i) => triedLoad(load, own[i]!, plan, variant, goals));
    return { line, results: own.flat(), step: searchStep(search, loads, repeatsOf(plan.measure).max) };
  });
}

/** The first of a load's trials without a result. */
const nextRepeat = ({ trials }: SearchLevel, results: readonly TrialResult[]): PlannedTrial | null =>
  trials.find(({ number }) => !results.some((one) => one.number === number)) ?? null;

function triedLoad(
  load: number,
  results: readonly TrialResult[],
  plan: Plan,
  variant: string,
  goals: readonly NamedGoal[],
): TriedLoad {
  const ok = results.filter((result) => result.status === 'ok' && isTimed(result));
  const tried = ok.map((result) => triedOf(result, goals));
  return {
    load,
    ok: tried,
    over: tried.length === 1 ? tried[0]!.over : overGoals(goals, ok),
    failed: results.length - ok.length,
    behind: haveFallenBehind(ok, variantOf(plan, variant)?.settings ?? defaultSettings, plan.measure.seconds),
  };
}

const decoded = new WeakMap<TrialResult, Tried>();

/** Decodes the histograms of a result once, although every later trial needs them again. */
function triedOf(result: TrialResult, goals: readonly NamedGoal[]): Tried {
  const known = decoded.get(result) ?? {
    throughput: throughputOf(result),
    over: overGoals(goals, [result]),
    saturated: result.clientSaturated,
  };
  decoded.set(result, known);
  return known;
}
