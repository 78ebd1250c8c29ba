import { type Sweep, sweepsOf } from '#analysis/compare/sweep.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatNumber } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { leastLoads } from '#stats/fits/usl.ts';
import { type CoefficientWords, coefficientsText, kneeText, leftOutText, peakText } from '../../text/sweep-text.ts';

/** A sweep, formatted for tables and reports. */
export interface SweepRow {
  readonly sweep: Sweep;
  readonly coefficients: readonly CoefficientWords[];
  /** The quality of the fit, such as "r² 0.992, 24 points". Empty without a fit. */
  readonly quality: string;
  /** The peak, the knee and the points that were left out; or the reason why there is no law. */
  readonly sentences: readonly string[];
}

export const scalabilityNote =
  'The Universal Scalability Law, X(N) = λN ÷ (1 + σ(N − 1) + κN(N − 1)), is fitted to the repeats by least squares, with 95 % bootstrap intervals. The knee is 1 ÷ σ, the peak √((1 − σ) ÷ κ). Users by Little’s law are N = X·(R + Z) from the measured values; they should equal the connections.';

/** The sweeps with enough loads for the law (see tooShort). References are left out. */
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
 * The reason why a run with several loads has no law, for the note of its plain chart. Null if it has a law, or no such
 * loads.
 */
export function tooShort(model: RunModel): string | null {
  const sweeps = sweepsOf(model).filter(({ target }) => !isReference(model, target));
  const [first] = sweeps;
  return first === undefined || sweeps.some(({ points }) => points.length >= leastLoads) ? null : first.whyNoFit;
}
