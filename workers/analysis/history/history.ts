import { namedJudged } from '#planning/judged/judged-times.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import type { History, HistoryChange, HistoryPoint, HistoryRun, HistorySeries } from '#protocol/history.ts';
import type { RunChange } from '#protocol/run-change.ts';
import { inverse } from '#stats/intervals/intervals.ts';
import { mean } from '#stats/intervals/summary.ts';
import { findLevelChanges, type LevelChange } from '#stats/series/level-changes.ts';
import { machineDifferenceText } from '../compare/compare-machines.ts';
import { whatChanged } from '../compare/what-changed.ts';
import { changesWith } from './changes-with.ts';
import { machineChange, machineSpeeds } from './machine-change.ts';
import { movedFirst } from './moved-first.ts';
import type { RunFacts } from './run-facts.ts';
import { usualFigures } from './run-values.ts';

/** A complete run of the experiment. */
interface RunOfHistory extends Omit<HistoryRun, 'changes' | 'machineSpeed'> {
  readonly facts: RunFacts;
}

/** All values of one quantity of one cell. */
export interface ValuesOfHistory
  extends Pick<HistorySeries, 'label' | 'target' | 'index' | 'work' | 'quantity' | 'unit' | 'limit'> {
  readonly points: readonly HistoryPoint[];
  /** The work that each point measured (RunValue.definition). */
  readonly definitions: readonly string[];
}

/** Everything that the index keeps about the runs of one experiment. */
interface RunsOfExperiment extends Pick<History, 'name' | 'size' | 'olderRuns'> {
  /** Oldest first. */
  readonly runs: readonly RunOfHistory[];
  /** In the order of the latest run. */
  readonly series: readonly ValuesOfHistory[];
}

/**
 * The history of an experiment. Changes of level are searched for in all series together, and within each stretch of
 * runs whose cell did the same work: an edit of the work is a change by itself. See docs/statistics.md.
 */
export function historyOf({ name, size, olderRuns, runs, series: all }: RunsOfExperiment): History {
  const speeds = machineSpeeds(runs.map(({ facts }) => facts));
  const made = runs.map(
    ({ facts, ...run }, i): HistoryRun => ({
      ...run,
      changes: i === 0 ? [] : whatChanged(runs[i - 1]!.facts, facts),
      machineSpeed: speeds[i]!,
    }),
  );
  const shown = shownSeries(all, runs);
  const stretches = shown.flatMap((series) => stretchesOf(series));
  const found = findLevelChanges(stretches.map(({ series, points }) => levelSeries(series, points)));
  const changesOf = new Map(stretches.map((stretch, i) => [stretch, found[i]!]));
  const machineOf = machineBetween(runs);
  const series = shown.map((values): HistorySeries => {
    const own = stretches.filter((stretch) => stretch.series === values);
    return {
      ...withoutDefinitions(values),
      better: betterOf(values),
      levels: own.flatMap((stretch) => levelsOf(stretch, changesOf.get(stretch)!)),
      changes: own.flatMap((stretch) => changesIn(stretch, changesOf.get(stretch)!, made, machineOf)),
      redefined: own.slice(1).map(({ points: [first] }) => first!.run),
    };
  });
  const known = speeds.flatMap((speed) => speed ?? []);
  return {
    ...{ name, size, olderRuns, runs: made, series },
    movedFirst: movedFirst(series),
    machineSpread: known.length < 2 ? null : Math.max(...known.map((speed) => Math.abs(speed - 1))),
  };
}

function withoutDefinitions({ definitions: _, ...series }: ValuesOfHistory): Omit<ValuesOfHistory, 'definitions'> {
  return series;
}

const betterOf = ({ quantity }: ValuesOfHistory): HistorySeries['better'] =>
  quantity === 'throughput' ? 'higher' : 'lower';

/**
 * The throughput, the goals, the figures that the latest run judges, and the highest figure of the times that every run
 * has: runs with too few calls for p99 would leave gaps.
 */
function shownSeries(all: readonly ValuesOfHistory[], runs: readonly RunOfHistory[]): readonly ValuesOfHistory[] {
  const latest = runs.at(-1);
  const judged = latest && namedJudged(latest.facts.plan.experiment);
  const named = new Set((judged?.times ?? []).map(({ work, figure }) => JSON.stringify([work, formatFigure(figure)])));
  const byWork = Map.groupBy(all, ({ label, target, work }) => JSON.stringify([label, target, work]));
  const shown = new Set(
    [...byWork.values()].flatMap((same) => {
      const times = same.filter(({ unit }) => unit === 'ms');
      const asked = times.filter(
        ({ work, quantity, limit }) => limit !== null || named.has(JSON.stringify([work, quantity])),
      );
      const most = Math.max(...times.map(({ points }) => points.length));
      const usual = usualFigures.flatMap((figure) =>
        times.filter(({ quantity, points }) => quantity === formatFigure(figure) && points.length === most),
      );
      return [...same.filter(({ unit }) => unit !== 'ms'), ...(asked.length > 0 ? asked : usual.slice(0, 1))];
    }),
  );
  return all.filter((series) => shown.has(series));
}

