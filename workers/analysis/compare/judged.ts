import { type Judged, namedJudged, usualTimes } from '#planning/judged/judged-times.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Ratio, RunModel } from '../run-model/run-model.ts';
import { isComparable } from './comparable.ts';
import { isJudged } from './compare.ts';
import { resultsByCell } from './latency-ratios.ts';

/**
 * The quantities that the file names. Without them, throughput is judged, unless the load sets all throughputs that are
 * compared. Where the load sets some of them, times are judged as well: a server that does all that arrives is faster
 * or slower by how long it takes. `ratios`: those of throughput.
 */
export function judgedOf(
  model: Pick<RunModel, 'plan' | 'cells' | 'targets' | 'trials'>,
  ratios: readonly Ratio[],
): Judged {
  const named = namedJudged(model.plan.experiment);
  if (named !== null) return named;
  const isByLoad = ratios.some(({ verdict }) => verdict === 'setByLoad');
  if (!isByLoad) return { throughput: true, times: [] };
  const results = resultsByCell(model);
  const cells = model.cells
    .filter((cell) => isComparable(model, cell))
    .flatMap((cell) => {
      const own = results.get(keyOf(cell));
      return own === undefined ? [] : [own];
    });
  return { throughput: ratios.some(isJudged), times: usualTimes(model.plan.experiment, cells) };
}
