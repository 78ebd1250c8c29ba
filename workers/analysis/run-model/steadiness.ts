import type { Interval } from '#stats/intervals/intervals.ts';
import { correlatedMeanInterval } from '#stats/series/autocorrelation.ts';
import type { Drift } from '#stats/series/drift.ts';
import { findSteadyState, leastValues } from '#stats/series/steady-state.ts';
import type { TrialSeries, TrialView } from './run-model.ts';

/** The steadiness of a trial, from its seconds. */
export interface Steadiness {
  readonly state: 'steady' | 'notSteady' | 'tooShort';
  /** Seconds at the beginning that belong to the warm-up; null if the trial is too short to judge. */
  readonly cutSeconds: number | null;
  /** Rate at the end ÷ rate after the warm-up; null if the trial is too short to judge. */
  readonly drift: Drift | null;
  /**
   * Interval of the throughput within this trial, from its correlated seconds. It does not describe other trials, so no
   * verdict depends on it. Null if fewer than 20 seconds remain after the warm-up.
   */
  readonly within: Interval | null;
}

/** The rates of the counted seconds. */
interface Seconds {
  /** Ends of the seconds, ms since the measured phase began. */
  readonly atMs: readonly number[];
  readonly rates: readonly number[];
}

/** A shorter last second has few calls, and its rate is noise. */
const leastSecondMs = 500;

/** Rows per second, or calls if no rows move. */
export function wholeSeconds({ atMs, rowsPerSecond, callsPerSecond }: TrialSeries): Seconds {
  const rates = rowsPerSecond.some((rate) => rate > 0) ? rowsPerSecond : callsPerSecond;
  const last = atMs.length - 1;
  const isStub = last > 0 && atMs[last]! - atMs[last - 1]! < leastSecondMs;
  return isStub ? { atMs: atMs.slice(0, -1), rates: rates.slice(0, -1) } : { atMs, rates };
}

const known = new WeakMap<TrialSeries, Steadiness>();

/** Steadiness of a good trial; null for other trials. The result is cached for the same series. */
export function steadinessOf({ result, series }: TrialView): Steadiness | null {
  if (result?.status !== 'ok') return null;
  const before = known.get(series);
  if (before) return before;
  const found = judge(wholeSeconds(series));
  known.set(series, found);
  return found;
}

function judge({ rates, atMs }: Seconds): Steadiness {
  const found = findSteadyState([rates]);
  if (found === null) return { state: 'tooShort', cutSeconds: null, drift: null, within: null };
  const [from = 0] = found.from;
  return {
    state: found.steady ? 'steady' : 'notSteady',
    cutSeconds: from === 0 ? 0 : atMs[from - 1]! / 1_000,
    drift: found.drift,
    within: correlatedMeanInterval(rates.slice(from)),
  };
}

/** The steadiness of a cell, from the seconds of all its trials, because a single trial has too few seconds. */
export interface CellSteadiness {
  readonly steady: boolean;
  /** Number of trials long enough to judge. */
  readonly trials: number;
  /** The number of trials that ran slower at their end than at their beginning. */
  readonly falling: number;
  /** Longest warm-up of a trial, seconds. */
  readonly cutSeconds: number;
  /** Rate at the end of a trial ÷ rate after its warm-up. */
  readonly drift: Drift;
}

/** Null if no trial is long enough to judge. */
export function cellSteadiness(views: readonly TrialView[]): CellSteadiness | null {
  const seconds = views
    .filter(({ result }) => result?.status === 'ok')
    .map(({ series }) => wholeSeconds(series))
    .filter(({ rates }) => rates.length >= leastValues);
  const found = findSteadyState(seconds.map(({ rates }) => rates));
  if (found === null) return null;
  const single = seconds.map(({ rates }) => findSteadyState([rates])?.drift.ratio ?? 1);
  return {
    steady: found.steady,
    trials: seconds.length,
    falling: single.filter((ratio) => ratio < 1).length,
    cutSeconds: Math.max(...found.from.map((from, i) => (from === 0 ? 0 : seconds[i]!.atMs[from - 1]! / 1_000))),
    drift: found.drift,
  };
}
