import { baselineOf } from '../analysis/baseline.ts';
import { ratios } from '../analysis/compare.ts';
import type { RunModel } from '../analysis/model.ts';

/** The results of a run for scripts: summaries, ratios and trials, without the per-second series. */
export function resultsJson(model: RunModel): unknown {
  const baseline = baselineOf(model);
  return {
    runId: model.runId,
    status: model.status,
    startedAt: model.startedAt,
    endedAt: model.endedAt,
    experiment: model.plan.experiment,
    environment: model.environment,
    targets: model.targets.map(({ descriptor: _, probeInfo: __, ...target }) => target),
    calibration: model.calibration,
    baseline,
    cells: model.cells.map(({ histogram: _, ...cell }) => cell),
    ratios: ratios(model, baseline),
    trials: model.trials.map(({ trial, result }) => {
      if (!result) return { ...trial, status: null };
      const { totals, ...rest } = result;
      const { service: _, failed: __, ...counts } = totals;
      return {
        ...rest,
        ...counts,
        rowsPerSecond: result.elapsedMs > 0 ? (totals.rows / result.elapsedMs) * 1_000 : null,
      };
    }),
    skipped: model.skipped,
    caveats: model.caveats,
  };
}
