import { weightsOf } from '#experiment/statements/statement-mix.ts';
import { type TimeFigure, trialTimes } from '#planning/judged/trial-times.ts';
import { planOf, variantOf } from '#planning/variant-of.ts';
import type { AdviceEffect, JudgedAdvice, TimeRatio } from '#protocol/advice.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { compareTimes } from '#stats/intervals/compare-times.ts';
import { levelOfEach } from '#stats/intervals/intervals.ts';
import { meanOrNull } from '#stats/intervals/summary.ts';
import { adviceFactor, unchangedLevel } from './advice-file.ts';
import type { Candidate } from './candidate.ts';
import { ranked } from './rank-advice.ts';
import { limitOf, verdictOf } from './verdict.ts';
import { probeName } from './write-probe.ts';

interface Sides {
  readonly own: readonly TrialResult[];
  readonly base: readonly TrialResult[];
}

interface Judging {
  readonly plan: Plan;
  /** The results of the trials so far. */
  readonly results: readonly TrialResult[];
  readonly candidates: readonly Candidate[];
  readonly isWrite: (statement: string) => boolean;
  /** The number of rounds after which the run may end: each is another chance of a wrong claim. */
  readonly looks: number;
}

/** A candidate that no trial has measured. */
export const outOfBudget = (candidate: Candidate): JudgedAdvice => ({
  ...{ candidate, verdict: 'outOfBudget', why: 'The budget did not suffice.' },
  ...{ total: null, effects: [], bytes: null, buildMs: null, insteadOf: null },
});

/** Judges the candidates of a run by its repeats. The recommended ones come first, the best of them at the top. */
export function judgeAdvice({ plan, results, candidates, isWrite, looks }: Judging): readonly JudgedAdvice[] {
  const byCell = Map.groupBy(
    results.filter(({ status }) => status === 'ok'),
    keyOf,
  );
  const target = plan.targets[0]!.name;
  const resultsOf = (level: string): readonly TrialResult[] => {
    const variant = plan.variants.find(({ levels }) => levels[adviceFactor] === level);
    return variant === undefined ? [] : (byCell.get(keyOf({ variant: variant.id, target })) ?? []);
  };
  const base = resultsOf(unchangedLevel);
  const { experiment } = planOf(plan, variantOf(plan, base[0]?.variant ?? ''));
  const all = weightsOf(experiment);
  const probes = new Set(candidates.flatMap(({ tables }) => tables.map(probeName)));
  const weights = new Map([...all].filter(([name]) => !probes.has(name)));
  // Every figure of every candidate is a claim at each look; their bounds hold together.
  const level = levelOfEach(candidates.length * (all.size + 1) * looks);
  const everywhere = [base, ...candidates.map(({ title }) => resultsOf(title))].filter((own) => own.length > 0);
  const figureOf = (work: string): TimeFigure =>
    everywhere.every((own) => timesOf(own, work, 0.5) !== null) ? 0.5 : 'mean';
  const figures = new Map([...all.keys()].map((work) => [work, figureOf(work)]));
  const tried = new Set(results.map(({ variant }) => variant));
  const isTried = ({ title }: Candidate) =>
    plan.variants.some(({ id, levels }) => levels[adviceFactor] === title && tried.has(id));
  const [measured, late] = [candidates.filter(isTried), candidates.filter((one) => !isTried(one))];
  const judged = measured.map((candidate) =>
    judge(candidate, { own: resultsOf(candidate.title), base }, { weights, figures, probes, isWrite, level }),
  );
  return [...ranked(judged), ...late.map(outOfBudget)];
}

interface Terms {
  /** The statements and transactions of the file, by their weights. */
  readonly weights: ReadonlyMap<string, number>;
  /** The figure by which each statement, transaction and probe is judged. */
  readonly figures: ReadonlyMap<string, TimeFigure>;
  readonly probes: ReadonlySet<string>;
  readonly isWrite: (statement: string) => boolean;
  readonly level: number;
}

