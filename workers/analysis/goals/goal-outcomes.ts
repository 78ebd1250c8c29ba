import { type FailedCalls, failedCalls } from '#planning/judged/failed-calls.ts';
import { type NamedGoal, namedGoals } from '#planning/judged/named-goals.ts';
import { type TimedWork, type TimeFigure, timesLack, timesOf } from '#planning/judged/trial-times.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Cell } from '#protocol/plan.ts';
import { timesInterval } from '#stats/intervals/compare-times.ts';
import { type Interval, levelOfEach, meanInterval } from '#stats/intervals/intervals.ts';
import { shareInterval } from '#stats/intervals/share-interval.ts';
import { timesOnTime } from '../compare/late-starts.ts';
import { resultsByCell } from '../compare/latency-ratios.ts';
import type { CellSummary, RunModel } from '../run-model/run-model.ts';

/** A goal in one cell. */
export interface GoalOutcome extends NamedGoal, Cell {
  /** The measured value; its interval holds together with those of all goals and cells. Null: there is none. */
  readonly value: Interval | null;
  /**
   * met, missed: the whole interval is on that side of the goal. notShown: the interval contains the goal, there is
   * none, or late starts of the load generator may be the reason of a miss. tooFewCalls: a repeat has too few calls for
   * the figure. givenUp: a repeat gave up units of work. notComparable: the cell returned other rows.
   */
  readonly outcome: 'met' | 'missed' | 'notShown' | ReturnType<typeof timesLack> | 'notComparable';
}

/** The cells with goals: all of them, or those at the answers of searches, which go beyond a limit on purpose. */
function cellsOf({ plan, cells, searches }: GoalRun): readonly CellSummary[] {
  if (plan.measure.search === undefined) return cells;
  const answers = new Set(searches.flatMap(({ at, target }) => (at === null ? [] : [keyOf({ ...at, target })])));
  return cells.filter((cell) => answers.has(keyOf(cell)));
}

type GoalRun = Pick<RunModel, 'plan' | 'cells' | 'targets' | 'trials' | 'searches'>;

/**
 * The goals of a run. A search for a limit has none, because the search itself reports which load keeps to the limits.
 */
const goalsOf = ({ plan }: GoalRun): readonly NamedGoal[] =>
  plan.measure.search?.find === 'limit' ? [] : namedGoals(plan.experiment);

/**
 * Every goal in every cell that has a result and is no reference. All intervals hold together with 95 % (Bonferroni),
 * so that at most one run of twenty has a wrong *met* or *missed* among them. `more`: the number of other claims that
 * share the level.
 */
export function goalOutcomes(model: GoalRun, more = 0): readonly GoalOutcome[] {
  const results = resultsByCell(model);
  const cells = cellsOf(model).filter((cell) => isContender(model, cell.target) && results.has(keyOf(cell)));
  const pairs = goalsOf(model).flatMap((goal) => cells.map((cell) => ({ goal, cell, own: results.get(keyOf(cell))! })));
  const asked = pairs.filter(({ goal, own }) => goal.work === null || own.some((one) => hasWork(one, goal.work)));
  const level = levelOfEach(asked.length + more);
  return asked.map(({ goal, cell, own }): GoalOutcome => {
    const { variant, target } = cell;
    const value = goal.of === 'errors' ? errorShare(own, goal.work, level) : timeOf(own, goal.work, goal.of, level);
    const common = { ...goal, variant, target, value };
    if (cell.rowProblems.length > 0) return { ...common, outcome: 'notComparable' };
    if (value !== null) {
      const outcome = outcomeOf(value, goal.limit);
      const isFromClient = outcome === 'missed' && !isMissedOnTime(model, goal, own, level);
      return { ...common, outcome: isFromClient ? 'notShown' : outcome };
    }
    return { ...common, outcome: goal.of === 'errors' ? 'tooFewCalls' : timesLack(own, goal.work, goal.of) };
  });
}

function outcomeOf({ low, high }: Interval, limit: number): GoalOutcome['outcome'] {
  if (low === null || high === null) return 'notShown';
  return high <= limit ? 'met' : low > limit ? 'missed' : 'notShown';
}

/** True if the goal is also missed without the late starts of the load generator. */
function isMissedOnTime(
  model: Pick<RunModel, 'targets'>,
  { work, of, limit }: NamedGoal,
  own: readonly TrialResult[],
  level: number,
): boolean {
  if (of === 'errors') return true;
  const values = timesOnTime(model, own, { work, figure: of });
  const value = values && timesInterval(values, level);
  return value !== null && outcomeOf(value, limit) === 'missed';
}

const hasWork = ({ statements = [] }: TrialResult, work: TimedWork): boolean =>
  statements.some(({ name }) => name === work);

function timeOf(own: readonly TrialResult[], work: TimedWork, figure: TimeFigure, level: number): Interval | null {
  const values = timesOf(own, work, figure);
  return values && timesInterval(values, level);
}

/**
 * The share of failed calls; `work` null: of all calls. Errors of one trial depend on each other, so the bounds are the
 * wider ones of Student's t over the repeats, and of Wilson's score interval of all calls, which a trial without errors
 * needs. The low bound assumes the fewest calls that may have failed, and the high bound the most.
 */
export function errorShare(own: readonly TrialResult[], work: TimedWork, level: number): Interval | null {
  const trials = own.map((result) => failedCalls(result, work)).filter(({ calls }) => calls > 0);
  if (trials.length === 0) return null;
  const most = shareOf(trials, 'most', level);
  return { ...most, low: shareOf(trials, 'least', level).low, n: trials.length };
}

function shareOf(trials: readonly FailedCalls[], failed: 'least' | 'most', level: number) {
  const calls = trials.reduce((sum, one) => sum + one.calls, 0);
  const value = trials.reduce((sum, one) => sum + one[failed], 0) / calls;
  const score = shareInterval(value, calls, level);
  const repeats = meanInterval(
    trials.map((one) => one[failed] / one.calls),
    level,
  );
  return {
    value,
    low: Math.max(0, Math.min(score.low, repeats?.low ?? score.low)),
    high: Math.min(1, Math.max(score.high, repeats?.high ?? score.high)),
  };
}
