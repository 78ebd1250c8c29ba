import type { Experiment } from '#experiment/schema/experiment.ts';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { type TimedWork, type TimeFigure, timesOf } from './trial-times.ts';

/** A figure of the times of some calls, by which cells are judged. */
export interface JudgedTime {
  readonly work: TimedWork;
  readonly figure: TimeFigure;
}

/** The figures of which the first one that all cells have is judged where the file does not name one. */
const preferred: readonly TimeFigure[] = [0.99, 0.95, 0.5];

/**
 * The times by which cells are judged where the load sets their throughput and the file does not say otherwise: those of
 * all units of work, and of each statement or transaction that users call, if there are several; not those of steps
 * within transactions. The figure is the highest of p99, p95 and p50 for which each repeat of each cell has enough
 * calls, so the times themselves do not influence the choice. `cells`: the results of each cell that can be compared.
 */
export function usualTimes(
  experiment: Pick<Experiment, 'statements' | 'transactions' | 'scenarios'>,
  cells: readonly (readonly TrialResult[])[],
): readonly JudgedTime[] {
  const called = [...weightsOf(experiment).keys()];
  const works: readonly TimedWork[] = called.length > 1 ? [null, ...called] : [null];
  return works.flatMap((work) => {
    const figure = preferred.find((one) => cells.every((results) => timesOf(results, work, one) !== null));
    return cells.length === 0 || figure === undefined ? [] : [{ work, figure }];
  });
}
