import type { JudgedTime } from '#planning/judged/judged-times.ts';
import {
  type TimedWork,
  type TimeFigure,
  timeFigures,
  timesLack,
  timesOf,
  trialTimes,
} from '#planning/judged/trial-times.ts';
import { answersDiffer } from '#planning/rates/answers-between.ts';
import { type Baseline, baselineCell } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { cellOf, keyOf } from '#protocol/cell-key.ts';
import type { StatementCounts, TrialResult } from '#protocol/measurement.ts';
import type { Cell } from '#protocol/plan.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { compareTimes, timesInterval } from '#stats/intervals/compare-times.ts';
import { repeatsNeededForRatio } from '#stats/intervals/repeats-needed.ts';
import { variationOf } from '#stats/intervals/summary.ts';
import type { Interval, Ratio, RunModel } from '../run-model/run-model.ts';
import { isComparable } from './comparable.ts';
import { usefulMargin } from './compare.ts';
import { dependsOnLateStarts } from './late-starts.ts';

/** A figure of the times of a cell’s calls, and its ratio to the baseline’s. */
export interface LatencyRatio extends Cell {
  readonly work: TimedWork;
  /** units: the units of work of the cell. */
  readonly kind: 'units' | StatementCounts['kind'];
  /** response: from the intended start. service: from the actual start. */
  readonly time: 'response' | 'service';
  readonly figure: TimeFigure;
  /** The cell of the baseline; itself for the baseline. */
  readonly against: Cell;
  /** Geometric mean of the repeats’ values, ms; null where a repeat has none (timesLack). */
  readonly ms: Interval | null;
  /** The cell’s time ÷ the baseline’s: above 1 it is slower. Null where a side has no value, or returned other rows. */
  readonly ratio: Interval | null;
  /**
   * notComparable: a cell is excluded from comparisons, or the figure is the maximum of unlike numbers of calls.
   * tooFewCalls: a repeat of one side has too few calls for the figure. givenUp: a repeat of one side gave up units of
   * work. lateStarts: the difference depends on late starts of the load generator.
   */
  readonly verdict: Exclude<Ratio['verdict'], 'setByLoad'> | ReturnType<typeof timesLack> | 'lateStarts';
  /** Expected number of repeats on each side that narrows the interval to ± 5 %; null if the scatter is unknown. */
  readonly repeatsNeeded: number | null;
}

/** The parts of a run that comparisons of times read. */
type TimedRun = Pick<RunModel, 'cells' | 'targets' | 'trials'>;

/**
 * The maximum grows with the number of calls, so maxima are compared only if the numbers of calls differ by this share
 * at most.
 */
const unlikeCalls = 0.1;

/**
 * The times of all cells against the baseline’s: of their units of work, and of each statement, transaction and
 * scenario, with the figures of `timeFigures` or these ones. The order is that of works, figures and cells. Cells
 * without a baseline cell are left out; a ratio is null, and the verdict says why, where the sides cannot be compared.
 * Each interval holds for its own comparison with 95 %.
 */
export function latencyRatios(
  model: TimedRun,
  baseline: Baseline,
  figures: readonly TimeFigure[] = timeFigures,
): readonly LatencyRatio[] {
  const results = resultsByCell(model);
  const times = [...worksOf(results).keys()].flatMap((work) => figures.map((figure) => ({ work, figure })));
  return latencyRatiosOf(model, baseline, times, results);
}

/** The successful results of each cell (keyOf), in the order of the run. */
export function resultsByCell({ trials }: Pick<RunModel, 'trials'>): ReadonlyMap<string, readonly TrialResult[]> {
  const ok = trials.flatMap(({ result }) => (result?.status === 'ok' ? [result] : []));
  return Map.groupBy(ok, keyOf);
}

type Results = ReturnType<typeof resultsByCell>;

/** The kinds of all works: of the units of work together, then of what the file names, in its order. */
function worksOf(results: Results): ReadonlyMap<TimedWork, LatencyRatio['kind']> {
  const works = new Map<TimedWork, LatencyRatio['kind']>([[null, 'units']]);
  for (const own of results.values())
    for (const { statements = [] } of own) for (const { name, kind } of statements) works.set(name, kind);
  return works;
}

