import { keyOf } from '#protocol/cell-key.ts';
import { mean } from '#stats/intervals/summary.ts';
import type { RunModel, TrialView } from '../../run-model/run-model.ts';

/** The run with other rates and nothing else changed, only for tests; it makes many runs of one shape. */
export function withRates(model: RunModel, rateOf: (view: TrialView) => number): RunModel {
  const rates = new Map<string, number[]>();
  const trials = model.trials.map((view): TrialView => {
    const own = rateOf(view);
    const key = keyOf(view.trial);
    rates.set(key, [...(rates.get(key) ?? []), own]);
    return {
      ...view,
      result: view.result && { ...view.result, elapsedMs: (view.result.totals.rows * 1_000) / own },
    };
  });
  return {
    ...model,
    trials,
    cells: model.cells.map((cell) => ({
      ...cell,
      rowsPerSecond: cell.rowsPerSecond && { ...cell.rowsPerSecond, value: mean(rates.get(keyOf(cell))!) },
    })),
  };
}

/** Connections of a trial in a run that varies them. */
export const connectionsOf = ({ trial }: TrialView): number => Number(/connections=(\d+)/.exec(trial.variant)![1]);
