import { type Sweep, sweepsOf } from '#analysis/compare/sweep.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatNumber } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { leastLoads } from '#stats/fits/usl.ts';
import { type CoefficientWords, coefficientsText, kneeText, leftOutText, peakText } from '../../text/sweep-text.ts';

/** A sweep as tables and reports show it. */
export interface SweepRow {
  readonly sweep: Sweep;
  readonly coefficients: readonly CoefficientWords[];
  /** "r² 0.992, 24 points"; empty without a fit. */
  readonly quality: string;
  /** Peak, knee and what was left out; why there is no law, where there is none. */
  readonly sentences: readonly string[];
}

export const scalabilityNote =
  'The Universal Scalability Law, X(N) = λN ÷ (1 + σ(N − 1) + κN(N − 1)), by least squares over the repeats; 95 % intervals by a bootstrap. Knee: 1 ÷ σ. Peak: √((1 − σ) ÷ κ). Users by Little’s law: N = X·(R + Z) of what was counted and timed; it should be the connections.';

/**
 * Sweeps with as many loads as the law needs; shorter ones have nothing to say (see tooShort). References are left out.
 */
export const sweepRows = (model: RunModel): readonly SweepRow[] =>
  sweepsOf(model)
    .filter(({ target, points }) => points.length >= leastLoads && !isReference(model, target))
    .map((sweep) => {
      const { fit, whyNoFit, unit } = sweep;
      return {
        sweep,
        coefficients: fit === null ? [] : coefficientsText(fit, unit),
        quality: fit === null ? '' : `r² ${formatNumber(fit.r2)}, ${formatCount(fit.intervals.lambda.n)} points`,
        sentences: [whyNoFit ?? sentence(peakText(sweep)), kneeText(sweep), leftOutText(sweep)].filter(
          (words) => words !== '',
        ),
      };
    });

/**
 * The reason why a run with several loads has no law, for the note of their plain chart; null if it has one, or no such
 * loads.
 */
export function tooShort(model: RunModel): string | null {
  const sweeps = sweepsOf(model).filter(({ target }) => !isReference(model, target));
  const [first] = sweeps;
  return first === undefined || sweeps.some(({ points }) => points.length >= leastLoads) ? null : first.whyNoFit;
}
