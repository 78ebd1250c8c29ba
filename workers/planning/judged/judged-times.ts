import type { Experiment } from '#experiment/schema/experiment.ts';
import type { JudgedItem } from '#experiment/schema/judge.ts';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { experimentsOf } from '../variant-of.ts';
import { type TimedWork, type TimeFigure, timesOf, trialTimes } from './trial-times.ts';

/** A figure of the times of some calls, by which cells are judged. */
export interface JudgedTime {
  readonly work: TimedWork;
  readonly figure: TimeFigure;
}

/** The quantities by which the cells of a run are judged. */
export interface Judged {
  readonly throughput: boolean;
  readonly times: readonly JudgedTime[];
}

const figures: Readonly<Record<Exclude<JudgedItem, object | 'throughput'>, TimeFigure>> = {
  mean: 'mean',
  p50: 0.5,
  p95: 0.95,
  p99: 0.99,
  max: 1,
};

/** The quantities that the file names, each once; null where it names none. */
export function namedJudged({ judge }: Pick<Experiment, 'judge'>): Judged | null {
  if (judge === undefined) return null;
  const times = judge.flatMap((item): readonly JudgedTime[] => {
    if (item === 'throughput') return [];
    return [
      typeof item === 'string'
        ? { work: null, figure: figures[item] }
        : { work: item.statement, figure: item.quantile },
    ];
  });
  const known = new Map(times.map((time) => [JSON.stringify([time.work, time.figure]), time]));
  return { throughput: judge.includes('throughput'), times: [...known.values()] };
}

/** The figures of which the first one that all cells have is judged where the file does not name one. */
const preferred: readonly TimeFigure[] = [0.99, 0.95, 0.5];

/**
 * The times by which cells are judged where the load sets their throughput and the file does not say otherwise: those
 * of all units of work, and of each statement or transaction that users call, if there are several; not those of steps
 * within transactions. The figure is the highest of p99, p95 and p50 for which each repeat of each cell has enough
 * calls, so the times themselves do not influence the choice. `cells`: the results of each cell that can be compared.
 */
export function usualTimes(
  experiment: Pick<Experiment, 'statements' | 'transactions' | 'scenarios'>,
  cells: readonly (readonly TrialResult[])[],
): readonly JudgedTime[] {
  const called = [...weightsOf(experiment).keys()];
  const works: readonly TimedWork[] = called.length > 1 ? [null, ...called] : [null];
  return works.flatMap((work) => firstTime(work, preferred, cells));
}

/**
 * The times by which variants with changes of the file are compared where the file does not name any: those of each
 * statement or transaction that users call, and those of all units of work where the users or the arrivals are a load.
 * The figure is chosen as above among the cells that call it, and is the mean where a repeat has too few calls for any
 * quantile.
 */
export function timesOfChanges(
  plan: Pick<Plan, 'experiment' | 'variants'>,
  cells: readonly (readonly TrialResult[])[],
  hasLoad: boolean,
): readonly JudgedTime[] {
  const called = new Set(experimentsOf(plan).flatMap((experiment) => [...weightsOf(experiment).keys()]));
  const works: readonly TimedWork[] = [...(hasLoad ? [null] : []), ...called];
  return works.flatMap((work) => {
    const calling = cells.filter((results) => results.some((one) => trialTimes(one, work) !== null));
    return firstTime(work, [...preferred, 'mean'], calling);
  });
}

/** The first of these figures that each repeat of each cell has. */
function firstTime(
  work: TimedWork,
  figuresOf: readonly TimeFigure[],
  cells: readonly (readonly TrialResult[])[],
): readonly JudgedTime[] {
  const figure = figuresOf.find((one) => cells.every((results) => timesOf(results, work, one) !== null));
  return cells.length === 0 || figure === undefined ? [] : [{ work, figure }];
}
