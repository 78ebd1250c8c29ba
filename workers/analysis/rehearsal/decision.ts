import type { Experiment } from '#experiment/schema/experiment.ts';
import { refusalOf, textFor, weightsOf } from '#experiment/statements/statement-mix.ts';
import { namedJudged } from '#planning/judged/judged-times.ts';
import { type TimeFigure, timesOf } from '#planning/judged/trial-times.ts';
import type { AnswersElsewhere } from '#planning/rates/answers-between.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { experimentsOf, planOf } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { GradeLevel } from '#protocol/ipc.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Cell } from '#protocol/plan.ts';
import { compareTimes, verdictOfTimes } from '#stats/intervals/compare-times.ts';
import { confidence } from '#stats/intervals/intervals.ts';
import { plansAcross } from '../compare/compare-plans.ts';
import { isTimeJudged, type LatencyClaims, latencyClaims } from '../compare/latency-claims.ts';
import { type LatencyRatio, latencyRatiosOf, resultsByCell } from '../compare/latency-ratios.ts';
import { gradeOf } from '../grade/grade.ts';
import type { CellSummary, Interval, RunModel } from '../run-model/run-model.ts';

/**
 * The decision about a statement on a candidate. same: the whole interval of the ratio lies within the margin.
 * notShown: none of the others is certain.
 */
export type DecisionVerdict = 'better' | 'same' | 'worse' | 'notShown' | 'doesNotRun';

/** A statement on a candidate, beside the reference. */
export interface StatementDecision {
  readonly statement: string;
  /** The text on the reference. */
  readonly text: string;
  /** Its share of the time of the server from which it was imported; null: unknown. */
  readonly timeShare: number | null;
  readonly verdict: DecisionVerdict;
  /** The server's message where it does not run, or the reason why nothing is shown; null: the ratio says it. */
  readonly why: string | null;
  /**
   * The candidate's time ÷ the reference's: above 1 it is slower. Its bounds hold for all comparisons of the decision
   * together. Null: one of the two has no time.
   */
  readonly ratio: Interval | null;
  /** The times of both sides, each with the interval of its own repeats. */
  readonly ms: Interval | null;
  readonly referenceMs: Interval | null;
  /** Its answers beside those of the reference; null: they were not compared. */
  readonly answers: Pick<AnswersElsewhere, 'outcome' | 'draws' | 'why'> | null;
  /** Its plans on the reference and here; null: one of the two has none. */
  readonly plans: ReturnType<typeof plansAcross>[number] | null;
  /** The cell of the candidate; null: the run has none. */
  readonly cell: Cell | null;
}

/** All statements on a candidate. */
export interface CandidateDecision {
  readonly target: string;
  /** The statements, those with the largest share of the server’s time first. */
  readonly statements: readonly StatementDecision[];
  /**
   * The time of all covered statements that run here, each with its share of the server's time, against the
   * reference's; its bounds hold together with those of the statements. Null: a time or all shares are missing,
   * or the data are not to be quoted.
   */
  readonly total: Interval | null;
}

/** The decision that a rehearsal ends with. */
export interface Decision {
  readonly reference: string;
  /** `rehearsal.margin` of the file. */
  readonly margin: number;
  /** The figure of the compared times. */
  readonly figure: TimeFigure;
  /** The share of the server's time in the statements with a result on the reference; null: unknown. */
  readonly covered: number | null;
  readonly candidates: readonly CandidateDecision[];
  /** The statements that are not covered, with their reasons. */
  readonly leftOut: NonNullable<Experiment['rehearsal']>['leftOut'];
  /** The number of comparisons that share the level. */
  readonly comparisons: number;
}

type DecidedRun = Pick<RunModel, 'plan' | 'cells' | 'targets' | 'trials' | 'skipped'>;

/** The decisions of runs. The panels, the answer and the terminal ask for the decision of the same run. */
const known = new WeakMap<RunModel, { readonly decision: Decision | null }>();

