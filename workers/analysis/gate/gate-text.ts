import {
  digitsWithin,
  formatBounds,
  formatMs,
  formatMsTo,
  formatNumber,
  formatPercentTick,
  formatUpTo,
} from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import { variantText } from '#planning/variant-of.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import type { RunChange } from '#protocol/run-change.ts';
import type { Interval } from '../run-model/run-model.ts';
import type { GateCondition } from './conditions.ts';
import type { GateOutcome, GateResult } from './gate-result.ts';

/** Names a cell among `all`: by its variant, by its target, or by both. */
export function nameAmong(plan: Pick<Plan, 'variants'>, { variant, target }: Cell, all: readonly Cell[]): string {
  const areVariants = all.some((one) => one.variant !== variant);
  const areTargets = all.some((one) => one.target !== target);
  const name = variantText(plan, variant);
  if (!areVariants) return target;
  return areTargets ? `${name} on ${target}` : name;
}

/** "p99 of pay", "p95 of “sell” in pay": the judged quantity of a cell; its name alone for throughput. */
export function subjectText(condition: GateCondition, name: string): string {
  if (condition.kind !== 'time') return name;
  const { work, figure } = condition;
  return work === null ? `${formatFigure(figure)} of ${name}` : `${formatFigure(figure)} of “${work}” in ${name}`;
}

/**
 * "0.93–1.02× of the baseline", with enough digits to show on which side of the limit each bound lies. `runs`: the
 * number of runs whose mean is the baseline.
 */
function ofBaselineText({ value, low, high }: Interval, limit: number, runs: number): string {
  const bounds = [low ?? value, high ?? value];
  const least = digitsWithin({ value, low, high });
  const looksLikeLimit = (bound: number, digits: number) =>
    bound !== limit && Number(bound.toPrecision(digits)) === Number(limit.toPrecision(digits));
  const digits = [3, 4, 5, 6].find((one) => one >= least && !bounds.some((bound) => looksLikeLimit(bound, one))) ?? 7;
  const isPlain = !bounds.some((bound) => looksLikeLimit(bound, least));
  const [from, to] = bounds.map((bound) => formatNumber(bound, isPlain ? least : digits));
  return `${from}–${to}× of the baseline${runs > 1 ? ` (mean of ${runs} runs)` : ''}`;
}

/** "pay is 0.93–1.02× of the baseline, and the limit is 0.95×." `doubt`: a clause that follows "but". */
export function ratioText(
  condition: GateCondition,
  {
    name,
    interval,
    runs,
    limit,
    outcome,
  }: {
    readonly name: string;
    readonly interval: Interval;
    readonly runs: number;
    readonly limit: number;
    readonly outcome: GateOutcome;
  },
  doubt: string | null,
): string {
  const found = `${subjectText(condition, name)} is ${ofBaselineText(interval, limit, runs)}`;
  const worse = limit < 1 ? 'slower' : 'longer';
  const change = `more than ${formatPercentTick(Math.abs(limit - 1))} ${worse}`;
  if (outcome === 'failed') return `${found}: ${limit === 1 ? worse : change}.`;
  if (outcome === 'passed') return `${found}: not ${limit === 1 ? worse : change}.`;
  return doubt === null ? `${found}, and the limit is ${formatUpTo(limit, 6)}×.` : `${found}, but ${doubt}.`;
}

/** The reasons why a ratio decides nothing, as clauses. */
export const doubtTexts = {
  rows: (changes: readonly RunChange[]) =>
    `the tables had other rows (${changes.map(({ what, before, after }) => `${what}: ${before ?? 'none'} before, ${after ?? 'none'} now`).join('; ')})`,
  machine: (differences: string) => `the machine was in another state (${differences})`,
  load: 'its load set its throughput: judge its times (p99)',
  lateStarts: 'late starts of the load generator may be the reason',
  drift: (runs: number) =>
    `two runs at two moments cannot tell a change from drift: Dyno knows how much runs of this experiment differ after ${many(runs, 'more run')} of it`,
  chance: (comparisons: number) => `among ${comparisons} comparisons chance alone may give as much`,
  contrary: (ratio: number) => `it is ${formatUpTo(ratio, 3)}× of the run that is the baseline`,
  betweenRuns: 'runs of this experiment differ by about as much by themselves',
} as const;

/** "2.1–3.4 ms", "0.02–0.11 %": a measured value that a limit is set for. */
export function valueText(unit: 'share' | 'ms', interval: Interval): string {
  const format = (value: number | null | undefined, digits = 3): string =>
    unit === 'ms' ? formatMsTo(value, digits) : `${formatNumber(value == null ? value : value * 100, digits)}\u00a0%`;
  return formatBounds(interval, format) || format(interval.value);
}

/** "10 ms", "0.1 %". */
export const formatLimit = (unit: 'share' | 'ms', limit: number): string =>
  unit === 'ms' ? formatMs(limit) : formatPercentTick(limit);

/** "8 more repeats would decide it (about 6 min)." `secondsOfRound`: null if unknown. */
export function decideText(repeats: number, secondsOfRound: number | null = null): string {
  const time = secondsOfRound === null ? '' : ` (about ${formatMsTo(repeats * secondsOfRound * 1_000, 2)})`;
  return `${many(repeats, 'more repeat')} would decide it${time}.`;
}

/** The answer of a gate: its outcome, the cell that decides it, and the way to a decision. */
export function answerText(
  { outcome, conditions, repeatsNeeded }: Omit<GateResult, 'sentence'>,
  secondsOfRound: number | null,
): string {
  const cells = conditions.flatMap((one) => one.cells);
  const of = (wanted: GateOutcome) => cells.filter((cell) => cell.outcome === wanted);
  const [failed, open] = [of('failed'), of('undecided')];
  if (outcome === 'passed')
    return `Passed: ${cells.length === 1 ? cells[0]!.sentence : `all ${cells.length} comparisons are within their limits.`}`;
  const [first, ...others] = outcome === 'failed' ? failed : open;
  const verb = outcome === 'failed' ? 'failed' : others.length === 1 ? 'is undecided' : 'are undecided';
  const more = others.length === 0 ? '' : ` ${others.length} more ${verb}.`;
  if (outcome === 'failed')
    return `Failed: ${first!.sentence}${more}${open.length === 0 ? '' : ` ${open.length} ${open.length === 1 ? 'is' : 'are'} undecided.`}`;
  const way = repeatsNeeded === null || repeatsNeeded === 0 ? '' : ` ${decideText(repeatsNeeded, secondsOfRound)}`;
  return `Undecided: ${first?.sentence ?? 'nothing was judged.'}${more}${way}`;
}
