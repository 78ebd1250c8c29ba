import type { Settings } from '#model/settings/settings.ts';
import { type LoadModel, loadModel } from '#model/statements/load-model.ts';
import type { CallCounts, LoadCounts, TrialResult } from '#protocol/measurement.ts';
import { type LatencySummary, latencySummary, mergeEncoded } from '#stats/histogram/percentiles.ts';
import { type Comparison, isDifference } from '#stats/intervals/compare-means.ts';

type TimedLoad = LoadCounts & { readonly elapsedMs: number };

/** The loads of successful trials, with their durations. */
export const loadsOf = (ok: readonly TrialResult[]): readonly TimedLoad[] =>
  ok.flatMap(({ totals, elapsedMs }) => (totals.load && elapsedMs > 0 ? [{ ...totals.load, elapsedMs }] : []));

/** Sum of a value over all trials. */
export const sumOf = (all: readonly TimedLoad[], value: (load: TimedLoad) => number): number =>
  all.reduce((sum, one) => sum + value(one), 0);

/** Offered and achieved load, in units of work per second. */
export interface LoadRates {
  /** Arrivals of units of work per second; null: a closed loop, which has no rate of its own. */
  readonly offeredPerSecond: number | null;
  /** Units of work that ended, per second of the whole time including the drain. */
  readonly achievedPerSecond: number;
}

/** The rates of successful trials with `seconds` of arrivals each; a closed loop offers no rate. */
export const ratesOf = (all: readonly TimedLoad[], { kind }: LoadModel, seconds: number): LoadRates => ({
  offeredPerSecond: kind === 'closed' ? null : sumOf(all, ({ arrivals }) => arrivals) / (all.length * seconds),
  achievedPerSecond: (sumOf(all, ({ ended }) => ended) * 1_000) / sumOf(all, ({ elapsedMs }) => elapsedMs),
});

/**
 * The latency by which trials are compared: response time from the intended start if there is one, else service time.
 */
export const latencyText = ({ load, service }: CallCounts): string => load?.response ?? service;

/** Units of work of a trial that arrived and were given up: they have no latency. */
export const givenUpOf = ({ load }: CallCounts): number => load?.unfinished ?? 0;

/** Latencies of a single trial, by which it is compared; all null where it counted none. */
export function trialLatency(totals: CallCounts): LatencySummary {
  return latencySummary(mergeEncoded([latencyText(totals)]), givenUpOf(totals));
}

/** A smaller gap can come from the last answers, which follow the last arrivals; a larger one is a growing backlog. */
const leastBehind = 0.05;

/**
 * True if the load of these trials set how much was done: a server that answers at once would hardly have done more.
 * All that arrived was done; or users paused nearly all of the time, between units or by the steps of their scenario.
 */
export function setsThroughput(ok: readonly TrialResult[], settings: Settings, seconds: number): boolean {
  const all = loadsOf(ok);
  if (all.length === 0) return false;
  const model = loadModel(settings);
  if (model.kind !== 'closed') return !fellBehind(ratesOf(all, model, seconds));
  const respondedMs = sumOf(all, ({ responseMs }) => responseMs);
  const thoughtMs = sumOf(all, ({ thinkMs }) => thinkMs);
  return respondedMs > 0 && respondedMs <= (respondedMs + thoughtMs) * leastBehind;
}

/**
 * True if the load set the ratio of two throughputs: a cell that did all that its load asked for is not slower than
 * another, whatever the other's throughput. `ofLoad`: true for each side whose load set its throughput.
 */
export function isSetByLoad(
  { ratio, verdict }: Pick<Comparison, 'ratio' | 'verdict'>,
  [own, other]: readonly [own: boolean, other: boolean],
): boolean {
  return isDifference(verdict) ? (ratio.value < 1 ? own : other) : own || other;
}

/** True if the server processed less work than arrived. */
export const fellBehind = ({ offeredPerSecond, achievedPerSecond }: LoadRates): boolean =>
  offeredPerSecond !== null && achievedPerSecond < offeredPerSecond * (1 - leastBehind);

/** If a larger share of the units is given up, the 99th percentile is unknown. */
const mostGivenUp = 0.01;

/**
 * True if trials that have not been summed up yet fell behind, or gave up so much that their 99th percentile is not
 * known.
 */
export function haveFallenBehind(ok: readonly TrialResult[], settings: Settings, seconds: number): boolean {
  const all = loadsOf(ok);
  if (all.length === 0) return false;
  const givenUp = sumOf(all, ({ unfinished }) => unfinished);
  const whole = sumOf(all, ({ ended }) => ended) + givenUp;
  return fellBehind(ratesOf(all, loadModel(settings), seconds)) || givenUp > whole * mostGivenUp;
}
