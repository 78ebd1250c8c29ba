import { formatCount, formatPercent } from '#model/format/format.ts';
import { lackOfFit } from '#stats/fits/lack-of-fit.ts';
import { type CurvePoint, fitUsl, type LoadPoint, leastLoads, throughputAt, type UslFit } from '#stats/fits/usl.ts';
import type { Interval } from '#stats/intervals/intervals.ts';
import { mean } from '#stats/intervals/summary.ts';

/** The Universal Scalability Law fitted to the loads of a search. */
export interface Fitted {
  /** The law, if it fits the points; saturated clients' repeats are excluded. */
  readonly fit: UslFit | null;
  readonly whyNoFit: string | null;
  /**
   * The law with its band, from the lowest load to the end of the chart: beyond `highestLoad` it is an extrapolation.
   */
  readonly curve: readonly CurvePoint[];
  /** Highest load of the fit; null without one. */
  readonly highestLoad: number | null;
  readonly knee: Estimate | null;
  readonly peak: Peak | null;
}

/** The result of one repeat under a load. */
export interface LoadRepeat {
  readonly throughput: number;
  /** The trial is client-bound, and is excluded from the fit. */
  readonly saturated: boolean;
}

/** A load with the results of its repeats. */
export interface SweepLoad {
  readonly load: number;
  readonly repeats: readonly LoadRepeat[];
}

/** The law is trusted up to this multiple of the highest measured load, marked as an extrapolation. */
export const farthest = 2;
/**
 * A curve that misses a load by this share of the highest throughput does not fit. The published fits of the law miss
 * theirs by up to 6 % (SPEC SDM91 at 36 users).
 */
const mostMissed = 0.1;
/** Chance makes a larger miss less often than this. */
const rare = 0.01;
/**
 * The share of the scatter that a curve has to explain where throughput changes by more than `flat`; one that explains
 * less has meaningless coefficients.
 */
const leastExplained = 0.8;
const flat = 1.5;
/** Number of steps of the drawn curve. */
const curveSteps = 48;

const none = (whyNoFit: string): Fitted => ({
  fit: null,
  whyNoFit,
  curve: [],
  highestLoad: null,
  knee: null,
  peak: null,
});

/** The sentence that says there are too few loads for a fit; it ends with "4 are in the experiment." */
export const tooFew = (count: number, where: string): string =>
  `The law has three coefficients, so it takes five loads to see whether it holds; ${formatCount(count)} ${where}.`;

/** Fits the law to all repeats without a saturated client. `whyNot`: a reason to fit nothing. */
export function fitSweep(points: readonly SweepLoad[], whyNot: string | null): Fitted {
  if (whyNot !== null) return none(whyNot);
  const used = points.flatMap(({ load, repeats }) =>
    repeats.filter(({ saturated }) => !saturated).map(({ throughput }): LoadPoint => ({ load, throughput })),
  );
  const loads = new Set(used.map(({ load }) => load)).size;
  if (loads < leastLoads) {
    const left = points.filter(({ repeats }) => repeats.every(({ saturated }) => saturated)).map(({ load }) => load);
    return none(
      left.length === 0
        ? tooFew(loads, loads === 1 ? 'has a result' : 'have results')
        : `${tooFew(loads, 'are left')} At ${left.map(formatCount).join(', ')} connections every repeat is client-bound.`,
    );
  }
  return remembered(used);
}

const memory = new Map<string, Fitted>();
const mostRemembered = 100;

/** A fit with its intervals takes some 10 ms, and the window requests the same one again with each second of a run. */
function remembered(points: readonly LoadPoint[]): Fitted {
  const key = JSON.stringify(points.map(({ load, throughput }) => [load, throughput]));
  const known = memory.get(key);
  if (known !== undefined) return known;
  const made = fitPoints(points);
  if (memory.size >= mostRemembered) memory.delete(memory.keys().next().value!);
  memory.set(key, made);
  return made;
}

function fitPoints(points: readonly LoadPoint[]): Fitted {
  const loads = points.map(({ load }) => load);
  const highest = Math.max(...loads);
  const fitted = fitUsl(points, (one) => curveLoads(one, loads));
  if (fitted === null) return none('Throughput must be above 0 at every load.');
  const { fit, curve } = fitted;
  const whyNoFit = noFitText(points, fit);
  if (whyNoFit !== null) return none(whyNoFit);
  const peak = peakOf(fit, highest);
  return { fit, whyNoFit: null, curve, highestLoad: highest, knee: kneeOf(fit, peak, highest), peak };
}