/** Successive points of a series that measured the same work. */
interface Stretch {
  readonly series: ValuesOfHistory;
  readonly points: readonly HistoryPoint[];
}

function stretchesOf(series: ValuesOfHistory): readonly Stretch[] {
  const { points, definitions } = series;
  const begins = points.flatMap((_, i) => (i === 0 || definitions[i] !== definitions[i - 1] ? [i] : []));
  return begins.map((from, i) => ({ series, points: points.slice(from, begins[i + 1] ?? points.length) }));
}

/** Rates and times scatter in proportion to their size. */
const isShare = ({ unit }: ValuesOfHistory): boolean => unit === 'share';

/** The scale on which the values of a series scatter by about the same everywhere. */
const scaled = (series: ValuesOfHistory, value: number): number =>
  isShare(series) ? Math.asin(Math.sqrt(Math.min(1, Math.max(0, value)))) : Math.log(value);

const unscaled = (series: ValuesOfHistory, value: number): number =>
  isShare(series) ? Math.sin(value) ** 2 : Math.exp(value);

/** Histograms round times, and nobody acts on less than 1 %. */
const [leastError, leastChange] = [0.005, Math.log1p(0.01)];

function levelSeries(series: ValuesOfHistory, points: readonly HistoryPoint[]) {
  const limits = isShare(series) ? { leastError: 0, leastChange: 0 } : { leastError, leastChange };
  return { values: points.map(({ value }) => scaled(series, value)), ...limits };
}

function levelsOf({ series, points }: Stretch, changes: readonly LevelChange[]): HistorySeries['levels'] {
  const cuts = [0, ...changes.map(({ at }) => at), points.length];
  return cuts.slice(1).map((to, i) => {
    const own = points.slice(cuts[i], to);
    const level = mean(own.map(({ value }) => scaled(series, value)));
    return { from: own[0]!.run, to: own.at(-1)!.run, value: unscaled(series, level) };
  });
}

/** Another speed of the processor is named from this difference on. */
const worthNaming = 0.03;

type MachineBetween = (before: readonly number[], after: readonly number[]) => ReturnType<typeof machineChange>;

/** Compares the machine of two sets of runs, each pair once. */
function machineBetween(runs: readonly RunOfHistory[]): MachineBetween {
  const known = new Map<string, ReturnType<typeof machineChange>>();
  const facts = (positions: readonly number[]) => positions.map((position) => runs[position]!.facts);
  return (before, after) => {
    const key = JSON.stringify([before, after]);
    const made = known.get(key) ?? machineChange(facts(before), facts(after));
    known.set(key, made);
    return made;
  };
}

function changesIn(
  { series, points }: Stretch,
  changes: readonly LevelChange[],
  runs: readonly HistoryRun[],
  machineOf: MachineBetween,
): readonly HistoryChange[] {
  return changes.map((change, i): HistoryChange => {
    const { at, before, after, low, high, p } = change;
    const from = changes[i - 1]?.at ?? 0;
    const to = changes[i + 1]?.at ?? points.length;
    const [old, now] = [points.slice(from, at), points.slice(at, to)].map((own) => own.map(({ run }) => run));
    const machine = machineOf(old!, now!);
    const [since, first] = [old!.at(-1)!, now![0]!];
    const ratio = isShare(series)
      ? null
      : { value: Math.exp(after - before), low: Math.exp(low), high: Math.exp(high) };
    const speed = ratio && (betterOf(series) === 'higher' ? ratio : inverse(ratio));
    const isBetter = betterOf(series) === 'higher' ? after > before : after < before;
    // A machine that was slower in the better runs explains nothing.
    const faster = isBetter ? 'after' : 'before';
    const bySpeed = speed !== null && machine.speed !== null && !exceeds(speed, machine.speed);
    const hasOtherSpeed = machine.speed !== null && Math.abs(machine.speed - 1) > worthNaming;
    const differences = [
      ...((bySpeed || hasOtherSpeed) && machine.calculation ? [{ ...machine.calculation, differs: true }] : []),
      ...machine.differences.filter(({ slower }) => slower !== faster),
    ];
    const isOpen = bySpeed || machine.differences.some(({ slower }) => slower !== faster);
    return {
      ...{ at: first, since },
      before: unscaled(series, before),
      after: unscaled(series, after),
      ratio,
      p,
      verdict: isOpen ? 'cannotTell' : isBetter ? 'better' : 'worse',
      machine: machineDifferenceText(
        differences,
        isOpen && isMachineAlone(changesWith({ runs }, { at: first, since })),
      ),
    };
  });
}

const isMachineAlone = (changes: readonly RunChange[]): boolean => changes.every(({ kind }) => kind === 'machine');

/** True if a change of speed is greater than a processor of another speed would make it. */
const exceeds = ({ low, high }: NonNullable<HistoryChange['ratio']>, speed: number): boolean =>
  low > Math.max(1, speed) || high < Math.min(1, speed);
