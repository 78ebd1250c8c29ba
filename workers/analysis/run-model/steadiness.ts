import { batchMeansInterval } from '#stats/autocorrelation.ts';
import type { Interval } from '#stats/intervals.ts';
import { findSteadyState } from '#stats/steady-state.ts';
import type { TrialSeries, TrialView } from './run-model.ts';

/** What the seconds of a single trial tell of it. */
export interface Steadiness {
  readonly state: 'steady' | 'notSteady' | 'tooShort';
  /** Seconds at the beginning that belong to the warm-up; null where the trial is too short to tell. */
  readonly cutSeconds: number | null;
  /** Rate at the end ÷ rate after the warm-up; null where the trial is too short to tell. */
  readonly drift: number | null;
  /**
   * Throughput within this trial by batch means over its seconds: how certain this trial is of itself. Says nothing of
   * other trials, so it is never what a verdict rests on. Null where fewer than 20 seconds are left behind the warm-up.
   */
  readonly within: Interval | null;
}

/** Seconds as they were counted; their rates. */
interface Seconds {
  /** Ends, ms since the measured phase began. */
  readonly atMs: readonly number[];
  readonly rates: readonly number[];
}

/** A last second shorter than this is of few calls, and its rate is noise. */
const leastSecondMs = 500;

/** Rows per second, or calls where no rows move. */
export function wholeSeconds({ atMs, rowsPerSecond, callsPerSecond }: TrialSeries): Seconds {
  const rates = rowsPerSecond.some((rate) => rate > 0) ? rowsPerSecond : callsPerSecond;
  const last = atMs.length - 1;
  const isStub = last > 0 && atMs[last]! - atMs[last - 1]! < leastSecondMs;
  return isStub ? { atMs: atMs.slice(0, -1), rates: rates.slice(0, -1) } : { atMs, rates };
}

const known = new WeakMap<TrialSeries, Steadiness>();

/** Steadiness of a trial that went well; null for others. The same object as long as the series is the same. */
export function steadinessOf({ result, series }: TrialView): Steadiness | null {
  if (result?.status !== 'ok') return null;
  const before = known.get(series);
  if (before) return before;
  const found = judge(wholeSeconds(series));
  known.set(series, found);
  return found;
}

function judge({ rates, atMs }: Seconds): Steadiness {
  const found = findSteadyState(rates);
  if (found === null) return { state: 'tooShort', cutSeconds: null, drift: null, within: null };
  return {
    state: found.steady ? 'steady' : 'notSteady',
    cutSeconds: found.from === 0 ? 0 : atMs[found.from - 1]! / 1_000,
    drift: found.drift,
    within: batchMeansInterval(rates.slice(found.from)),
  };
}
