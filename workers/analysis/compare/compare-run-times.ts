import { type JudgedTime, namedJudged, timesOfChanges } from '#planning/judged/judged-times.ts';
import { timesLack, timesOf, trialTimes } from '#planning/judged/trial-times.ts';
import { variantText } from '#planning/variant-of.ts';
import { cellOf, keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Cell } from '#protocol/plan.ts';
import { betweenRuns } from '#stats/intervals/between-runs.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { compareTimes, timesInterval, verdictOfTimes } from '#stats/intervals/compare-times.ts';
import type { Interval } from '#stats/intervals/intervals.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { compareMachines } from './compare-machines.ts';
import { wider } from './compare-runs.ts';
import { dependsOnLateStarts } from './late-starts.ts';
import { type LatencyRatio, resultsByCell } from './latency-ratios.ts';

/** A figure of the times of some calls of a cell in two runs. */
export interface RunTimeComparison extends Cell, JudgedTime {
  /** response: from the intended start. service: from the actual start. */
  readonly time: LatencyRatio['time'];
  /** Geometric means of the repeats' values, ms; null without them. */
  readonly before: Interval | null;
  readonly after: Interval | null;
  /** After ÷ before: above 1 the later run is slower. The bounds hold for all claims of the comparison together. */
  readonly ratio: Interval | null;
  /** For driftOrChange and missing see RunComparison, and for the others LatencyRatio. */
  readonly verdict: Exclude<LatencyRatio['verdict'], 'baseline'> | 'driftOrChange' | 'missing';
  /** Number of earlier runs whose drift the interval includes. */
  readonly earlierRuns: number;
}

/** The values of a time in earlier runs of the experiment, one for each run; empty where they are not known. */
export type EarlierTimes = (
  cell: { readonly label: string; readonly target: string },
  time: JudgedTime,
) => readonly number[];

const noTimes: EarlierTimes = () => [];

/**
 * The times by which two runs are compared: those that the later file names, or else those of each statement and
 * transaction, and of all units of work under a load.
 */
function timesBetween(before: RunModel, after: RunModel): readonly JudgedTime[] {
  const named = namedJudged(after.plan.experiment);
  if (named !== null) return named.times;
  const results = [before, after].flatMap((run) => [...resultsByCell(run).values()]);
  const hasLoad = [before, after].some(({ cells }) => cells.some(({ load }) => load !== null));
  return timesOfChanges(after.plan, results, hasLoad);
}

interface Sides {
  readonly cell: Cell;
  readonly time: JudgedTime;
  readonly old: readonly TrialResult[];
  readonly now: readonly TrialResult[];
}

/** Each time of each cell that one of the two runs has. */
function sidesOf(before: RunModel, after: RunModel): readonly Sides[] {
  const [old, now] = [resultsByCell(before), resultsByCell(after)];
  const cells = new Map([...before.cells, ...after.cells].map((cell) => [keyOf(cell), cellOf(cell)]));
  return timesBetween(before, after).flatMap((time) =>
    [...cells].flatMap(([key, cell]): readonly Sides[] => {
      const sides = { cell, time, old: old.get(key) ?? [], now: now.get(key) ?? [] };
      return has(sides.old, time) || has(sides.now, time) ? [sides] : [];
    }),
  );
}

const has = (results: readonly TrialResult[], { work }: JudgedTime): boolean =>
  results.some((result) => trialTimes(result, work) !== null);

/** The number of times that both runs have. */
export const timedCells = (before: RunModel, after: RunModel): number =>
  sidesOf(before, after).filter(({ old, now, time }) => has(old, time) && has(now, time)).length;

/**
 * Compares the times of two runs: those of all units of work, and of each statement and transaction. A difference is
 * claimed only against the drift between at least three earlier runs, as compareRuns does for throughput. `level`: the
 * confidence of each interval.
 */
export function compareRunTimes(
  before: RunModel,
  after: RunModel,
  level: number,
  earlier: EarlierTimes = noTimes,
): readonly RunTimeComparison[] {
  const sameMachine = !compareMachines(before, after).some(({ differs }) => differs);
  const apart = new Set(
    [...before.cells, ...after.cells].filter(({ rowProblems }) => rowProblems.length > 0).map(keyOf),
  );
  return sidesOf(before, after).map(({ cell, time, old, now }): RunTimeComparison => {
    const { work, figure } = time;
    const kindOf = (results: readonly TrialResult[]) =>
      results.map((result) => trialTimes(result, work)?.time).find((one) => one !== undefined);
    const [oldValues, nowValues] = [timesOf(old, work, figure), timesOf(now, work, figure)];
    const none = {
      ...{ ...cell, work, figure, time: kindOf(now) ?? kindOf(old) ?? ('service' as const) },
      before: oldValues && timesInterval(oldValues),
      after: nowValues && timesInterval(nowValues),
      ...{ ratio: null, earlierRuns: 0 },
    };
    if (!has(old, time) || !has(now, time)) return { ...none, verdict: 'missing' };
    if (apart.has(keyOf(cell)) || kindOf(old) !== kindOf(now)) return { ...none, verdict: 'notComparable' };
    if (oldValues === null) return { ...none, verdict: timesLack(old, work, figure) };
    if (nowValues === null) return { ...none, verdict: timesLack(now, work, figure) };
    const within = compareTimes(nowValues, oldValues, level);
    if (within === null) return { ...none, verdict: 'notComparable' };
    const means = earlier({ label: variantText(after.plan, cell.variant), target: cell.target }, time);
    const between = betweenRuns(within.ratio.value, means, level);
    const ratio = between === null ? within.ratio : wider(within.ratio, between);
    const judged = verdictOfTimes(ratio);
    const verdict = !isDifference(judged)
      ? judged
      : dependsOnLateStarts(after, time, [now, old])
        ? 'lateStarts'
        : between === null || !sameMachine
          ? 'driftOrChange'
          : judged;
    return { ...none, ratio, verdict, earlierRuns: between === null ? 0 : means.length };
  });
}
