import type { RunModel } from '#analysis/run-model/run-model.ts';
import { choosePicture, variedFactors } from './choose-picture.ts';
import type { Arrangement } from './picture-rows.ts';
import type { Metric } from './picture-values.ts';

/** How the picture of a run is shown. */
export interface PictureOptions extends Arrangement {
  readonly metric: Metric;
  readonly view: 'chart' | 'heatMap' | 'table';
}

/** Heat maps of more targets than this would not stand on one screen. */
const mostGrids = 4;

/** The options that fit the question of a run. */
export function fittingOptions({ plan }: Pick<RunModel, 'plan'>): PictureOptions {
  const isHeatMap = choosePicture(plan).kind === 'heatMap';
  const byTarget = isHeatMap && variedFactors(plan.variants).length > 1 && plan.targets.length <= mostGrids;
  return {
    metric: 'throughput',
    show: 'value',
    sort: isHeatMap ? 'planned' : 'fastest',
    group: byTarget ? 'target' : 'none',
    filter: '',
    view: isHeatMap ? 'heatMap' : 'chart',
  };
}
