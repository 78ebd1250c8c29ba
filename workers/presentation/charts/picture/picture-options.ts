import { ratios } from '#analysis/compare/compare.ts';
import { judgedOf } from '#analysis/compare/judged.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { type Baseline, baselineOf, compareOf } from '#planning/rates/baseline.ts';
import { choosePicture, variedFactors } from './choose-picture.ts';
import type { Arrangement } from './picture-rows.ts';
import { type Metric, metricOf, metricsOf } from './picture-values.ts';

/** The display options of the picture of a run. */
export interface PictureOptions extends Arrangement {
  readonly metric: Metric;
  readonly view: 'chart' | 'heatMap' | 'table';
}

/** The most targets whose heat maps fit on one screen. */
const mostGrids = 4;

/** The default options for the question of a run and what its ratios compare. */
export function fittingOptions(run: RunModel, baseline: Baseline = baselineOf(run)): PictureOptions {
  const { plan } = run;
  const compare = compareOf(run, baseline);
  const isHeatMap = choosePicture(plan).kind === 'heatMap';
  const factors = variedFactors(plan.variants).length;
  const isSmall = !isHeatMap && factors === 1 && plan.variants.length === 2 && plan.targets.length > 1;
  const byTarget = isHeatMap ? factors > 1 && plan.targets.length <= mostGrids : isSmall && compare === 'levels';
  return {
    metric: judgedMetric(run, baseline),
    show: 'value',
    sort: isHeatMap ? 'planned' : 'fastest',
    // The compared bars stand side by side.
    group: byTarget ? 'target' : isSmall ? 'variant' : 'none',
    filter: '',
    view: isHeatMap ? 'heatMap' : 'chart',
  };
}

/** The metric that the answer judges: throughput, or the time of all units of work where the load sets throughput. */
function judgedMetric(run: RunModel, baseline: Baseline): Metric {
  const { throughput, times } = judgedOf(run, baseline, ratios(run, baseline));
  const figure = throughput ? undefined : times.find(({ work }) => work === null)?.figure;
  const metric = figure === undefined ? null : metricOf(figure);
  // No cell has a mean if all cells gave up units of work.
  return metricsOf(run).some((one) => one.metric === metric) ? metric! : 'throughput';
}