/**
 * The decision of a run whose file is a rehearsal; null for others, and where there is no candidate.
 *
 * Each ratio of a statement, and the total of each candidate, is one of m comparisons. A ratio is shown with bounds at
 * the level 1 − 0.05 ÷ m, so that all of them hold together with 95 % (Bonferroni). better and worse are those whose
 * bounds exclude 1 and that the claims of headlines (latency-claims.ts) make as well. same are those whose bounds lie
 * within the margin: both are statements about the same bounds, and at most one of twenty decisions has a wrong one.
 * Times show nothing if the grade of the data is “do not quote”.
 */
export function decisionOf(model: RunModel): Decision | null {
  const before = known.get(model);
  if (before) return before.decision;
  const decision = decide(model, gradeOf(model)?.level ?? null);
  known.set(model, { decision });
  return decision;
}

/** The decision of a run whose data have this grade. */
export function decide(model: DecidedRun, grade: GradeLevel | null): Decision | null {
  const { plan } = model;
  const { rehearsal } = plan.experiment;
  if (rehearsal === undefined) return null;
  const { target: reference } = baselineOf(model, 'targets');
  const candidates = plan.targets
    .map(({ name }) => name)
    .filter((name) => name !== reference && isContender(model, name));
  if (reference === undefined || candidates.length === 0) return null;
  const experiments = experimentsOf(plan);
  const names = [...new Set(experiments.flatMap((one) => [...weightsOf(one).keys()]))];
  const figure = namedJudged(plan.experiment)?.times.find(({ work }) => work === null)?.figure ?? 'mean';
  const results = resultsByCell(model);
  const times = names.map((work) => ({ work, figure }));
  const ratios = latencyRatiosOf(model, { target: reference }, times, results);
  const claims = latencyClaims(
    model,
    ratios.filter(({ target }) => target !== reference),
    candidates.length,
  );
  const comparisons = claims.comparisons + candidates.length;
  const level = 1 - (1 - confidence) / Math.max(1, comparisons);
  const shareOf = (name: string): number | null =>
    experiments.flatMap(({ statements = {} }) => statements[name]?.timeShare ?? [])[0] ?? null;
  const isCovered = (name: string) =>
    [...results.values()].some((own) => own[0]?.target === reference && hasWork(own, name));
  const covered = names.filter(isCovered);
  const isQuotable = grade !== 'doNotQuote';
  const context = {
    ...{ model, isQuotable, reference, figure, claims, level, margin: rehearsal.margin, ratios, results },
    plans: plansAcross(model, reference),
  };
  const shares = covered.map(shareOf);
  return {
    ...{ reference, figure, comparisons, margin: rehearsal.margin },
    covered: shares.every((share) => share === null) ? null : Math.min(1, sumOf(shares)),
    candidates: candidates.map((target) => {
      const statements = covered
        .map((name) => ({ ...statementOn(name, target, context), timeShare: shareOf(name) }))
        .toSorted((a, b) => (b.timeShare ?? 0) - (a.timeShare ?? 0));
      return { target, statements, total: isQuotable ? totalOf(statements, context) : null };
    }),
    leftOut: [
      ...rehearsal.leftOut,
      ...names
        .filter((name) => !covered.includes(name))
        .map((name) => ({
          what: name,
          why: noResultText(model, name, reference),
          ...(shareOf(name) !== null && { timeShare: shareOf(name)! }),
        })),
    ].toSorted((a, b) => (b.timeShare ?? 0) - (a.timeShare ?? 0)),
  };
}

const sumOf = (shares: readonly (number | null)[]): number => shares.reduce<number>((sum, one) => sum + (one ?? 0), 0);

const hasWork = (results: readonly TrialResult[], name: string): boolean =>
  results.some(({ statements = [] }) => statements.some((one) => one.name === name && one.calls > 0));

