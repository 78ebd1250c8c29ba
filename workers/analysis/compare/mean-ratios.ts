import { answersDiffer } from '#planning/rates/answers-between.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { ratesByCell } from '#planning/rates/rates-by-cell.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Comparison } from '#stats/intervals/compare-means.ts';
import { geometricMeanRatio } from '#stats/intervals/geometric-mean.ts';
import { levelOfEach } from '#stats/intervals/intervals.ts';
import type { MeanRatio, RunModel } from '../run-model/run-model.ts';
import { ratios } from './compare.ts';

/**
 * One number for each target if targets are compared: the geometric mean of its ratios to the baseline's target, over
 * at least two variants with comparable results on both targets. The intervals hold together with 95 % (Bonferroni). If
 * a variant is the baseline, there is no mean ratio, because its cells would be part of every ratio.
 */
export function meanRatios(
  model: Pick<RunModel, 'plan' | 'trials' | 'targets' | 'cells'>,
  { target: reference, variant }: Baseline,
): readonly MeanRatio[] {
  if (reference === undefined || variant !== undefined) return [];
  const { plan, trials } = model;
  const rates = ratesByCell(trials);
  const apart = new Set(model.cells.filter(({ rowProblems }) => rowProblems.length > 0).map(keyOf));
  const summaries = new Map(model.cells.map((cell) => [keyOf(cell), cell]));
  const ratesOf = (variant: string, target: string) => {
    const key = keyOf({ variant, target });
    const cell = summaries.get(key);
    return apart.has(key) || (cell && answersDiffer(cell, reference)) ? undefined : rates.get(key);
  };
  const comparable = (target: string) => isContender(model, target) && isContender(model, reference);
  const others = plan.targets.filter(({ name }) => name !== reference);
  const level = levelOfEach(others.filter(({ name }) => comparable(name)).length);
  const isSetByLoad = new Set(
    ratios(model, { target: reference })
      .filter(({ verdict }) => verdict === 'setByLoad')
      .map(({ target }) => target),
  );
  return others.flatMap(({ name: target }): MeanRatio[] => {
    const pairs = plan.variants.flatMap(({ id }) => {
      const [a, b] = [ratesOf(id, target), ratesOf(id, reference)];
      return a && b ? [{ a, b }] : [];
    });
    const ratio = pairs.length < 2 ? null : geometricMeanRatio(pairs, level);
    if (ratio === null) return [];
    const verdict = !comparable(target) ? 'notComparable' : isSetByLoad.has(target) ? 'setByLoad' : verdictOf(ratio);
    return [{ target, variants: pairs.length, ratio, verdict }];
  });
}

/** The verdict that the interval of a ratio supports. */
export function verdictOf({ low, high }: MeanRatio['ratio']): Comparison['verdict'] {
  if (low === null || high === null) return 'notEnoughRepeats';
  return low > 1 ? 'faster' : high < 1 ? 'slower' : 'notSignificant';
}
