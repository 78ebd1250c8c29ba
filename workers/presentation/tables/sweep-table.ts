import { type Sweep, sweepsOf } from '#analysis/compare/sweep.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatCount, formatInterval, formatMs, formatNumber } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { leastLoads } from '#stats/usl.ts';
import {
  type CoefficientWords,
  describeCoefficients,
  describeKnee,
  describeLeftOut,
  describePeak,
  formatUsers,
} from '../text/sweep-text.ts';

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
        coefficients: fit === null ? [] : describeCoefficients(fit, unit),
        quality: fit === null ? '' : `r² ${formatNumber(fit.r2)}, ${formatCount(fit.intervals.lambda.n)} points`,
        sentences: [whyNoFit ?? sentence(describePeak(sweep)), describeKnee(sweep), describeLeftOut(sweep)].filter(
          (words) => words !== '',
        ),
      };
    });

/**
 * Why a run with several loads has no law at all, for the note of their plain chart; null where it has one, or no such
 * loads.
 */
export function tooShort(model: RunModel): string | null {
  const sweeps = sweepsOf(model).filter(({ target }) => !isReference(model, target));
  const [first] = sweeps;
  return first === undefined || sweeps.some(({ points }) => points.length >= leastLoads) ? null : first.whyNoFit;
}

/** One load of a sweep, in words. */
interface LoadRow {
  readonly load: string;
  readonly throughput: string;
  readonly p50: string;
  readonly p99: string;
  /** By Little's law; a dash where it does not apply. */
  readonly users: string;
  /** "client saturated in 2 of 3 repeats"; empty for none. */
  readonly note: string;
}

export const loadRows = ({ points }: Sweep): readonly LoadRow[] =>
  points.map((point) => {
    const saturated = point.repeats.filter((one) => one.saturated).length;
    return {
      load: formatCount(point.load),
      throughput: formatInterval(point.mean),
      p50: formatMs(point.p50Ms),
      p99: formatMs(point.p99Ms),
      users: formatUsers(point) ?? '–',
      note: saturated === 0 ? '' : `measures the client in ${saturated} of ${point.repeats.length} repeats`,
    };
  });