/** These times of all cells against the baseline’s, time by time. */
export function latencyRatiosOf(
  model: TimedRun,
  baseline: Baseline,
  times: readonly JudgedTime[],
  results: Results = resultsByCell(model),
): readonly LatencyRatio[] {
  const kinds = worksOf(results);
  const apart = new Set(model.cells.filter((cell) => !isComparable(model, cell)).map(keyOf));
  const otherRows = new Set(model.cells.filter(({ rowProblems }) => rowProblems.length > 0).map(keyOf));
  const hasLoad = model.cells.some(({ load }) => load !== null);
  const baselineOf = baselineOfWorks(model, baseline, results);
  const ratioOf = ({ work, figure }: JudgedTime, summary: RunModel['cells'][number]): LatencyRatio | null => {
    const cell = cellOf(summary);
    const other = baselineCell(cell, baselineOf(work));
    const own = results.get(keyOf(cell)) ?? [];
    const reference = other === null ? [] : (results.get(keyOf(other)) ?? []);
    if (other === null || !has(own, work) || !has(reference, work)) return null;
    const [values, base] = [timesOf(own, work, figure), timesOf(reference, work, figure)];
    const none = {
      ...{ ...cell, work, kind: kinds.get(work) ?? ('statement' as const), figure, against: cellOf(other) },
      // A connection without a load of its own begins each call when it is due, so response and service time are equal.
      time: (work === null && hasLoad) || isResponse(own, work) ? ('response' as const) : ('service' as const),
      ms: values && timesInterval(values),
      ratio: null,
      repeatsNeeded: null,
    };
    if (keyOf(other) === keyOf(cell)) return { ...none, verdict: 'baseline' };
    const sides = [keyOf(cell), keyOf(other)];
    // A different answer of one statement says nothing about the times of other statements.
    const statement = kinds.get(work) === 'statement' ? work : null;
    if (answersDiffer(summary, other.target, statement) || sides.some((key) => otherRows.has(key)))
      return { ...none, verdict: 'notComparable' };
    if (values === null) return { ...none, verdict: timesLack(own, work, figure) };
    if (base === null) return { ...none, verdict: timesLack(reference, work, figure) };
    const compared = compareTimes(values, base);
    if (compared === null) return null;
    const isApart = sides.some((key) => apart.has(key)) || !isContender(model, other.target);
    const isUnlike = figure === 1 && haveUnlikeCalls(own, reference, work);
    const isFromClient =
      isDifference(compared.verdict) && dependsOnLateStarts(model, { work, figure }, [own, reference]);
    const [cv, cvOfBase] = [variationOf(values), variationOf(base)];
    return {
      ...none,
      ratio: compared.ratio,
      verdict: isApart || isUnlike ? 'notComparable' : isFromClient ? 'lateStarts' : compared.verdict,
      repeatsNeeded: cv === null || cvOfBase === null ? null : repeatsNeededForRatio(cv, cvOfBase, usefulMargin),
    };
  };
  return times.flatMap((time) => model.cells.flatMap((cell) => ratioOf(time, cell) ?? []));
}

/**
 * The baseline of each work. If levels add a statement that the baseline's variant lacks, the first variant that calls
 * the statement is its baseline, so that the cells with the statement are compared.
 */
function baselineOfWorks(
  { cells }: Pick<TimedRun, 'cells'>,
  baseline: Baseline,
  results: Results,
): (work: TimedWork) => Baseline {
  const known = new Map<TimedWork, Baseline>();
  const make = (work: TimedWork): Baseline => {
    if (baseline.variant === undefined || work === null) return baseline;
    const calling = cells.filter((cell) => has(results.get(keyOf(cell)) ?? [], work));
    const [first] = calling;
    return first === undefined || calling.some(({ variant }) => variant === baseline.variant)
      ? baseline
      : { ...baseline, variant: first.variant };
  };
  return (work) => {
    const found = known.get(work) ?? make(work);
    known.set(work, found);
    return found;
  };
}

const isResponse = (results: readonly TrialResult[], work: TimedWork): boolean =>
  results.some((result) => trialTimes(result, work)?.time === 'response');

const has = (results: readonly TrialResult[], work: TimedWork): boolean =>
  results.some((result) => trialTimes(result, work) !== null);

function haveUnlikeCalls(own: readonly TrialResult[], other: readonly TrialResult[], work: TimedWork): boolean {
  const callsOf = (all: readonly TrialResult[]) =>
    all.reduce((sum, result) => sum + (trialTimes(result, work)?.calls ?? 0), 0) / all.length;
  const [fewer, more] = [callsOf(own), callsOf(other)].toSorted((a, b) => a - b);
  return more! > fewer! * (1 + unlikeCalls);
}