function judge(candidate: Candidate, { own, base }: Sides, terms: Terms): JudgedAdvice {
  const { weights, figures, probes, isWrite, level } = terms;
  const ratioOf = (a: readonly number[] | null, b: readonly number[] | null): TimeRatio | null => {
    const found = a && b ? compareTimes(a, b, level)?.ratio : null;
    return found && found.low !== null && found.high !== null
      ? { value: found.value, low: found.low, high: found.high }
      : null;
  };
  const effects = [...figures].flatMap(([work, figure]): readonly AdviceEffect[] => {
    const [after, before] = [timesOf(own, work, figure), timesOf(base, work, figure)];
    const ratio = ratioOf(after, before);
    if (ratio === null || !after || !before) return [];
    const kind = probes.has(work) ? 'probe' : isWrite(work) ? 'write' : 'read';
    if (kind === 'probe' && !candidate.tables.some((table) => probeName(table) === work)) return [];
    return [{ work, kind, figure, beforeMs: meanOrNull(before)!, afterMs: meanOrNull(after)!, ratio }];
  });
  const totalOf = (by: (work: string) => TimeFigure) =>
    ratioOf(totalsOf(own, weights, by), totalsOf(base, weights, by));
  const total = totalOf((work) => figures.get(work) ?? 'mean');
  // A gain of the median must not hide that a few calls become much slower.
  const slowerMeans = effects.flatMap(({ work, kind }) => {
    const ratio = ratioOf(timesOf(own, work, 'mean'), timesOf(base, work, 'mean'));
    return ratio && ratio.low > 1 + limitOf(kind) ? [work] : [];
  });
  const totalMean = totalOf(() => 'mean');
  const found = {
    candidate,
    total,
    effects,
    bytes: difference(own, base, ({ indexBytes }) =>
      (indexBytes ?? []).every(({ bytes }) => bytes !== undefined)
        ? (indexBytes ?? []).reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)
        : null,
    ),
    buildMs: buildMsOf(candidate, own, base),
    insteadOf: null,
  };
  return { ...found, ...verdictOf(candidate, { total, totalMean, slowerMeans, effects, own, base, weights }) };
}

/** The figure of each repeat; null: a repeat has too few calls, or there is none. */
function timesOf(results: readonly TrialResult[], work: string, figure: TimeFigure): readonly number[] | null {
  const times = results.map((result) => trialTimes(result, work)?.ms(figure) ?? null);
  return times.length === 0 || times.includes(null) ? null : times.map((one) => one!);
}

/** The time of a unit of work in each repeat, if the statements have exactly their weights. */
function totalsOf(
  results: readonly TrialResult[],
  weights: ReadonlyMap<string, number>,
  figureOf: (work: string) => TimeFigure,
): readonly number[] | null {
  const sum = [...weights.values()].reduce((all, weight) => all + weight, 0);
  const of = [...weights].map(([work, weight]) => ({ times: timesOf(results, work, figureOf(work)), weight }));
  if (results.length === 0 || of.some(({ times }) => times === null)) return null;
  return results.map((_, i) => of.reduce((time, { times, weight }) => time + times![i]! * weight, 0) / sum);
}

function difference(
  own: readonly TrialResult[],
  base: readonly TrialResult[],
  of: (result: TrialResult) => number | null,
): number | null {
  const [a, b] = [own, base].map((results) => meanOrNull(results.flatMap((result) => of(result) ?? [])));
  return a === null || b === null || a === undefined || b === undefined ? null : a - b;
}

function buildMsOf({ steps }: Candidate, own: readonly TrialResult[], base: readonly TrialResult[]): number | null {
  if (!steps.some((step) => step.do === 'createIndex')) return null;
  const known = new Set(base.flatMap(({ builds = [] }) => builds.map(({ part }) => part)));
  const news = own.map(({ builds = [] }) => builds.filter(({ part }) => !known.has(part)));
  return news.every((parts) => parts.length === 0)
    ? null
    : meanOrNull(news.map((parts) => parts.reduce((sum, { ms }) => sum + ms, 0)));
}
