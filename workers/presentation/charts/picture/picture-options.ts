import type { RunModel } from '#analysis/run-model/run-model.ts';
import { baselineOf, type Compare, compareOf } from '#planning/rates/baseline.ts';
import { choosePicture, variedFactors } from './choose-picture.ts';
import type { Arrangement } from './picture-rows.ts';
import type { Metric } from './picture-values.ts';

/** The display options of the picture of a run. */
export interface PictureOptions extends Arrangement {
  readonly metric: Metric;
  readonly view: 'chart' | 'heatMap' | 'table';
}

/** The most targets whose heat maps fit on one screen. */
const mostGrids = 4;

/** The default options for the question of a run and what its ratios compare. */
export function fittingOptions(
  run: Pick<RunModel, 'plan' | 'targets'>,
  compare: Compare = compareOf(run, baselineOf(run)),
): PictureOptions {
  const { plan } = run;
  const isHeatMap = choosePicture(plan).kind === 'heatMap';
  const factors = variedFactors(plan.variants).length;
  const isSmall = !isHeatMap && factors === 1 && plan.variants.length === 2 && plan.targets.length > 1;
  const byTarget = isHeatMap ? factors > 1 && plan.targets.length <= mostGrids : isSmall && compare === 'levels';
  return {
    metric: 'throughput',
    show: 'value',
    sort: isHeatMap ? 'planned' : 'fastest',
    // The compared bars stand side by side.
    group: byTarget ? 'target' : isSmall ? 'variant' : 'none',
    filter: '',
    view: isHeatMap ? 'heatMap' : 'chart',
  };
}
