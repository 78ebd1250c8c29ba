import { type GoalOutcome, goalOutcomes } from '#analysis/goals/goal-outcomes.ts';
import type { Interval, RunModel } from '#analysis/run-model/run-model.ts';
import { verdictWords } from '#analysis/text/verdict-text.ts';
import { formatCount, formatInterval, formatMsTo, formatUpTo } from '#model/format/format.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import { formatGoal } from '#planning/judged/named-goals.ts';
import { variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { mostTargets } from './sentences.ts';

/** The word for each outcome, wherever it is shown. */
export const outcomeWords: Readonly<Record<GoalOutcome['outcome'], string>> = {
  met: 'met',
  missed: 'missed',
  notShown: 'not shown',
  tooFewCalls: verdictWords.tooFewCalls,
  givenUp: verdictWords.givenUp,
  notComparable: 'not comparable: other rows',
};

const percent = (share: number, digits = 3): string => `${formatUpTo(share * 100, digits)} %`;

/** The measured value with its interval; a dash for none. */
export const formatGoalValue = ({
  of,
  value,
}: Pick<GoalOutcome, 'of'> & { readonly value: Interval | null }): string =>
  value === null ? '–' : formatInterval(value, of === 'errors' ? percent : formatMsTo);

const list = lazyList('en', 'conjunction');

/**
 * "Goals: MariaDB misses p99 ≤ 50 ms; PostgreSQL meets all.": the cells that miss a goal come first. "Goals: each of 4
 * cells meets all." where all cells are alike. Empty without goals.
 */
export function goalsSentence(model: RunModel): string {
  const cells = [...Map.groupBy(goalOutcomes(model), keyOf).values()];
  const [alike, ...unlike] = [...new Set(cells.map(verdictOf))];
  if (cells.length > 1 && unlike.length === 0) return `Goals: each of ${formatCount(cells.length)} cells ${alike}.`;
  const lines = cells
    .map((own) => ({ rank: rankOf(own), text: `${nameOf(model, own[0]!)} ${verdictOf(own)}` }))
    .toSorted((a, b) => a.rank - b.rank);
  const shown = lines.slice(0, mostTargets).map(({ text }) => text);
  const more = lines.length - shown.length;
  return lines.length === 0
    ? ''
    : `Goals: ${[...shown, ...(more > 0 ? [`${more} more in the table`] : [])].join('; ')}.`;
}

const rankOf = (own: readonly GoalOutcome[]): number =>
  own.some(({ outcome }) => outcome === 'missed') ? 0 : own.every(({ outcome }) => outcome === 'met') ? 2 : 1;

function verdictOf(own: readonly GoalOutcome[]): string {
  const goalsOf = (is: GoalOutcome['outcome']) => own.filter(({ outcome }) => outcome === is).map(formatGoal);
  const missed = goalsOf('missed');
  const open = own.filter(({ outcome }) => outcome !== 'missed' && outcome !== 'met').map(formatGoal);
  if (missed.length === 0 && open.length === 0) return own.length === 1 ? `meets ${formatGoal(own[0]!)}` : 'meets all';
  return [
    ...(missed.length === 0 ? [] : [`misses ${list.format(missed)}`]),
    ...(open.length === 0 ? [] : [`does not show ${list.format(open)}`]),
  ].join(', ');
}

function nameOf({ plan }: RunModel, { variant, target }: GoalOutcome): string {
  if (plan.variants.length === 1) return target;
  const label = variantText(plan, variant);
  return plan.targets.length === 1 ? label : `${label} on ${target}`;
}
