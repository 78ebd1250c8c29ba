import type { Baseline } from '#planning/rates/baseline.ts';
import { ratesByCell } from '#planning/rates/rates-by-cell.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { geometricMeanRatio } from '#stats/geometric-mean.ts';
import { confidence } from '#stats/intervals.ts';
import type { MeanRatio, RunModel } from '../run-model/run-model.ts';

/**
 * One number for each target where targets are compared: the geometric mean of its ratios to the baseline's target,
 * over the variants that both have results of, two at least. Against a variant there is none: its cells would be in
 * every ratio.
 */
export function meanRatios(
  { plan, trials }: Pick<RunModel, 'plan' | 'trials'>,
  { target: reference, variant }: Baseline,
  level = confidence,
): readonly MeanRatio[] {
  if (reference === undefined || variant !== undefined) return [];
  const rates = ratesByCell(trials);
  const others = plan.targets.filter(({ name }) => name !== reference);
  return others.flatMap(({ name: target }): MeanRatio[] => {
    const pairs = plan.variants.flatMap(({ id }) => {
      const a = rates.get(keyOf({ variant: id, target }));
      const b = rates.get(keyOf({ variant: id, target: reference }));
      return a && b ? [{ a, b }] : [];
    });
    const ratio = pairs.length < 2 ? null : geometricMeanRatio(pairs, level);
    if (ratio === null) return [];
    return [{ target, variants: pairs.length, ratio, verdict: verdictOf(ratio) }];
  });
}

function verdictOf({ low, high }: MeanRatio['ratio']): MeanRatio['verdict'] {
  if (low === null || high === null) return 'notEnoughRepeats';
  return low > 1 ? 'faster' : high < 1 ? 'slower' : 'noDifferenceShown';
}
