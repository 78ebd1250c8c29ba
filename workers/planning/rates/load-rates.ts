import type { Settings } from '#model/settings/settings.ts';
import { type LoadModel, loadModel } from '#model/statements/load-model.ts';
import type { CallCounts, LoadCounts, TrialResult } from '#protocol/measurement.ts';

type TimedLoad = LoadCounts & { readonly elapsedMs: number };

export const loadsOf = (ok: readonly TrialResult[]): readonly TimedLoad[] =>
  ok.flatMap(({ totals, elapsedMs }) => (totals.load && elapsedMs > 0 ? [{ ...totals.load, elapsedMs }] : []));

export const sumOf = (all: readonly TimedLoad[], value: (load: TimedLoad) => number): number =>
  all.reduce((sum, one) => sum + value(one), 0);

/** How much work arrived and how much of it was done. */
export interface LoadRates {
  /** Arrivals of units of work a second; null: a closed load offers as much as is answered. */
  readonly offeredPerSecond: number | null;
  /** Units of work that ended, over the whole time that took, the drain included. */
  readonly achievedPerSecond: number;
}

export const ratesOf = (all: readonly TimedLoad[], { kind }: LoadModel, seconds: number): LoadRates => ({
  offeredPerSecond: kind === 'closed' ? null : sumOf(all, ({ arrivals }) => arrivals) / (all.length * seconds),
  achievedPerSecond: (sumOf(all, ({ ended }) => ended) * 1_000) / sumOf(all, ({ elapsedMs }) => elapsedMs),
});

/**
 * The latency that a trial is judged by: response time from the intended start where there is one, service time
 * otherwise.
 */
export const latencyText = ({ load, service }: CallCounts): string => load?.response ?? service;

/** So much less than offered is a backlog that grew, and not the last answers that came after the last arrivals. */
const leastBehind = 0.05;

export const fellBehind = ({ offeredPerSecond, achievedPerSecond }: LoadRates): boolean =>
  offeredPerSecond !== null && achievedPerSecond < offeredPerSecond * (1 - leastBehind);

/** The same of trials that are not summed up yet. */
export function haveFallenBehind(ok: readonly TrialResult[], settings: Partial<Settings>, seconds: number): boolean {
  const all = loadsOf(ok);
  return all.length > 0 && fellBehind(ratesOf(all, loadModel(settings), seconds));
}
