import { type Judged, namedJudged, timesOfChanges, usualTimes } from '#planning/judged/judged-times.ts';
import { type Baseline, compareOf } from '#planning/rates/baseline.ts';
import { changesFile } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Ratio, RunModel } from '../run-model/run-model.ts';
import { isComparable } from './comparable.ts';
import { isJudged } from './compare.ts';
import { resultsByCell } from './latency-ratios.ts';

/**
 * The quantities that the file names. Without them, throughput is judged, with two exceptions. Changes of the file are
 * judged by the times of each statement, because a change helps one statement and costs another, and the throughput of
 * a mix is that of its slowest statement. Where the load sets throughputs that are compared, times are judged as well:
 * a server that completes all arrivals is faster or slower by its times. `ratios`: the ratios of throughput.
 */
export function judgedOf(
  model: Pick<RunModel, 'plan' | 'cells' | 'targets' | 'trials'>,
  baseline: Baseline,
  ratios: readonly Ratio[],
): Judged {
  const { plan } = model;
  const named = namedJudged(plan.experiment);
  if (named !== null) return named;
  if (compareOf(model, baseline) === 'levels' && changesFile(plan)) {
    const hasLoad = model.cells.some(({ load }) => load != null);
    const times = timesOfChanges(plan, comparableResults(model), hasLoad);
    if (times.length > 0) return { throughput: false, times };
  }
  const isByLoad = ratios.some(({ verdict }) => verdict === 'setByLoad');
  if (!isByLoad) return { throughput: true, times: [] };
  return { throughput: ratios.some(isJudged), times: usualTimes(plan.experiment, comparableResults(model)) };
}

/** The results of each cell that can be compared. */
function comparableResults(model: Pick<RunModel, 'cells' | 'targets' | 'trials'>): readonly (readonly TrialResult[])[] {
  const results = resultsByCell(model);
  return model.cells
    .filter((cell) => isComparable(model, cell))
    .flatMap((cell) => {
      const own = results.get(keyOf(cell));
      return own === undefined ? [] : [own];
    });
}