interface Context {
  readonly model: DecidedRun;
  /** False if the grade of the data is “do not quote”. */
  readonly isQuotable: boolean;
  readonly reference: string;
  readonly figure: TimeFigure;
  readonly claims: LatencyClaims;
  /** The level of each interval. */
  readonly level: number;
  readonly margin: number;
  readonly ratios: readonly LatencyRatio[];
  readonly results: ReadonlyMap<string, readonly TrialResult[]>;
  readonly plans: ReturnType<typeof plansAcross>;
}

function statementOn(
  name: string,
  target: string,
  { model, isQuotable, reference, claims, level, margin, ratios, results, plans }: Context,
): Omit<StatementDecision, 'timeShare'> {
  const { plan } = model;
  const own = ratios.find((one) => one.work === name && one.target === target);
  const base = ratios.find((one) => one.work === name && one.target === reference);
  const variants = plan.variants.filter((variant) => weightsOf(planOf(plan, variant).experiment).has(name));
  const summary = model.cells.find((one) => one.target === target && variants.some(({ id }) => id === one.variant));
  const compared =
    summary?.otherAnswers.filter((one) => one.other.target === reference && one.statement === name) ?? [];
  const answers = compared.find(({ outcome }) => outcome === 'differ') ?? compared[0];
  const common = {
    statement: name,
    text: textOf(model, name, reference),
    ms: own?.ms ?? null,
    referenceMs: base?.ms ?? null,
    answers: answers
      ? { outcome: answers.outcome, draws: answers.draws, ...(answers.why && { why: answers.why }) }
      : null,
    plans: plans.find(({ after }) => after.target === target && after.statement === name) ?? null,
    cell: summary ? { variant: summary.variant, target } : null,
  };
  const refused = refusalOn(model, name, target, summary);
  if (refused !== null) return { ...common, verdict: 'doesNotRun', why: refused, ratio: null };
  if (own === undefined) return { ...common, verdict: 'notShown', why: noResultText(model, name, target), ratio: null };
  const judged = isTimeJudged(own) && own.ratio !== null ? boundsOf(own, level, results) : null;
  if (judged === null) return { ...common, verdict: 'notShown', why: whyOpen[own.verdict] ?? null, ratio: own.ratio };
  if (!isQuotable)
    return { ...common, verdict: 'notShown', why: 'The data of this run are not to be quoted.', ratio: judged };
  return { ...common, verdict: decided(judged, claims.certain.has(own), margin), why: null, ratio: judged };
}

/** The ratio with bounds at this level. */
function boundsOf(own: LatencyRatio, level: number, results: Context['results']): Interval | null {
  const valuesOf = (cell: Cell) => timesOf(results.get(keyOf(cell)) ?? [], own.work, own.figure) ?? [];
  return compareTimes(valuesOf(own), valuesOf(own.against), level)?.ratio ?? null;
}

function decided(ratio: Interval, isCertain: boolean, margin: number): DecisionVerdict {
  const side = verdictOfTimes(ratio);
  if (isCertain && side === 'slower') return 'worse';
  if (isCertain && side === 'faster') return 'better';
  const isWithin =
    ratio.low !== null && ratio.high !== null && ratio.low >= 1 / (1 + margin) && ratio.high <= 1 + margin;
  return isWithin ? 'same' : 'notShown';
}

/** The reasons, as sentences, why a ratio has no verdict. */
const whyOpen: Readonly<Partial<Record<LatencyRatio['verdict'], string>>> = {
  notComparable: 'The answers differ, or found nothing.',
  tooFewCalls: 'A repeat has too few calls for the figure.',
  givenUp: 'Units of work were given up.',
  lateStarts: 'Late starts of the client may be the reason of the difference.',
};

