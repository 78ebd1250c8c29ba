import type { RunModel } from '#analysis/run-model/run-model.ts';
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

/** The default options for the question of a run. */
export function fittingOptions({ plan }: Pick<RunModel, 'plan'>): PictureOptions {
  const isHeatMap = choosePicture(plan).kind === 'heatMap';
  const factors = variedFactors(plan.variants).length;
  // Two levels of a single factor are compared with each other on each target. Targets are not compared.
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
