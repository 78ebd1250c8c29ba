import type { RunModel } from '#analysis/run-model/run-model.ts';
import { choosePicture, variedFactors } from './choose-picture.ts';
import type { Arrangement } from './picture-rows.ts';
import type { Metric } from './picture-values.ts';

/** The way in which the picture of a run is shown. */
export interface PictureOptions extends Arrangement {
  readonly metric: Metric;
  readonly view: 'chart' | 'heatMap' | 'table';
}

/** Heat maps of more targets than this would not stand on one screen. */
const mostGrids = 4;

/** The options that fit the question of a run. */
export function fittingOptions({ plan }: Pick<RunModel, 'plan'>): PictureOptions {
  const isHeatMap = choosePicture(plan).kind === 'heatMap';
  const factors = variedFactors(plan.variants).length;
  // Two levels of a sole factor are compared with each other on each target, and no target with another.
  const byTarget = isHeatMap
    ? factors > 1 && plan.targets.length <= mostGrids
    : factors === 1 && plan.variants.length === 2 && plan.targets.length > 1;
  return {
    metric: 'throughput',
    show: 'value',
    sort: isHeatMap ? 'planned' : 'fastest',
    group: byTarget ? 'target' : 'none',
    filter: '',
    view: isHeatMap ? 'heatMap' : 'chart',
  };
}
