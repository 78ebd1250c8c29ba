import { formatCount, formatPercent } from '#model/format/format.ts';
import type { Interval } from '#stats/intervals.ts';
import { lackOfFit } from '#stats/lack-of-fit.ts';
import { mean } from '#stats/summary.ts';
import {
  type CurvePoint,
  fitUsl,
  fitUslCurve,
  type LoadPoint,
  leastLoads,
  throughputAt,
  type UslFit,
} from '#stats/usl.ts';

/** What the Universal Scalability Law says of some loads. */
export interface Fitted {
  /** The law, where it describes the points; of repeats that measure the server alone. */
  readonly fit: UslFit | null;
  readonly whyNoFit: string | null;
  /**
   * The law with its band, from the lowest load to the end of what is drawn: beyond `highestLoad` it is an
   * extrapolation.
   */
  readonly curve: readonly CurvePoint[];
  /** Highest load of the fit; null without one. */
  readonly highestLoad: number | null;
  readonly knee: Estimate | null;
  readonly peak: Peak | null;
}

/** What a repeat under a load came to. */
export interface LoadRepeat {
  readonly throughput: number;
  /** The trial measures the client: it is no point of the fit. */
  readonly saturated: boolean;
}

/** A load and what its repeats came to. */
export interface SweepLoad {
  readonly load: number;
  readonly repeats: readonly LoadRepeat[];
}

/** So far beyond the highest load the law is trusted, and called an extrapolation. */
export const farthest = 2;
/**
 * A curve that misses a load by this share of the highest throughput does not describe what goes on there. The
 * published fits of the law miss theirs by up to 6 % (SPEC SDM91 at 36 users).
 */
const mostMissed = 0.1;
/** A miss that chance makes as rarely as this is no scatter of the repeats. */
const rare = 0.01;
/**
 * With less of the scatter explained, where throughput changes by more than `flat` at all, the coefficients mean
 * little.
 */
const leastExplained = 0.8;
const flat = 1.5;
/** Steps of the curve as it is drawn. */
const curveSteps = 48;

const none = (whyNoFit: string): Fitted => ({
  fit: null,
  whyNoFit,
  curve: [],
  highestLoad: null,
  knee: null,
  peak: null,
});

/** `count` loads, and what is with them: "4 are in the experiment." */
export const tooFew = (count: number, where: string): string =>
  `The law has three coefficients, so it takes five loads to see whether it holds; ${formatCount(count)} ${where}.`;

/** The law over all repeats that did not measure the client. `whyNot`: a reason not to try. */
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
        : `${tooFew(loads, 'are left')} At ${left.map(formatCount).join(', ')} connections every repeat measures the client.`,
    );
  }
  return remembered(used);
}

const memory = new Map<string, Fitted>();
const mostRemembered = 100;

/** A fit and its resamples take some 20 ms, and a window asks for the same ones again with each new second of a run. */
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
  // What the law does not describe needs no intervals, which are the dear part.
  const plain = fitUsl(points, { resamples: 1 });
  if (plain === null) return none('Throughput must be above 0 at every load.');
  const whyNoFit = whyItDoesNotHold(points, plain);
  if (whyNoFit !== null) return none(whyNoFit);
  const { fit, curve } = fitUslCurve(points, (one) => curveLoads(one, loads))!;
  const peak = peakOf(fit, highest);
  return { fit, whyNoFit: null, curve, highestLoad: highest, knee: kneeOf(fit, peak, highest), peak };
}

/**
 * Loads up to the peak or twice the highest load, whichever is nearer; up to the highest load where the peak has been
 * passed. The loads themselves are among them.
 */
function curveLoads({ peak }: UslFit, loads: readonly number[]): readonly number[] {
  const [lowest, highest] = [Math.min(...loads), Math.max(...loads)];
  const end = Math.max(highest, Math.min(peak?.load.value ?? Number.POSITIVE_INFINITY, farthest * highest));
  const even = Array.from({ length: curveSteps + 1 }, (_, i) => lowest + ((end - lowest) * i) / curveSteps);
  return [...new Set([...even, ...loads])].toSorted((a, b) => a - b);
}

/** What speaks against the law, in words; null where it may stand. */
function whyItDoesNotHold(points: readonly LoadPoint[], fit: UslFit): string | null {
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
    const doubt = chance === null ? ' (or single repeats scatter as much)' : '';
    return `The law does not describe this: at ${formatCount(worst.load)} connections throughput is ${formatPercent(Math.abs(worst.missed) / most)} of the highest ${side} its curve, more than the repeats scatter${doubt}. Something else changes with the load.`;
  }
  const least = Math.min(...means.map(({ average }) => average));
  if (fit.r2 < leastExplained && most > flat * least)
    return `The law does not describe this: it explains ${formatPercent(Math.max(0, fit.r2))} of the scatter. More or longer repeats would show whether it is noise.`;
  return null;
}

/** Bounds at which resamples have no peak are numbers beyond every load (stats/usl.ts): no bounds. */
const unbounded = 1e6;

const estimate = ({ value, low, high }: Interval, isBounded: boolean): Estimate => ({
  value,
  low: low ?? value,
  high: isBounded ? high : null,
});

/** Null where it lies beyond what may be extrapolated. */
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
 * 1 ÷ σ: where the line without contention meets the ceiling that contention sets, and half of the ceiling is reached
 * (Gunther 2007, 4.3). Null where nothing contends, the throughput falls before, or it lies beyond what may be
 * extrapolated.
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
   * measured: within the loads of the fit; extrapolated: up to twice the highest of them. Farther ones are not told.
   */
  readonly kind: 'measured' | 'extrapolated';
  /** The highest load lies beyond it for certain: more connections made it slower. */
  readonly retrograde: boolean;
}
