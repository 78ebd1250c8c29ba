import { keyOf } from '#protocol/cell-key.ts';
import type { CellPrecision, EnoughReason, Precision, TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import { compareMeans } from '#stats/intervals/compare-means.ts';
import { compareTimes, timesInterval } from '#stats/intervals/compare-times.ts';
import { type Interval, meanInterval } from '#stats/intervals/intervals.ts';
import { repeatsNeeded, repeatsNeededForRatio } from '#stats/intervals/repeats-needed.ts';
import { variationOf } from '#stats/intervals/summary.ts';
import { type JudgedTime, namedJudged, timesOfChanges, usualTimes } from '../judged/judged-times.ts';
import { timesOf, trialTimes } from '../judged/trial-times.ts';
import { answersBetween, answersDiffer } from '../rates/answers-between.ts';
import { baselineCell, baselineOf, compareOf } from '../rates/baseline.ts';
import { isContender } from '../rates/contenders.ts';
import { isSetByLoad, setsThroughput } from '../rates/load-rates.ts';
import { ratesByCell } from '../rates/rates-by-cell.ts';
import { rowProblems } from '../rates/row-problems.ts';
import { isTimed } from '../rates/trial-rate.ts';
import { repeatsOf } from '../repeats.ts';
import { changesFile, variantOf } from '../variant-of.ts';

/** The facts that decide if a run has enough repeats, of a running run or from a journal. */
export interface PrecisionFacts {
  readonly plan: Plan;
  readonly targets: readonly TargetRecord[];
  readonly results: readonly TrialResult[];
}

/** A quantity that is judged: one value for each repeat of each cell (keyOf), and how its values are compared. */
interface Quantity {
  /** Absent: throughput. */
  readonly time?: JudgedTime;
  /** The cells that make the calls; absent: all. */
  readonly callers?: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, readonly number[]>;
  readonly mean: (values: readonly number[]) => Interval | null;
  readonly ratio: (a: readonly number[], b: readonly number[]) => Interval | null;
}

/**
 * The width of the intervals after a complete round, of all quantities that are judged. Verdicts are about ratios to
 * the experiment's baseline, and a ratio's interval includes the scatter of both cells: so the ratios must be narrow,
 * and the mean only for a cell without a baseline. Where the load sets a ratio of throughputs, times are judged in its
 * place, and changes of the file are judged by times, unless the file names what is judged. Omitted are cells without
 * any result, cells whose rows keep them from being compared, and times for which a cell has too few calls. Null where
 * the number of repeats is fixed.
 */
function precisionAfter({ plan, targets, results }: PrecisionFacts, round: number): Precision | null {
  const { relativeMargin } = repeatsOf(plan.measure);
  if (relativeMargin === null) return null;
  const soFar = results.filter(({ repeat }) => repeat <= round);
  const rates = ratesByCell(soFar.map((result) => ({ trial: result, result })));
  const measured = plannedOnce(plan).filter((cell) => rates.has(keyOf(cell)));
  const apart = rowProblems({ plan, targets }, results);
  const contenders = measured.filter((cell) => isContender({ targets }, cell.target) && !apart.has(keyOf(cell)));
  const answers = answersBetween({ plan, targets }, results);
  const differ = (cell: Cell, other: Cell) =>
    answersDiffer({ otherAnswers: answers.get(keyOf(cell)) ?? [] }, other.target);
  const baseline = baselineOf({ plan, targets });
  const pairs = (contenders.length > 0 ? contenders : measured).map((cell): Pair => {
    const other = baselineCell(cell, baseline);
    const isOther =
      other !== null && keyOf(other) !== keyOf(cell) && rates.has(keyOf(other)) && !apart.has(keyOf(other));
    return { cell, reference: isOther && !differ(cell, other) ? keyOf(other) : null };
  });
  const setByLoad = loadsThatSetThroughput(plan, results, round);
  const isOfLoad = ({ cell, reference }: Pair): boolean => {
    if (reference === null) return false;
    const ofLoad = [setByLoad(keyOf(cell)), setByLoad(reference)] as const;
    if (!ofLoad.includes(true)) return false;
    const comparison = compareMeans(rates.get(keyOf(cell))!, rates.get(reference)!);
    return comparison !== null && isSetByLoad(comparison, ofLoad);
  };
  const byCell = Map.groupBy(
    soFar.filter(({ status }) => status === 'ok'),
    keyOf,
  );
  const resultsOf = pairs.map(({ cell }) => byCell.get(keyOf(cell)) ?? []);
  const areLevels = compareOf({ plan, targets }, baseline) === 'levels';
  const hasLoad = soFar.some(({ totals }) => totals.load !== undefined);
  const changed = areLevels && changesFile(plan) ? timesOfChanges(plan, resultsOf, hasLoad) : [];
  const named = namedJudged(plan.experiment) ?? (changed.length > 0 ? { throughput: false, times: changed } : null);
  const times = named?.times ?? (pairs.some(isOfLoad) ? usualTimes(plan.experiment, resultsOf) : []);
  const throughput: Quantity = {
    values: rates,
    mean: meanInterval,
    ratio: (a, b) => compareMeans(a, b)?.ratio ?? null,
  };
  const judged = [
    ...(named?.throughput === false
      ? []
      : widthsOf(
          throughput,
          pairs.filter((pair) => !isOfLoad(pair)),
          pairs,
          relativeMargin,
        )),
    ...times.flatMap((time) => widthsOf(quantityOf(time, byCell), pairs, pairs, relativeMargin)),
  ];
  const width = ({ found }: Judged) => found.halfWidth ?? Number.POSITIVE_INFINITY;
  // Two unknown widths: the difference of two infinities is NaN.
  const widest = judged.toSorted((a, b) => (width(a) === width(b) ? 0 : width(b) - width(a)));
  return {
    round,
    relativeMargin,
    cells: widest.map(({ found }) => found),
    roundsMore: isNarrow(widest, relativeMargin) ? 0 : expectedRounds(widest, round),
  };
}

/** A cell, and the cell (keyOf) that its ratio refers to; null: it has no ratio. */
interface Pair {
  readonly cell: Cell;
  readonly reference: string | null;
}

function quantityOf(time: JudgedTime, byCell: ReadonlyMap<string, readonly TrialResult[]>): Quantity {
  const values = [...byCell].flatMap(([key, own]) => {
    const ms = timesOf(own, time.work, time.figure);
    return ms === null ? [] : [[key, ms] as const];
  });
  return {
    time,
    callers: new Set([...byCell].flatMap(([key, own]) => (own.some((one) => trialTimes(one, time.work)) ? [key] : []))),
    values: new Map(values),
    mean: timesInterval,
    ratio: (a, b) => compareTimes(a, b)?.ratio ?? null,
  };
}

/**
 * The intervals of these pairs. Cells to which ratios of `all` refer are left out, because their means need not be
 * narrow.
 */
function widthsOf(
  quantity: Quantity,
  pairs: readonly Pair[],
  all: readonly Pair[],
  relativeMargin: number,
): readonly Judged[] {
  const { values } = quantity;
  const references = new Set(all.map(({ reference }) => reference));
  // A statement that levels add has no baseline, so that its own times have to be narrow.
  const isOfLevels = all.every(({ reference }) => reference === null || quantity.callers?.has(reference) === false);
  return pairs.flatMap(({ cell, reference: planned }) => {
    const reference = isOfLevels ? null : planned;
    const own = values.get(keyOf(cell));
    const other = reference === null ? undefined : values.get(reference);
    if (own === undefined || (reference === null ? references.has(keyOf(cell)) : other === undefined)) return [];
    return [judge(cell, quantity, own, other, relativeMargin)];
  });
}

/** True if the load of a cell (keyOf) set its throughput. */
function loadsThatSetThroughput(plan: Plan, results: readonly TrialResult[], round: number): (cell: string) => boolean {
  const ok = results.filter(({ status, repeat }) => status === 'ok' && repeat <= round);
  const byCell = Map.groupBy(ok, keyOf);
  return (cell) => {
    const own = byCell.get(cell) ?? [];
    const settings = own[0] && variantOf(plan, own[0].variant)?.settings;
    return settings !== undefined && setsThroughput(own, settings, plan.measure.seconds);
  };
}

interface Judged {
  readonly found: CellPrecision;
  /** Expected number of repeats in all for a narrow interval; null where the scatter is unknown. */
  readonly needed: number | null;
}

function judge(
  { variant, target }: Cell,
  { time, mean, ratio }: Quantity,
  own: readonly number[],
  reference: readonly number[] | undefined,
  relativeMargin: number,
): Judged {
  const interval = reference === undefined ? mean(own) : ratio(own, reference);
  const known = interval !== null && interval.low !== null;
  const [cv, cvOfReference] = [variationOf(own), reference && variationOf(reference)];
  const needed =
    cvOfReference === undefined
      ? repeatsNeeded(cv ?? 0, relativeMargin)
      : repeatsNeededForRatio(cv ?? 0, cvOfReference ?? 0, relativeMargin);
  return {
    found: {
      variant,
      target,
      of: reference === undefined ? 'mean' : 'ratio',
      ...(time && { time }),
      halfWidth: known ? halfWidth(interval) : null,
    },
    needed: known ? needed : null,
  };
}

/**
 * Half the width of an interval as a share of its value (Law & Kelton's relative precision, 9.4.1); null without
 * bounds.
 */
const halfWidth = ({ value, low, high }: Interval): number | null =>
  low === null || high === null ? null : (high - low) / 2 / value;

const isNarrow = (judged: readonly Judged[], relativeMargin: number): boolean =>
  judged.every(({ found }) => found.halfWidth !== null && found.halfWidth <= relativeMargin);

function expectedRounds(judged: readonly Judged[], round: number): number | null {
  const needed = judged.map((one) => one.needed);
  return needed.includes(null) ? null : Math.max(1, Math.max(...needed.map((one) => one ?? 0)) - round);
}

/** Fewer repeats say too little about the scatter to give up a precision. */
const leastToGiveUp = 5;
/**
 * The precision is out of reach if it needs this many times the most repeats. The interval would then be twice as wide
 * as wanted at the end, because it narrows with the square root of the repeats. The scatter of five repeats is rarely
 * more than twice the true one, so that a precision within reach is rarely given up.
 */
const farTooMany = 4;

/** True if the widest interval would be far too wide even after the most repeats, so that more of them are in vain. */
export const isOutOfReach = ({ round, roundsMore }: Precision, measure: Pick<Plan['measure'], 'repeats'>): boolean =>
  roundsMore !== null && round >= leastToGiveUp && round + roundsMore > farTooMany * repeatsOf(measure).max;

/** The scatter of fewer repeats says nothing about the last round. */
const leastToExpect = 3;

/** The round after which the run is expected to end; null while the repeats are too few to say. */
export function expectedLastRound(precision: Precision, measure: Pick<Plan['measure'], 'repeats'>): number | null {
  const { min, max } = repeatsOf(measure);
  const { round, roundsMore } = precision;
  if (round < Math.min(min, leastToExpect)) return null;
  const needed = round + (roundsMore ?? 1);
  return needed > farTooMany * max
    ? Math.min(max, Math.max(min, leastToGiveUp, round))
    : Math.min(max, Math.max(min, needed));
}

/** The state of a run with variable repeats. */
interface Standing {
  readonly precision: Precision;
  /** Null: another round follows. */
  readonly reason: EnoughReason | null;
}

/**
 * Decides if the run has enough repeats. Null where the number of repeats is fixed, and within a round: trials that a
 * resumed run makes up for count when all rounds are complete again. All cells continue until the last of them is
 * narrow enough: a cell that stopped early would have been measured at other times than the ones it is compared with,
 * so that drift of the machine would look like a difference. Stopping when an interval happens to be narrow makes its
 * coverage slightly too small (Chow & Robbins 1965; Glynn & Whitt 1992); a minimum of repeats and decisions after
 * complete rounds only limit that: precision.test.ts has the rate of false claims.
 */
export function judgeRepeats(facts: PrecisionFacts): Standing | null {
  const { plan, results } = facts;
  const done = new Set(results.map(({ number }) => number));
  const round = wholeRounds(plan, done);
  if (round === 0 || results.some(({ repeat }) => repeat > round)) return null;
  const precision = precisionAfter(facts, round);
  return precision && { precision, reason: whyEnough(plan, precision, results) };
}

function whyEnough(plan: Plan, precision: Precision, results: readonly TrialResult[]): EnoughReason | null {
  const { min, max } = repeatsOf(plan.measure);
  const { round, cells, roundsMore } = precision;
  if (round < min) return null;
  if (cells.length === 0) return results.some((one) => one.status === 'ok' && isTimed(one)) ? 'setByLoad' : 'nothing';
  if (roundsMore === 0) return 'narrow';
  if (round >= max) return 'max';
  if (isOutOfReach(precision, plan.measure)) return 'outOfReach';
  const spent = spentSeconds(results);
  return spent + spent / round > (plan.measure.budgetSeconds ?? Number.POSITIVE_INFINITY) ? 'budget' : null;
}

/** Seconds of the trials from creating their tables to verifying them: interruptions of the run do not change it. */
const spentSeconds = (results: readonly TrialResult[]): number =>
  results.reduce((sum, { phaseMs }) => sum + Object.values(phaseMs).reduce((total, ms) => total + ms, 0), 0) / 1_000;

/** The last round with all trials done; 0 before the end of the first. */
export function wholeRounds({ trials, measure }: Plan, done: { readonly has: (trial: number) => boolean }): number {
  const open = trials.find(({ number }) => !done.has(number));
  // The execution order completes each round before the next.
  return open === undefined ? repeatsOf(measure).max : open.repeat - 1;
}

const plannedOnce = (plan: Plan): readonly Cell[] =>
  plan.trials.filter(({ repeat }) => repeat === 1).map(({ variant, target }) => ({ variant, target }));
