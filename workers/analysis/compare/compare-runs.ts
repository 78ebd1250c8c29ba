import { chosenSize } from '#experiment/schema/sizes.ts';
import { isSetByLoad } from '#planning/rates/load-rates.ts';
import { ratesByCell } from '#planning/rates/rates-by-cell.ts';
import { variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import type { Cell } from '#protocol/plan.ts';
import { betweenRuns, leastRuns } from '#stats/intervals/between-runs.ts';
import { type Comparison, compareMeans, isDifference } from '#stats/intervals/compare-means.ts';
import { type Interval, levelOfEach } from '#stats/intervals/intervals.ts';
import { damageText } from '../run-model/file-damage.ts';
import type { CellSummary, RunModel } from '../run-model/run-model.ts';
import { compareMachines, machineDifferenceText } from './compare-machines.ts';
import { verdictOf } from './mean-ratios.ts';
import { whatChanged } from './what-changed.ts';

/** A cell of two runs. */
export interface RunComparison extends Cell {
  readonly before: Interval | null;
  readonly after: Interval | null;
  /** After ÷ before; null if either has no result. The bounds hold for all cells of the comparison together. */
  readonly ratio: Interval | null;
  /**
   * driftOrChange: the runs differ by more than their repeats scatter, but the usual drift between runs of this
   * experiment is unknown, or the machine was in another state (compare-machines.ts). setByLoad: the run with less
   * throughput completed all of the offered load. notComparable: returned rows exclude the cell from comparisons.
   * missing: only one run has the cell.
   */
  readonly verdict: Comparison['verdict'] | 'driftOrChange' | 'setByLoad' | 'notComparable' | 'missing';
  /** Number of earlier runs whose drift the interval includes; 0: it includes only the scatter of the repeats. */
  readonly earlierRuns: number;
}

/**
 * The earlier runs that show the usual drift between runs of one experiment: complete runs of its name and size that
 * began before `after`, including `before`. Empty if the two runs are not of one experiment. `all`: the runs that
 * measured the same as `before` (measured-same.ts), newest first, because an edit between two runs is no drift.
 */
export function earlierRuns(before: RunModel, after: RunModel, all: readonly RunEntry[]): readonly RunEntry[] {
  const { experiment } = after.plan;
  if (before.plan.experiment.name !== experiment.name) return [];
  const size = chosenSize(experiment);
  return all.filter(
    (run) =>
      run.status === 'complete' &&
      run.name === experiment.name &&
      run.size === size &&
      run.id !== after.runId &&
      Date.parse(run.startedAt) < Date.parse(after.startedAt),
  );
}

/**
 * Matches the cells of two runs by variant and target; cells of only one run are listed as missing. Two runs differ by
 * more than their repeats scatter, because the state of machine and servers changes: a run is a random effect. So a
 * difference is claimed only against the drift between at least three earlier runs, with intervals that hold for all
 * cells together, and only if the machine was in the same state.
 */
export function compareRuns(
  before: RunModel,
  after: RunModel,
  earlier: readonly RunEntry[] = [],
  /** The number of comparisons whose intervals hold together, if there are more than the cells of these runs. */
  claims = ratedCells(before, after),
): readonly RunComparison[] {
  const rates = { before: ratesByCell(before.trials), after: ratesByCell(after.trials) };
  const find = (cells: readonly CellSummary[], key: string) => cells.find((cell) => keyOf(cell) === key);
  const keys = [...new Set([...before.cells, ...after.cells].map(keyOf))];
  const level = levelOfEach(claims);
  const sameMachine = !compareMachines(before, after).some(({ differs }) => differs);
  return keys.map((key): RunComparison => {
    const [old, now] = [find(before.cells, key), find(after.cells, key)];
    const { variant, target } = (now ?? old)!;
    const own = { variant, target, before: old?.rowsPerSecond ?? null, after: now?.rowsPerSecond ?? null };
    const within = compareMeans(rates.after.get(key) ?? [], rates.before.get(key) ?? [], level);
    if (within === null) return { ...own, ratio: null, verdict: 'missing', earlierRuns: 0 };
    const label = variantText((now ? after : before).plan, variant);
    const means = earlier.flatMap(({ cells }) =>
      cells.filter((cell) => cell.label === label && cell.target === target).map(({ value }) => value),
    );
    const between = betweenRuns(within.ratio.value, means, level);
    const ratio = between === null ? within.ratio : wider(within.ratio, between);
    const judged = between === null ? within.verdict : verdictOf(ratio);
    const ofLoad = [now?.load?.setsThroughput ?? false, old?.load?.setsThroughput ?? false] as const;
    const verdict = [now, old].some((cell) => cell !== undefined && cell.rowProblems.length > 0)
      ? 'notComparable'
      : isSetByLoad({ ratio, verdict: judged }, ofLoad)
        ? 'setByLoad'
        : isDifference(judged) && (between === null || !sameMachine)
          ? 'driftOrChange'
          : judged;
    return { ...own, ratio, verdict, earlierRuns: between === null ? 0 : means.length };
  });
}

/** The number of cells that have a throughput in both runs. */
export function ratedCells(before: RunModel, after: RunModel): number {
  const [old, now] = [ratesByCell(before.trials), ratesByCell(after.trials)];
  return [...now.keys()].filter((key) => old.has(key)).length;
}

/** The wider bounds of both intervals, around the value of the repeats. */
export const wider = (within: Interval, between: { readonly low: number; readonly high: number }): Interval => ({
  ...within,
  low: Math.min(within.low ?? between.low, between.low),
  high: Math.max(within.high ?? between.high, between.high),
});

/** Verdicts that do not depend on an interval. */
const withoutInterval: readonly string[] = ['missing', 'setByLoad', 'notComparable', 'tooFewCalls', 'givenUp'];

/**
 * States the confidence of a comparison's intervals, and how to settle the open differences. `command`: the command
 * that makes the interleaved experiment; null if a button makes it.
 */
export function comparisonPromise(
  all: readonly { readonly verdict: string; readonly earlierRuns: number }[],
  command: string | null,
): readonly string[] {
  const compared = all.filter(({ verdict }) => !withoutInterval.includes(verdict));
  if (compared.length === 0) return [];
  const together =
    compared.length === 1
      ? 'The interval holds with 95 %'
      : `Intervals hold for all ${compared.length} ratios together with 95 %`;
  const known = compared.filter((cell) => cell.earlierRuns > 0);
  const most = Math.max(...compared.map((cell) => cell.earlierRuns));
  const settled = [
    'What settles it is one experiment with both versions as two targets: its rounds alternate between them, so that drift meets both alike.',
    ...(command === null ? [] : [`This command writes it: ${command}`]),
  ];
  if (known.length === compared.length)
    return [
      `${together}, and count in how much ${most} earlier runs of this experiment differ from each other.`,
      ...(compared.some(({ verdict }) => verdict === 'driftOrChange') ? settled : []),
    ];
  return [
    `${together}. ${known.length === 0 ? 'They' : `Those of ${compared.length - known.length} ratios`} count the variation between repeats alone: two runs at two moments cannot tell a change from drift of the machine. With ${leastRuns} earlier runs of this experiment Dyno knows how much its runs differ by themselves.`,
    ...settled,
  ];
}

/** Reasons, as sentences, why a comparison of two runs is questionable. */
export function comparisonRemarks(before: RunModel, after: RunModel): readonly string[] {
  const damaged = [
    ...damageText(before.damage).map((words) => `reference: ${words}`),
    ...damageText(after.damage).map((words) => `compared run: ${words}`),
  ];
  if (before.runId === after.runId) return [...damaged, 'This is one run, compared with itself.'];
  const isAlone = whatChanged(before, after).every(({ kind }) => kind === 'machine');
  const machine = machineDifferenceText(compareMachines(before, after), isAlone);
  const common = compareRuns(before, after).some((cell) => cell.before !== null && cell.after !== null);
  return [
    ...damaged,
    ...(Date.parse(before.startedAt) > Date.parse(after.startedAt)
      ? [
          'The reference is the later one of the two runs: make the earlier run the reference to see what has become faster.',
        ]
      : []),
    ...(common ? [] : ['No variant has a result on one target in both runs: there is nothing to compare.']),
    ...(machine === null ? [] : [machine]),
  ];
}
