import { weightsOf } from '#experiment/statements/statement-mix.ts';
import { type TimeFigure, trialTimes } from '#planning/judged/trial-times.ts';
import { planOf, variantOf } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { compareTimes } from '#stats/intervals/compare-times.ts';
import { levelOfEach } from '#stats/intervals/intervals.ts';
import { meanOrNull } from '#stats/intervals/summary.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { adviceFactor, unchangedLevel } from './advice-file.ts';
import { adviceKinds, type Candidate } from './candidate.ts';
import { probeName } from './write-probe.ts';

/** A read of the file may become slower by this share at most, with certainty, and a write by the second. */
export const mostSlower = { read: 0.1, write: 0.5 } as const;

/** A ratio of times with bounds that hold for all claims of the run together. Below 1: faster. */
export interface TimeRatio {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The effect of a candidate on one statement or transaction. */
export interface AdviceEffect {
  readonly work: string;
  /** probe: an insert that the advice has added, because the file writes to the table nowhere. */
  readonly kind: 'read' | 'write' | 'probe';
  /** The median where each repeat has enough calls, because a busy machine disturbs it least; else the mean. */
  readonly figure: TimeFigure;
  readonly beforeMs: number;
  readonly afterMs: number;
  readonly ratio: TimeRatio;
}

/** notTried: the budget did not suffice, no run can have it, or the server does not use it. */
type AdviceVerdict = 'recommended' | 'notRecommended' | 'notShown' | 'notTried';

/** A candidate with what was measured of it. */
export interface JudgedAdvice {
  readonly candidate: Candidate;
  readonly verdict: AdviceVerdict;
  /** The reason for the verdict, as a sentence. */
  readonly why: string;
  /** The time of the file's mix, weighted; null: not measured. */
  readonly total: TimeRatio | null;
  readonly effects: readonly AdviceEffect[];
  /** Bytes of all indexes with the change, less those without; null: not known. */
  readonly bytes: number | null;
  /** The time to create the indexes of the change, ms; null: none, or not known. */
  readonly buildMs: number | null;
  /** The better advice that this one is measured instead of; null: it is the best, or has another purpose. */
  readonly insteadOf: string | null;
}

interface Sides {
  readonly own: readonly TrialResult[];
  readonly base: readonly TrialResult[];
}

/** Judges the candidates of a run by its repeats. The recommended ones come first, the best of them at the top. */
export function judgeAdvice(
  model: Pick<RunModel, 'plan' | 'trials'>,
  candidates: readonly Candidate[],
  isWrite: (statement: string) => boolean,
): readonly JudgedAdvice[] {
  const results = Map.groupBy(
    model.trials.flatMap(({ result }) => (result?.status === 'ok' ? [result] : [])),
    keyOf,
  );
  const target = model.plan.targets[0]!.name;
  const resultsOf = (level: string): readonly TrialResult[] => {
    const variant = model.plan.variants.find(({ levels }) => levels[adviceFactor] === level);
    return variant === undefined ? [] : (results.get(keyOf({ variant: variant.id, target })) ?? []);
  };
  const base = resultsOf(unchangedLevel);
  const { experiment } = planOf(model.plan, variantOf(model.plan, base[0]?.variant ?? ''));
  const all = weightsOf(experiment);
  const probes = new Set(candidates.flatMap(({ tables }) => tables.map(probeName)));
  const weights = new Map([...all].filter(([name]) => !probes.has(name)));
  // Every figure of every candidate is a claim; their bounds hold together.
  const level = levelOfEach(candidates.length * (all.size + 1));
  const everywhere = [base, ...candidates.map(({ title }) => resultsOf(title))].filter((own) => own.length > 0);
  const figureOf = (work: string): TimeFigure =>
    everywhere.every((own) => timesOf(own, work, 0.5) !== null) ? 0.5 : 'mean';
  const figures = new Map([...all.keys()].map((work) => [work, figureOf(work)]));
  const judged = candidates.map((candidate) =>
    judge(candidate, { own: resultsOf(candidate.title), base }, { weights, figures, probes, isWrite, level }),
  );
  return ranked(judged);
}

interface Terms {
  /** The statements and transactions of the file, by their weights. */
  readonly weights: ReadonlyMap<string, number>;
  /** The figure by which each of them, and each probe, is judged. */
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

const limitOf = (kind: AdviceEffect['kind']): number => (kind === 'read' ? mostSlower.read : mostSlower.write);

interface Found extends Sides, Pick<JudgedAdvice, 'total' | 'effects'>, Pick<Terms, 'weights'> {
  /** The ratio of the means of all statements. */
  readonly totalMean: TimeRatio | null;
  /** Statements whose mean is certainly slower beyond the limit. */
  readonly slowerMeans: readonly string[];
}

function verdictOf(
  { steps, kind }: Candidate,
  { total, totalMean, slowerMeans, effects, own, base, weights }: Found,
): Pick<JudgedAdvice, 'verdict' | 'why'> {
  const rewrites = steps.some((step) => step.do === 'replaceText') && kind !== 'lookUps';
  const compared = own.flatMap(({ answers = [] }) => answers);
  const other = compared.find(({ outcome }) => outcome !== 'equal');
  if (other?.outcome === 'differ')
    return { verdict: 'notRecommended', why: `“${other.statement}” answers something else.` };
  if (rewrites && (other || compared.length === 0))
    return {
      verdict: 'notRecommended',
      why: `The answers could not be compared${other?.why ? `: ${other.why}` : ''}.`,
    };
  if (own.length < 2 || base.length < 2) return { verdict: 'notShown', why: 'It has fewer than two good repeats.' };
  if (total === null)
    return { verdict: 'notShown', why: `A repeat has no call of one of ${[...weights.keys()].join(', ')}.` };
  const slower = effects.find(({ kind, ratio }) => ratio.low > 1 + limitOf(kind))?.work ?? slowerMeans[0];
  if (slower) return { verdict: 'notRecommended', why: `“${slower}” is certainly slower beyond the limit.` };
  const faster = effects.filter(({ ratio }) => ratio.high < 1);
  if (steps.every((step) => step.do === 'dropIndex')) {
    if (faster.length === 0) return { verdict: 'notShown', why: 'No write is certainly faster without it.' };
    return total.high <= 1 + mostSlower.read
      ? { verdict: 'recommended', why: 'Writes are certainly faster, and no read is slower beyond the limit.' }
      : { verdict: 'notShown', why: 'The time of all statements together may be longer.' };
  }
  if (total.low > 1 || (totalMean !== null && totalMean.low > 1))
    return { verdict: 'notRecommended', why: 'All statements together certainly take longer.' };
  if (faster.length === 0) return { verdict: 'notShown', why: 'No statement is certainly faster.' };
  if (total.high >= 1) return { verdict: 'notShown', why: 'All statements together are not certainly faster.' };
  return { verdict: 'recommended', why: `${faster.map(({ work }) => `“${work}”`).join(', ')} certainly faster.` };
}

const places: readonly JudgedAdvice['verdict'][] = ['recommended', 'notShown', 'notRecommended', 'notTried'];

/** The gain by which advice is ordered: of all statements, or of writes where an index is dropped. */
const gainOf = ({ candidate, total, effects }: JudgedAdvice): TimeRatio =>
  (isDrop(candidate)
    ? effects.filter(({ kind }) => kind !== 'read').toSorted((a, b) => a.ratio.value - b.ratio.value)[0]?.ratio
    : total) ?? { value: 1, low: 1, high: 1 };

const isDrop = ({ steps }: Candidate): boolean => steps.every((step) => step.do === 'dropIndex');

/** The order of advice. Where two are about as fast, the simpler one is the better. */
function ranked(all: readonly JudgedAdvice[]): readonly JudgedAdvice[] {
  const ordered = all.toSorted(
    (a, b) => places.indexOf(a.verdict) - places.indexOf(b.verdict) || gainOf(a).value - gainOf(b).value,
  );
  const [first] = ordered;
  if (first === undefined || first.verdict !== 'recommended') return ordered;
  const isRival = (one: JudgedAdvice) => one.verdict === 'recommended' && gainOf(one).low <= gainOf(first).high;
  const rivals = ordered.filter(isRival).toSorted((a, b) => rank(a) - rank(b));
  const others = ordered.filter((one) => !isRival(one));
  return alternatives([...rivals, ...others]);
}

const rank = ({ candidate: { kind } }: JudgedAdvice): number => adviceKinds.indexOf(kind);

/** Advice for the same statements is measured alone, so only the best of it is to be carried out. */
function alternatives(all: readonly JudgedAdvice[]): readonly JudgedAdvice[] {
  return all.map((one, i) => {
    if (one.verdict !== 'recommended') return one;
    const better = all
      .slice(0, i)
      .find(
        (other) =>
          other.verdict === 'recommended' &&
          (other.candidate.statements.some((name) => one.candidate.statements.includes(name)) ||
            (isDrop(one.candidate) && other.candidate.tables.some((table) => one.candidate.tables.includes(table)))),
      );
    return better ? { ...one, insteadOf: better.candidate.title } : one;
  });
}