/** The server's message where a candidate does not run a statement; null: it runs, or nobody knows. */
function refusalOn(
  { plan, skipped }: DecidedRun,
  name: string,
  target: string,
  summary: CellSummary | undefined,
): string | null {
  const own = plan.variants.filter((variant) => weightsOf(planOf(plan, variant).experiment).has(name));
  const spec = own.map((variant) => planOf(plan, variant).experiment.statements?.[name])[0];
  const refusal = refusalOf(spec, target);
  if (refusal !== null) return refusal;
  const isAlone = own.some((variant) => weightsOf(planOf(plan, variant).experiment).size === 1);
  if (!isAlone) return null;
  const left = skipped.find((one) => one.target === target && own.some(({ id }) => id === one.variant));
  if (left !== undefined) return left.reason;
  return summary !== undefined && summary.ok === 0 && summary.failed > 0 ? (summary.firstError?.message ?? null) : null;
}

function noResultText({ plan, cells, skipped }: DecidedRun, name: string, target: string): string {
  const isOf = (variant: string) =>
    plan.variants.some((one) => one.id === variant && weightsOf(planOf(plan, one).experiment).has(name));
  const left = skipped.find((one) => one.target === target && isOf(one.variant));
  const failed = cells.find((one) => one.target === target && isOf(one.variant) && one.ok === 0 && one.failed > 0);
  return left?.reason ?? failed?.firstError?.message ?? `It has no result on ${target}.`;
}

function textOf({ plan, targets }: DecidedRun, name: string, target: string): string {
  const engine = targets.find((one) => one.name === target)?.engine ?? '';
  const spec = experimentsOf(plan).flatMap(({ statements = {} }) => statements[name] ?? [])[0];
  return (spec && textFor(spec.text, { target, engine })) ?? '';
}

/**
 * The time of a candidate for all calls of the covered statements that it runs, against the reference's. In each
 * repeat, the time of a statement counts as often as its share of the server's time is larger than its time on the
 * reference.
 */
function totalOf(
  statements: readonly StatementDecision[],
  { reference, figure, level, results }: Context,
): Interval | null {
  if (figure !== 'mean') return null;
  const counted = statements.filter(({ verdict, timeShare }) => verdict !== 'doesNotRun' && (timeShare ?? 0) > 0);
  const sides = counted.map(({ statement, cell, timeShare, answers }) => {
    const own = cell && timesOf(results.get(keyOf(cell)) ?? [], statement, figure);
    const base = cell && timesOf(results.get(keyOf({ ...cell, target: reference })) ?? [], statement, figure);
    return own && base && answers?.outcome !== 'differ' ? { own, base, weight: timeShare! } : null;
  });
  if (sides.length === 0 || sides.includes(null)) return null;
  const all = sides.map((side) => side!);
  const repeats = Math.min(...all.flatMap(({ own, base }) => [own.length, base.length]));
  const unit = (base: readonly number[]) => Math.exp(base.reduce((sum, ms) => sum + Math.log(ms), 0) / base.length);
  const sum = (of: 'own' | 'base', repeat: number) =>
    all.reduce((total, side) => total + (side.weight * side[of][repeat]!) / unit(side.base), 0);
  const totals = (of: 'own' | 'base') => Array.from({ length: repeats }, (_, repeat) => sum(of, repeat));
  return compareTimes(totals('own'), totals('base'), level)?.ratio ?? null;
}

/** The statements of a candidate with this verdict. */
export const withVerdict = (
  { statements }: Pick<CandidateDecision, 'statements'>,
  verdict: DecisionVerdict,
): readonly StatementDecision[] => statements.filter((one) => one.verdict === verdict);

/** The statements of a candidate that answer otherwise than on the reference. */
export const answeringOtherwise = ({
  statements,
}: Pick<CandidateDecision, 'statements'>): readonly StatementDecision[] =>
  statements.filter(({ answers }) => answers?.outcome === 'differ');

/** True if a candidate is worse for certain in a statement, does not run one, or answers one otherwise. */
export const isWorse = ({ candidates }: Decision): boolean =>
  candidates.some(
    (one) =>
      withVerdict(one, 'worse').length + withVerdict(one, 'doesNotRun').length + answeringOtherwise(one).length > 0,
  );
