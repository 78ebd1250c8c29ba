import {
  answeringOtherwise,
  type CandidateDecision,
  type Decision,
  type DecisionVerdict,
  decisionOf,
  type StatementDecision,
  withVerdict,
} from '#analysis/rehearsal/decision.ts';
import type { Interval, RunModel } from '#analysis/run-model/run-model.ts';
import { percentWithin } from '#analysis/text/verdict-text.ts';
import { formatChange, formatChangeBounds, formatPercent, formatRatioInterval } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { clause } from '#model/format/sentence.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import { inverse } from '#stats/intervals/intervals.ts';
import type { Fact } from './fact.ts';

/** The words of the verdicts, the worst first. */
export const decisionWords: Readonly<Record<DecisionVerdict, string>> = {
  doesNotRun: 'does not run',
  worse: 'worse',
  notShown: 'not shown',
  same: 'same',
  better: 'better',
};

/** The answer of a rehearsal. */
interface DecisionAnswer {
  readonly headline: string;
  readonly lead: 'certain' | 'uncertain';
  readonly certainty: string;
  readonly details: readonly string[];
  readonly facts: readonly Fact[];
}

/** The decision of a rehearsal in words; null: the run is none. */
export function decisionAnswer(model: RunModel): DecisionAnswer | null {
  const decision = decisionOf(model);
  if (decision === null) return null;
  const { candidates, comparisons } = decision;
  const isDecided = candidates.some(({ statements }) => statements.some(({ verdict }) => verdict !== 'notShown'));
  return {
    headline: decisionSentence(decision),
    lead: isDecided ? 'certain' : 'uncertain',
    certainty: isDecided
      ? `Certain at 95 % among ${many(comparisons, 'comparison')}`
      : `Nothing is shown: ${whyNothing(candidates)}`,
    details: candidates.map((one) => countsText(decision, one)),
    facts: answersFacts(decision),
  };
}

/** The first reason why nothing is shown. A statement without a reason has an interval that is too wide. */
function whyNothing(candidates: readonly CandidateDecision[]): string {
  const [why] = candidates.flatMap(({ statements }) => statements.flatMap((one) => one.why ?? []));
  return why === undefined
    ? 'more repeats or longer trials would narrow the intervals'
    : clause(why).replace(/\.$/, '');
}

/** "18 % more (11–26 %)", "1.02× (0.97–1.07), no difference shown". */
function totalText(ratio: Interval): string {
  const differs = ratio.low !== null && ratio.high !== null && (ratio.low > 1 || ratio.high < 1);
  if (!differs) return `${formatRatioInterval(ratio)} of the reference’s, no difference shown`;
  const shown = ratio.value > 1 ? ratio : inverse(ratio);
  return `${formatChange(shown, ratio.value > 1 ? 'more' : 'less', 'less')}${formatChangeBounds(shown)}`;
}

/**
 * "94 % of the server’s time is covered; on PostgreSQL 18, 3 statements are worse for certain, the worst 2.1×
 * (1.8–2.4), and 2 do not run".
 */
function decisionSentence(decision: Decision): string {
  const { covered, candidates } = decision;
  const told = candidates.map((one) => `on ${one.target}, ${candidateText(one)}`);
  const coverage =
    covered === null
      ? 'The file has no shares of the server’s time'
      : `${formatPercent(covered)} of the server’s time is covered`;
  return [coverage, ...told].join('; ');
}

function candidateText(one: CandidateDecision): string {
  const [worse, refused, others] = [withVerdict(one, 'worse'), withVerdict(one, 'doesNotRun'), answeringOtherwise(one)];
  const worst = worse.toSorted((a, b) => b.ratio!.value - a.ratio!.value)[0];
  const parts = [
    worst === undefined
      ? 'no statement is worse for certain'
      : `${many(worse.length, 'statement')} ${worse.length === 1 ? 'is' : 'are'} worse for certain, ${worse.length === 1 ? 'at' : 'the worst at'} ${formatRatioInterval(worst.ratio!)} the time`,
    ...(refused.length === 0 ? [] : [`${refused.length} ${refused.length === 1 ? 'does' : 'do'} not run`]),
    ...(others.length === 0 ? [] : [`${others.length} ${others.length === 1 ? 'answers' : 'answer'} otherwise`]),
  ];
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)}`;
}

/** "postgres@18: 12 same (within ± 10 %), 3 better. Total time: 18 % more (11–26 %)." */
function countsText({ margin }: Decision, one: CandidateDecision): string {
  const parts = (['worse', 'doesNotRun', 'same', 'better', 'notShown'] as const).flatMap((verdict) => {
    const { length } = withVerdict(one, verdict);
    const words = verdict === 'same' ? `same (within ${percentWithin(margin)})` : decisionWords[verdict];
    return length === 0 ? [] : [`${length} ${length > 1 && verdict === 'doesNotRun' ? 'do not run' : words}`];
  });
  const total = one.total === null ? '' : ` Total time: ${totalText(one.total)}.`;
  return `${one.target}: ${parts.length === 0 ? 'no statement has a result' : parts.join(', ')}.${total}`;
}

/** "equal for 18 of 19 statements". */
function answersFacts({ candidates }: Decision): readonly Fact[] {
  return candidates.flatMap((one): readonly Fact[] => {
    const compared = one.statements.filter(({ answers }) => answers !== null);
    const equal = compared.filter(({ answers }) => answers!.outcome === 'equal');
    const name = candidates.length === 1 ? 'Equal answers' : `Equal answers on ${one.target}`;
    return compared.length === 0 ? [] : [[name, `${equal.length} of ${many(compared.length, 'statement')}`]];
  });
}

/** "2.1× slower (1.8–2.4×)", "within ± 10 % (0.97–1.04×)", or the reason. */
export function statementText({ margin }: Decision, { verdict, ratio, why }: StatementDecision): string {
  if (verdict === 'doesNotRun' || ratio === null) return why ?? '–';
  if (verdict === 'worse') return `${formatChange(ratio, 'slower', 'faster')}${formatChangeBounds(ratio)}`;
  if (verdict === 'better') {
    const shown = inverse(ratio);
    return `${formatChange(shown, 'faster', 'slower')}${formatChangeBounds(shown)}`;
  }
  const bounds = formatRatioInterval(ratio);
  if (verdict === 'same') return `within ${percentWithin(margin)}: ${bounds}`;
  return why === null ? bounds : `${bounds}. ${why}`;
}

/** "equal (20 draws)", "differ: …". */
export function answersText({ answers }: StatementDecision): string {
  if (answers === null) return '–';
  const why = answers.why === undefined ? '' : `: ${answers.why}`;
  switch (answers.outcome) {
    case 'equal':
      return `equal (${many(answers.draws, 'draw')})`;
    case 'differ':
      return `differ${why}`;
    case 'cannotTell':
      return `cannot tell${why}`;
    case 'notChecked':
      return `not compared${why}`;
  }
}

/** Explains the table of a decision. */
export const decisionNote = ({ reference, figure, comparisons, margin }: Decision): string =>
  `Ratios are the ${figure === 'mean' ? 'mean' : formatFigure(figure)} times on the candidate, divided by those on ${reference}. Their intervals hold for all ${many(comparisons, 'comparison')} together with 95 %. “worse” and “better”: the interval excludes 1. “same”: the whole interval lies within ${percentWithin(margin)}. “not shown”: neither, and more repeats may show it. Statements are ordered by their share of the server’s time.`;
