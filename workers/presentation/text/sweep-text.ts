import { type Sweep, sweepsOf } from '#analysis/compare/sweep.ts';
import type { Interval, RunModel } from '#analysis/run-model/run-model.ts';
import {
  formatCount,
  formatInterval,
  formatNumber,
  formatPercent,
  formatRate,
  formatShort,
} from '#model/format/format.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { type Estimate, farthest } from '#planning/search/fit-sweep.ts';
import { leastLoads, throughputAt, type UslFit } from '#stats/fits/usl.ts';

/** The most sweeps in the headline. The chart and its table have all. */
const mostSentences = 4;

/**
 * The results of the sweeps over connections, one sentence each, for the headline of a run. Sweeps of fewer than five
 * loads have no sentence.
 */
export function sweepHeadlines(model: RunModel): readonly string[] {
  const told = sweepsOf(model).filter(
    ({ target, points }) => points.length >= leastLoads && isContender(model, target),
  );
  const sentences = told.slice(0, mostSentences).map((one) => `${nameOf(one)}: ${one.whyNoFit ?? peakText(one)}`);
  const more = told.length - sentences.length;
  if (more <= 0) return sentences;
  return [...sentences, `${more} more ${more === 1 ? 'sweep' : 'sweeps'} over connections: see how it scales.`];
}

/** "PostgreSQL · prepared". */
export const nameOf = ({ target, label }: Pick<Sweep, 'target' | 'label'>): string =>
  label === '' ? target : `${target} · ${label}`;

/** Whole connections with the interval rounded outwards: "14 (11–19)", or "14 (11 or more)" without an upper bound. */
export const formatLoads = ({ value, low, high }: Estimate): string =>
  `${formatCount(value)} (${high === null ? `${formatCount(Math.floor(low))} or more` : `${formatCount(Math.floor(low))}–${formatCount(Math.ceil(high))}`})`;

/**
 * A sentence about the load with the highest throughput, or the load up to which throughput is known to rise. Empty
 * without a fit.
 */
export function peakText({
  fit,
  peak,
  highestLoad,
  unit,
}: Pick<Sweep, 'fit' | 'peak' | 'highestLoad' | 'unit'>): string {
  if (fit === null || highestLoad === null) return '';
  if (peak === null)
    return `according to the curve, throughput still rises at ${formatCount(highestLoad)} connections, and there is no peak up to ${formatCount(farthest * highestLoad)}.`;
  const rate = `${formatEstimate(peak.throughput)} ${unit}`;
  if (peak.kind === 'extrapolated')
    return `extrapolated beyond the ${formatCount(highestLoad)} connections measured, throughput would be highest at ${formatLoads(peak.load)}, with ${rate}.`;
  if (peak.load.high === null)
    return `according to the curve, throughput is highest at ${formatCount(peak.load.value)} connections, with ${rate}, but the points do not prove that it falls beyond: the peak may lie anywhere above ${formatCount(Math.floor(peak.load.low))}.`;
  const share = throughputAt(fit, highestLoad) / peak.throughput.value;
  const beyond = peak.retrograde
    ? ` More connections make it slower: ${formatCount(highestLoad)} reach ${formatPercent(share)} of that.`
    : ` Up to ${formatCount(highestLoad)} connections, the points do not show that more make it slower.`;
  return `throughput is highest at ${formatLoads(peak.load)} connections, with ${rate}.${beyond}`;
}

const formatEstimate = ({ value, low, high }: Estimate): string =>
  high === null ? `${formatShort(value)} (${formatShort(low)} or more)` : formatInterval({ value, low, high });

/** A sentence about the load from which contention dominates. */
export function kneeText({ fit, knee, peak, unit }: Pick<Sweep, 'fit' | 'knee' | 'peak' | 'unit'>): string {
  if (fit === null) return '';
  const ceiling = `${formatRate(fit.lambda / fit.sigma, unit)}`;
  if (knee !== null && knee.high === null)
    return `By the curve, contention takes over at ${formatCount(knee.value)} connections, but the repeats do not show that there is any contention: the knee may be anywhere above ${formatCount(Math.floor(knee.low))}.`;
  if (knee !== null)
    return `About half of the ceiling that contention sets (${ceiling}) is reached at ${formatLoads(knee)} connections.`;
  if (fit.sigma <= 0) return 'The points show no contention.';
  return peak !== null && fit.knee !== null && fit.knee > peak.load.value
    ? 'Throughput falls before contention alone would flatten it.'
    : `The ceiling that contention sets (${ceiling}) is far beyond the measured loads.`;
}

/** One coefficient of the law: its letter, its value with interval, and its meaning for these connections. */
export interface CoefficientWords {
  readonly symbol: 'λ' | 'σ' | 'κ';
  readonly name: string;
  readonly value: string;
  readonly meaning: string;
}

export const coefficientsText = ({ sigma, kappa, intervals }: UslFit, unit: string): readonly CoefficientWords[] => [
  {
    symbol: 'λ',
    name: 'alone',
    value: `${formatInterval(intervals.lambda)} ${unit}`,
    meaning: 'what one connection does that is alone',
  },
  {
    symbol: 'σ',
    name: 'contention',
    value: shareInterval(intervals.sigma),
    meaning:
      sigma <= 0 || (intervals.sigma.low ?? 0) <= 0
        ? 'no contention is shown: it may be that no part of the work waits its turn'
        : `${formatPercent(sigma)} of the work is serial`,
  },
  {
    symbol: 'κ',
    name: 'coherency',
    value: shareInterval(intervals.kappa),
    meaning:
      kappa <= 0 || (intervals.kappa.low ?? 0) <= 0
        ? 'no cost of agreement is shown: throughput may flatten and never fall'
        : `keeping each pair of connections consistent costs ${formatPercent(kappa)} of the work of one connection`,
  },
];

const shareInterval = ({ value, low, high }: Interval): string =>
  low === null || high === null
    ? formatNumber(value)
    : `${formatNumber(value)} (${formatNumber(low)}–${formatNumber(high)})`;

/**
 * A sentence about repeats that are not in the fit: "Left out because they are client-bound: 3 repeats at 12, 2 at 16
 * connections." Empty if all are in the fit.
 */
export function leftOutText({ points }: Pick<Sweep, 'points'>): string {
  const left = points.flatMap(({ load, repeats }) => {
    const count = repeats.filter(({ saturated }) => saturated).length;
    return count === 0 ? [] : [{ load, count }];
  });
  if (left.length === 0) return '';
  const list = left.map(
    ({ load, count }, i) => `${count}${i === 0 ? (count === 1 ? ' repeat' : ' repeats') : ''} at ${formatCount(load)}`,
  );
  return `Left out because they are client-bound: ${list.join(', ')} connections.`;
}

/** The number of users according to Little's law: "7.96" or "7.91–7.98". Null if the law does not apply. */
export function formatUsers({ repeats }: Sweep['points'][number]): string | null {
  const users = repeats.flatMap((one) => one.users ?? []);
  if (users.length === 0) return null;
  const [low, high] = [formatNumber(Math.min(...users)), formatNumber(Math.max(...users))];
  return low === high ? low : `${low}–${high}`;
}
