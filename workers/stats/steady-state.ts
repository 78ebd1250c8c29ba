import { effectiveSize } from './autocorrelation.ts';
import { tQuantile } from './student-t.ts';
import { mean, variance } from './summary.ts';

interface SteadyState {
  /** Values at the beginning that belong to the warm-up. */
  readonly from: number;
  /** False: the rest still rises or falls, or the warm-up is most of the series. */
  readonly steady: boolean;
  /** Mean of the last third ÷ mean of the first third of the rest; 1 where it is flat. */
  readonly drift: number;
}

/** The published rule uses batches of this many values. */
const batch = 5;
/** Fewer values do not show a steady state. */
const leastValues = 20;
/** Smaller drifts do not matter, even if they are certain. */
const leastDrift = 0.02;

/**
 * The start of a series' steady state: MSER-5 cuts off the values whose removal makes the standard error of the mean of
 * the rest smallest (White 1997; White, Cobb & Spratt 2000), within the first half. The rest is steady if the best cut
 * is not the latest one allowed, and the last third does not differ from the first by more than 2 % with 99 % certainty
 * (Geweke 1992, with effective sample sizes). Null for fewer than 20 values.
 */
export function findSteadyState(series: readonly number[]): SteadyState | null {
  if (series.length < leastValues) return null;
  const from = truncation(series);
  const rest = series.slice(from);
  const third = Math.floor(rest.length / 3);
  const early = rest.slice(0, third);
  const late = rest.slice(-third);
  const drift = mean(late) / mean(early);
  const error = Math.sqrt(squaredError(early) + squaredError(late));
  const freedom = Math.max(1, effectiveSize(early) + effectiveSize(late) - 2);
  const shown = Math.abs(mean(late) - mean(early)) > tQuantile(0.995, freedom) * error;
  const matters = Math.abs(drift - 1) > leastDrift;
  // A minimum at the border is the end of a transient that lasts longer than the series.
  return { from, steady: from < latestCut(series.length) && !(shown && matters), drift };
}

const squaredError = (values: readonly number[]): number => variance(values) / effectiveSize(values);

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