/**
 * The loads of the drawn curve: up to the peak or twice the highest load, whichever is nearer; up to the highest load
 * if it is beyond the peak. Includes the measured loads.
 */
function curveLoads({ peak }: UslFit, loads: readonly number[]): readonly number[] {
  const [lowest, highest] = [Math.min(...loads), Math.max(...loads)];
  const end = Math.max(highest, Math.min(peak?.load.value ?? Number.POSITIVE_INFINITY, farthest * highest));
  const even = Array.from({ length: curveSteps + 1 }, (_, i) => lowest + ((end - lowest) * i) / curveSteps);
  return [...new Set([...even, ...loads])].toSorted((a, b) => a - b);
}

/** The reason why the law does not fit the loads, as a sentence; null where it does. */
function noFitText(points: readonly LoadPoint[], fit: UslFit): string | null {
  const means = [...Map.groupBy(points, ({ load }) => load)].map(([load, own]) => {
    const average = mean(own.map(({ throughput }) => throughput));
    return { load, average, missed: average - throughputAt(fit, load) };
  });
  const most = Math.max(...means.map(({ average }) => average));
  const worst = means.reduce((a, b) => (Math.abs(b.missed) > Math.abs(a.missed) ? b : a));
  const chance = lackOfFit(
    points.map(({ load, throughput }) => ({ x: load, y: throughput, fitted: throughputAt(fit, load) })),
    3,
  );
  if (Math.abs(worst.missed) > mostMissed * most && (chance === null || chance < rare)) {
    const side = worst.missed > 0 ? 'above' : 'below';
    const reason =
      chance === null
        ? 'With one repeat that may be chance; otherwise something else changes with the load.'
        : 'The repeats vary less, so something else changes with the load.';
    return `The Universal Scalability Law does not fit: at ${formatCount(worst.load)} connections throughput is ${side} its curve by ${formatPercent(Math.abs(worst.missed) / most)} of the highest throughput. ${reason}`;
  }
  const least = Math.min(...means.map(({ average }) => average));
  if (fit.r2 < leastExplained && most > flat * least)
    return `The Universal Scalability Law does not fit: it explains ${formatPercent(Math.max(0, fit.r2))} of the variation. More or longer repeats would show whether it is noise.`;
  return null;
}

/**
 * A bound from this on counts as none: if likely coefficients have no peak, it is larger than any load (stats/usl.ts).
 */
const unbounded = 1e6;

const estimate = ({ value, low, high }: Interval, isBounded: boolean): Estimate => ({
  value,
  low: low ?? value,
  high: isBounded ? high : null,
});

/** Null where it lies beyond the limit of extrapolation. */
function peakOf({ peak }: UslFit, highest: number): Peak | null {
  if (peak === null || peak.load.value > farthest * highest) return null;
  const isBounded = (peak.load.high ?? unbounded) < unbounded;
  return {
    load: estimate(peak.load, isBounded),
    throughput: estimate(peak.throughput, isBounded),
    kind: peak.load.value <= highest ? 'measured' : 'extrapolated',
    retrograde: isBounded && peak.load.high! < highest,
  };
}

/**
 * 1 ÷ σ: the load at which the line without contention meets the ceiling of contention, and half of the ceiling is
 * reached (Gunther 2007, 4.3). Null where σ is 0, the throughput falls before, or the load lies beyond the limit of
 * extrapolation.
 */
function kneeOf({ knee, intervals: { sigma } }: UslFit, peak: Peak | null, highest: number): Estimate | null {
  if (knee === null || knee > farthest * highest || knee > (peak?.load.value ?? Number.POSITIVE_INFINITY)) return null;
  const bound = 1 / (sigma.low ?? 0);
  return {
    value: Math.max(1, knee),
    low: Math.max(1, 1 / (sigma.high ?? sigma.value)),
    high: bound < unbounded ? Math.max(1, bound) : null,
  };
}

/** A load or a throughput with its interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  /** Null: the points set no bound. */
  readonly high: number | null;
}

interface Peak {
  /** Connections. */
  readonly load: Estimate;
  readonly throughput: Estimate;
  /**
   * measured: within the loads of the fit; extrapolated: up to twice the highest of them. Farther results are omitted.
   */
  readonly kind: 'measured' | 'extrapolated';
  /** The highest load is certainly beyond the peak: more connections reduced the throughput. */
  readonly retrograde: boolean;
}
