import type { TrialResult } from '#protocol/measurement.ts';
import { mergeEncoded, rankAmong } from '#stats/histogram/percentiles.ts';
import { failedCalls } from '../judged/failed-calls.ts';
import type { NamedGoal } from '../judged/named-goals.ts';
import { type TimedWork, type TimeFigure, timesIn } from '../judged/trial-times.ts';
import { givenUpOf } from '../rates/load-rates.ts';

/**
 * The logarithm of value ÷ limit for the goal that these trials together are nearest to or exceed most: above 0, they
 * exceed a goal. Null: they have no calls that a goal is for.
 */
export function overGoals(goals: readonly NamedGoal[], ok: readonly TrialResult[]): number | null {
  const all = goals.flatMap(({ work, of, limit }) => {
    const over = of === 'errors' ? overShare(ok, work, limit) : overTime(ok, work, of, limit);
    return over ?? [];
  });
  return all.length === 0 ? null : Math.max(...all);
}

/** Fewer errors than this share of their goal count as this many, so that trials without errors have a logarithm. */
const leastShare = 0.1;

function overShare(ok: readonly TrialResult[], work: TimedWork, limit: number): number | null {
  const trials = ok.map((result) => failedCalls(result, work));
  const calls = trials.reduce((sum, one) => sum + one.calls, 0);
  if (calls === 0) return null;
  const share = trials.reduce((sum, { most }) => sum + most, 0) / calls;
  return Math.log(Math.max(leastShare, share === 0 ? 0 : share / limit));
}

/**
 * Units that were given up count as longer than all others, and nobody knows their mean and their maximum, so that a
 * load with given-up units exceeds goals for these. Too few calls for a quantile tell whether too many of them were
 * slow.
 */
function overTime(ok: readonly TrialResult[], work: TimedWork, figure: TimeFigure, limit: number): number | null {
  const timed = ok.flatMap((result) => {
    const times = timesIn(result, work);
    return times ? [{ ...times, givenUp: times.time === 'response' ? givenUpOf(result.totals) : 0 }] : [];
  });
  const merged = mergeEncoded(timed.map(({ encoded }) => encoded));
  if (merged === null || merged.count === 0) return null;
  const givenUp = timed.reduce((sum, one) => sum + one.givenUp, 0);
  if (givenUp > 0 && (figure === 'mean' || figure === 1)) return Number.POSITIVE_INFINITY;
  const ns =
    figure === 'mean' ? merged.mean : merged.percentile(Math.min(100, rankAmong(figure * 100, merged.count, givenUp)));
  return Math.log(ns / 1e6 / limit);
}
