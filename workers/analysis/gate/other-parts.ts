import { formatFigure } from '#planning/judged/trial-times.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { mostFurther } from '#stats/intervals/repeats-needed.ts';
import { type Finding, findingsOf } from '../findings/find-findings.ts';
import { ruleTitle } from '../findings/registry.ts';
import { errorShare, type GoalOutcome } from '../goals/goal-outcomes.ts';
import type { Interval } from '../run-model/run-model.ts';
import type { ComparedCell, ComparedCells } from './compared-cells.ts';
import type { GateOutcome, JudgedCell } from './gate-result.ts';
import { formatLimit, valueText } from './gate-text.ts';

/** A cell, or the whole run, whose outcome no interval decides. */
export function settled(
  outcome: GateOutcome,
  sentence: string,
  cell: Cell | null = null,
  name = 'the run',
): JudgedCell {
  const repeatsNeeded = outcome === 'undecided' ? null : 0;
  return { cell, name, unit: null, interval: null, limit: null, outcome, repeatsNeeded, sentence };
}

/** The share of failed calls in a cell. Its interval holds with `level`. */
export function judgedErrors(
  { cell, name }: ComparedCell,
  { own }: Pick<ComparedCells, 'own'>,
  limit: number,
  level: number,
): JudgedCell {
  const interval = errorShare(own.results.get(keyOf(cell)) ?? [], null, level);
  if (interval === null) return settled('undecided', `${name}: no call ended.`, cell, name);
  const outcome = interval.low! > limit ? 'failed' : interval.high! <= limit ? 'passed' : 'undecided';
  return measured(
    { cell, name, unit: 'share', interval, limit, outcome },
    `The share of failed calls of ${name}`,
    'limit',
  );
}

/** A goal of the experiment in a cell. */
export function judgedGoal({ cell, name }: ComparedCell, { work, of, limit, value, outcome }: GoalOutcome): JudgedCell {
  const what = of === 'errors' ? 'The share of failed calls' : formatFigure(of);
  const subject = `${what} of ${work === null ? name : `“${work}” in ${name}`}`;
  const judged = outcome === 'met' ? 'passed' : outcome === 'missed' ? 'failed' : 'undecided';
  const isAround = value !== null && value.low !== null && value.low <= limit && value.high! > limit;
  if (value === null || value.low === null || (judged === 'undecided' && !isAround))
    return settled(
      'undecided',
      `${subject}: ${value?.low == null ? noValue[outcome] : noOutcome[outcome]}`,
      cell,
      name,
    );
  const unit = of === 'errors' ? ('share' as const) : ('ms' as const);
  return measured({ cell, name, unit, interval: value, limit, outcome: judged }, subject, 'goal');
}

/** The reasons why a goal has no interval. */
const noValue: Readonly<Record<GoalOutcome['outcome'], string>> = {
  met: 'it has no interval.',
  missed: 'it has no interval.',
  notShown: 'a single repeat has no interval.',
  tooFewCalls: 'a repeat has too few calls for it.',
  givenUp: 'units of work were given up, so nobody knows this time.',
  notComparable: 'the cell has other answers or rows than it should.',
};

/** The reasons why an interval on one side of the goal decides nothing. */
const noOutcome: typeof noValue = {
  ...noValue,
  notShown: 'late starts of the load generator may be the reason of the miss.',
};

/** A measured value with a limit of its own. */
function measured(
  one: Pick<JudgedCell, 'cell' | 'name' | 'outcome'> & {
    readonly unit: 'share' | 'ms';
    readonly interval: Interval;
    readonly limit: number;
  },
  subject: string,
  limitWord: string,
): JudgedCell {
  const { interval, limit, unit, outcome } = one;
  const found = `${subject} is ${valueText(unit, interval)}`;
  const words = { passed: 'within', failed: 'beyond', undecided: 'on both sides of' } as const;
  return {
    ...one,
    repeatsNeeded: outcome === 'undecided' ? repeatsForValue(interval, limit) : 0,
    sentence: `${found}, ${words[outcome]} the ${limitWord} of ${formatLimit(unit, limit)}.`,
  };
}

/**
 * Expected number of further repeats after which the interval no longer contains the limit: its width falls with the
 * square root of the repeats. Null where more than 1,000 would be needed.
 */
function repeatsForValue({ value, low, high, n }: Interval, limit: number): number | null {
  const half = value > limit ? value - low! : high! - value;
  const needed = Math.ceil(n * (half / Math.abs(value - limit)) ** 2) - n;
  return needed <= mostFurther ? Math.max(1, needed) : null;
}

/**
 * A finding in the judged cells. It fails the gate where it is certain or likely. Where it is only possible, nobody has
 * confirmed it; where a rule lacks data, nobody can tell.
 */
export function judgedFinding(id: string, { run, cells }: ComparedCells): readonly JudgedCell[] {
  const names = new Map(cells.map(({ cell, name }) => [keyOf(cell), name]));
  const { shown, unshown } = findingsOf(run);
  const found: Finding | undefined = shown.find(({ rule }) => rule.id === id);
  const outcomes = [
    ...(found === undefined ? [] : [found.lead, ...found.also, ...found.unshown]),
    ...(unshown.find(({ rule }) => rule.id === id)?.outcomes ?? []),
  ].filter(({ cell }) => cell === null || names.has(keyOf(cell)));
  const title = ruleTitle(id);
  const told = outcomes.map((one): JudgedCell => {
    const name = one.cell === null ? 'the run' : names.get(keyOf(one.cell))!;
    if (one.status !== 'shown')
      return settled(
        one.status === 'notShown' ? 'passed' : 'undecided',
        `${title} in ${name}: ${one.status === 'notShown' ? 'not shown' : 'cannot tell'}. ${one.why}`,
        one.cell,
        name,
      );
    const isSure = one.confidence !== 'possible';
    const claim = `${title} in ${name}${isSure ? '' : ', possibly'}: ${one.claim}`;
    return settled(isSure ? 'failed' : 'undecided', claim, one.cell, name);
  });
  const silent = cells.filter(({ own }) => own === null || own.rowsPerSecond === null);
  return [
    ...told,
    ...silent.map(({ cell, name }) => settled('undecided', `${title} in ${name}: it has no result.`, cell, name)),
    ...(told.length + silent.length === 0 ? [settled('undecided', `${title}: no cell was checked.`)] : []),
  ];
}
