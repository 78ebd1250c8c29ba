import { formatUpTo } from '#model/format/format.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { percentilesMs } from '#stats/histogram/percentiles.ts';
import { givenUpOf, latencyText } from '../rates/load-rates.ts';

/** A figure of the times of a trial’s calls: their mean, or a quantile 0 < q ≤ 1. The quantile 1 is the maximum. */
export type TimeFigure = 'mean' | number;

/** The figures that every run is compared by, in the order of tables. */
export const timeFigures: readonly TimeFigure[] = ['mean', 0.5, 0.95, 0.99, 1];

/** "mean", "p50", "p99.9", "maximum". */
export const formatFigure = (figure: TimeFigure): string =>
  figure === 'mean' ? 'mean' : figure === 1 ? 'maximum' : `p${formatUpTo(figure * 100, 6)}`;

/**
 * The calls of a trial that a time is about: the statement, transaction or scenario with this name; null: the units of
 * work of the trial.
 */
export type TimedWork = string | null;

/** Number of calls of a trial, without those that failed or were given up. */
interface Timed {
  readonly calls: number;
  /** response: from the intended start. service: from the actual start. */
  readonly time: 'response' | 'service';
  readonly ms: (figure: TimeFigure) => number | null;
  /** The figure without the start errors of the load generator; service times have no start errors. */
  readonly sinceStartMs: (figure: TimeFigure) => number | null;
}

/** The times of results that were read before. A result never changes, and every panel asks for the same ones. */
const known = new WeakMap<TrialResult, Map<TimedWork, Timed | null>>();

/** Histograms are large, and this one is free again after each use. */
const histogram = new Histogram();

/**
 * The times of a trial’s calls: the response times from the intended start where the load has them, and otherwise the
 * service times. Calls that are no units of work, such as steps of transactions, have service times alone, and so have
 * passes of scenarios. Null where the trial has no calls of this work, or reports its calls one by one.
 */
export function trialTimes(result: TrialResult, work: TimedWork): Timed | null {
  const own = known.get(result) ?? new Map<TimedWork, Timed | null>();
  known.set(result, own);
  const before = own.get(work);
  if (before !== undefined) return before;
  const timed = readTimes(result, work);
  own.set(work, timed);
  return timed;
}

function readTimes(result: TrialResult, work: TimedWork): Timed | null {
  if (result.status !== 'ok' || result.perCall !== undefined) return null;
  const timed = timesIn(result, work);
  if (timed?.encoded === undefined) return null;
  const { encoded, sinceStart, time } = timed;
  // Nobody knows which statements the units of work that were given up would have called: each may be one of them.
  const givenUp = time === 'response' ? givenUpOf(result.totals) : 0;
  const calls = countOf(encoded);
  if (calls === 0) return null;
  return { calls, time, ms: figuresOf(encoded, givenUp), sinceStartMs: figuresOf(sinceStart, givenUp) };
}

/** Reads figures of an encoded histogram: the usual ones together at the first question. */
function figuresOf(encoded: string, givenUp: number): Timed['ms'] {
  const figures = new Map<TimeFigure, number | null>();
  return (figure) => {
    if (!figures.has(figure)) {
      histogram.reset();
      histogram.addEncoded(encoded);
      for (const one of [...timeFigures, figure]) figures.set(one, figureOf(histogram, one, givenUp));
    }
    return figures.get(figure) ?? null;
  };
}

/**
 * The encoded times of a trial’s calls of this work, with and without the start errors of the load generator. Null: it
 * has no calls of this work.
 */
export function timesIn(
  { totals, statements = [] }: TrialResult,
  work: TimedWork,
): { readonly encoded: string; readonly sinceStart: string; readonly time: Timed['time'] } | null {
  if (work === null) {
    const { service, load } = totals;
    const sinceStart = load?.sinceStart ?? service;
    return { encoded: latencyText(totals), sinceStart, time: load ? 'response' : 'service' };
  }
  const own = statements.find(({ name }) => name === work);
  if (own === undefined) return null;
  const { calls, response, sinceStart } = own;
  if (response !== undefined && sinceStart !== undefined && countOf(response) >= calls * unitsShare)
    return { encoded: response, sinceStart, time: 'response' };
  return { encoded: own.service, sinceStart: own.service, time: 'service' };
}

/** If at least this share of the calls are units of work, the calls are judged by their response times. */
const unitsShare = 0.99;

function countOf(encoded: string): number {
  histogram.reset();
  histogram.addEncoded(encoded);
  return histogram.count;
}

/** Nobody knows the mean and the maximum where units of work were given up; for quantiles see percentilesMs. */
function figureOf(times: Histogram, figure: TimeFigure, givenUp: number): number | null {
  if (times.count === 0) return null;
  if (figure !== 'mean' && figure !== 1) return percentilesMs(times, [figure * 100] as const, givenUp)[0];
  return givenUp > 0 ? null : (figure === 'mean' ? times.mean : times.max) / 1e6;
}

/**
 * The reason why `timesOf` has no values. givenUp: a repeat gave up units of work, so that nobody knows the mean and
 * the maximum. tooFewCalls: a repeat has too few calls for the quantile.
 */
export const timesLack = (
  results: readonly TrialResult[],
  work: TimedWork,
  figure: TimeFigure,
): 'givenUp' | 'tooFewCalls' =>
  (figure === 'mean' || figure === 1) &&
  results.some((result) => trialTimes(result, work)?.time === 'response' && givenUpOf(result.totals) > 0)
    ? 'givenUp'
    : 'tooFewCalls';

/**
 * One value for each repeat of a cell, ms. Null where a repeat has none: a cell without its repeats with few calls
 * would consist of its fast repeats.
 */
export function timesOf(
  results: readonly TrialResult[],
  work: TimedWork,
  figure: TimeFigure,
): readonly number[] | null {
  return valuesOf(results, (result) => trialTimes(result, work)?.ms(figure) ?? null);
}

/** One value for each repeat of a cell, ms, without the start errors of the load generator. Null as for `timesOf`. */
export function timesSinceStartOf(
  results: readonly TrialResult[],
  work: TimedWork,
  figure: TimeFigure,
): readonly number[] | null {
  return valuesOf(results, (result) => trialTimes(result, work)?.sinceStartMs(figure) ?? null);
}

function valuesOf(
  results: readonly TrialResult[],
  of: (result: TrialResult) => number | null,
): readonly number[] | null {
  const values = results.filter(({ status }) => status === 'ok').map(of);
  return values.length === 0 || values.includes(null) ? null : values.map((value) => value!);
}
