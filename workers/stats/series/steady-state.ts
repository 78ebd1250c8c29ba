import { mean, variance } from '../intervals/summary.ts';
import { correlatedMeanFactor, surelyCorrelated } from './autocorrelation.ts';
import { commonDrift, type Drift } from './drift.ts';

interface SteadyState {
  /** Values at the beginning of each series that belong to its warm-up. */
  readonly from: readonly number[];
  /** False: what follows the warm-up still rises or falls, or the warm-up is most of the series. */
  readonly steady: boolean;
  /** Change of what follows the warm-up. */
  readonly drift: Drift;
}

/** The published rule uses batches of this many values. */
const batch = 5;
/** Fewer values do not show a steady state. */
export const leastValues = 20;
/** A drift is not told from a slow wave in fewer independent ones. */
const leastIndependent = 6;
/** Smaller drifts do not matter, even if they are certain. */
const leastDrift = 0.02;
/**
 * With this level, about 5 % of flat cells or fewer are called unsteady at any length and correlation
 * (docs/statistics.md).
 */
const level = 0.975;

/**
 * A beginning that differs by more standard errors than this from what follows is no chance, though the best cut was
 * looked for.
 */
const surelyDiffers = 4;

/**
 * Finds the steady state that several series of one thing, such as the seconds of the repeats of a cell, reach.
 *
 * A warm-up is the part that MSER-5 cuts off: the values within the first half whose removal makes the standard error
 * of the mean of the rest smallest (White 1997; White, Cobb & Spratt 2000), if it differs from the rest by more than
 * 2 % and four standard errors. The series are steady if the line through the rests of all together does not change by
 * more than 2 % with 97.5 % certainty, nor may go on as the line through the whole does, and if most warm-ups end
 * before the latest cut allowed: else the transient lasts longer than the series.
 *
 * Null for no series, for one of fewer than 20 values, or of no positive mean; and where they would not be steady, but
 * are so correlated that they amount to fewer than six independent values.
 */
export function findSteadyState(all: readonly (readonly number[])[]): SteadyState | null {
  if (all.some((series) => series.length < leastValues)) return null;
  const from = all.map(warmUp);
  const rests = all.map((series, i) => series.slice(from[i]!));
  const drift = commonDrift(rests, level);
  const whole = commonDrift(all, level);
  if (drift === null || whole === null) return null;
  const length = mean(rests.map((rest, i) => rest.length / all[i]!.length));
  const continued = whole.ratio ** length;
  const goesOn = length < 1 && matters(whole) && drift.low <= continued && continued <= drift.high;
  const atBorder = all.filter((series, i) => from[i]! >= latestCut(series.length)).length;
  const steady = atBorder * 2 < all.length && !goesOn && !matters(drift);
  return steady || whole.independent >= leastIndependent ? { from, steady, drift } : null;
}

const matters = ({ ratio, low, high }: Drift): boolean => (low > 1 || high < 1) && Math.abs(ratio - 1) > leastDrift;

/** Values at the beginning that differ from the rest; 0 where none surely do. */
function warmUp(series: readonly number[]): number {
  const from = truncation(series);
  if (from === 0) return 0;
  const begin = series.slice(0, from);
  const rest = series.slice(from);
  const rho = surelyCorrelated(rest);
  const difference = Math.abs(mean(begin) - mean(rest));
  const factors = correlatedMeanFactor(begin.length, rho) + correlatedMeanFactor(rest.length, rho);
  const error = Math.sqrt((variance(rest) / (1 - correlatedMeanFactor(rest.length, rho))) * factors);
  return difference > leastDrift * Math.abs(mean(rest)) && difference > surelyDiffers * error ? from : 0;
}

/** Noise moves the minimum: among cuts nearly as good, the earliest is chosen. */
const asGood = 1.1;

/** The last whole batch that may be cut off. */
const latestCut = (n: number): number => Math.floor(n / 2 / batch) * batch;

function truncation(series: readonly number[]): number {
  const means = Array.from({ length: Math.floor(series.length / batch) }, (_, i) =>
    mean(series.slice(i * batch, (i + 1) * batch)),
  );
  const pivot = mean(means);
  const msers = new Array<number>(means.length).fill(Number.POSITIVE_INFINITY);
  // Sums from the end, so that each cut costs one step.
  let sum = 0;
  let squares = 0;
  for (let i = means.length - 1; i >= 0; i--) {
    const value = means[i]! - pivot;
    sum += value;
    squares += value * value;
    const left = means.length - i;
    if (i * batch <= latestCut(series.length)) msers[i] = Math.max(0, squares - (sum * sum) / left) / (left * left);
  }
  const least = Math.min(...msers);
  return msers.findIndex((mser) => mser <= least * asGood) * batch;
}
