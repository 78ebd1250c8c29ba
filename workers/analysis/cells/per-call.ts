import type { ProbeInfo } from '#engine-api/probe.ts';
import { probeInfoOf } from '#engine-api/probe-info.ts';
import { beginsCold } from '#engine-api/support/cold-cache.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { variantOf } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { NumberedCall, TrialResult } from '#protocol/measurement.ts';
import type { Cell } from '#protocol/plan.ts';
import { positiveMeanInterval } from '#stats/intervals/intervals.ts';
import { meanOrNull } from '#stats/intervals/summary.ts';
import type { Interval, RunModel } from '../run-model/run-model.ts';
import { geometricMean } from './commit-latency.ts';

/** The calls of a cell whose trials report each call. Each call number has its mean over the repeats. */
export interface PerCallSummary extends Cell {
  /** The trials began with the server's cache empty. */
  readonly emptied: boolean;
  readonly calls: readonly NumberedCallSummary[];
  /**
   * Time of the first call ÷ time of the last call of the same trial: geometric mean of the repeats; null if either
   * failed.
   */
  readonly firstToLast: Interval | null;
}

interface NumberedCallSummary {
  /** Counted from 1. */
  readonly number: number;
  /** Mean of the repeats; null: it failed in all of them. */
  readonly ms: Interval | null;
  /** Pages read from outside the server's cache, mean of the repeats; null if the server does not count them. */
  readonly pagesRead: number | null;
  readonly state: CacheState | null;
}

/**
 * cold: the first call after the cache was emptied. hot: by the server's counters, it read almost nothing from files.
 * warm: it read some pages from files. Without counters only the cold call is known.
 */
type CacheState = 'cold' | 'warm' | 'hot';

export type CellsOfRun = Pick<RunModel, 'plan' | 'targets' | 'trials' | 'cells'>;

/** Summaries of all cells whose trials report each call, in the order of the cells. */
export function perCallSummaries({ plan, targets, trials, cells }: CellsOfRun): readonly PerCallSummary[] {
  const byCell = Map.groupBy(trials, ({ trial }) => keyOf(trial));
  return cells.flatMap(({ variant, target }) => {
    const results = (byCell.get(keyOf({ variant, target })) ?? []).flatMap(({ result }) =>
      result?.status === 'ok' && result.perCall ? [result] : [],
    );
    if (results.length === 0) return [];
    const { probeInfo = {}, fingerprint = null, descriptor = {} } = targets.find(({ name }) => name === target) ?? {};
    const emptied = beginsCold(descriptor, variantOf(plan, variant)?.settings ?? defaultSettings, plan.measure);
    const summary = summarise(results, probeInfo, fingerprint?.pageBytes ?? null, emptied);
    return [{ variant, target, emptied, ...summary }];
  });
}

function summarise(
  results: readonly TrialResult[],
  infos: Readonly<Record<string, ProbeInfo>>,
  pageBytes: number | null,
  emptied: boolean,
): Pick<PerCallSummary, 'calls' | 'firstToLast'> {
  const trials = results.map(({ perCall = [] }) => perCall);
  const most = Math.max(...trials.map(({ length }) => length));
  const tableBytes = meanOrNull(results.flatMap(({ storedBytes }) => storedBytes?.tableBytes ?? []));
  const tablePages = tableBytes === null || pageBytes === null ? null : tableBytes / pageBytes;
  const calls = Array.from({ length: most }, (_, i): NumberedCallSummary => {
    const same = trials.flatMap((trial) => trial[i] ?? []);
    const pagesRead = meanOrNull(same.flatMap((call) => pagesReadBy(call, infos) ?? []));
    return {
      number: i + 1,
      ms: positiveMeanInterval(same.flatMap(({ ms }) => ms ?? [])),
      pagesRead,
      state: stateOf(emptied && i === 0, pagesRead, tablePages),
    };
  });
  const ratios = trials.flatMap((trial) => {
    const [first, last] = [trial[0]?.ms, trial.at(-1)?.ms];
    return first && last ? [first / last] : [];
  });
  return { calls, firstToLast: geometricMean(ratios) };
}

/** Null if the server does not count them. */
function pagesReadBy({ probeDelta }: NumberedCall, infos: Readonly<Record<string, ProbeInfo>>): number | null {
  const counts = Object.entries(probeDelta).filter(([name]) => probeInfoOf(infos, name)?.role === 'pagesRead');
  return counts.length === 0 ? null : counts.reduce((sum, [, count]) => sum + count, 0);
}

/** Share of the table that a hot call may read from files, because servers also read their catalogue. */
const leastRead = 0.01;

function stateOf(isFirstAfter: boolean, pagesRead: number | null, tablePages: number | null): CacheState | null {
  const readsNothing =
    pagesRead === null || (pagesRead > 0 && tablePages === null) ? null : pagesRead <= leastRead * (tablePages ?? 0);
  if (readsNothing) return 'hot';
  if (isFirstAfter) return 'cold';
  return readsNothing === null ? null : 'warm';
}

export const perCallTitle = 'Reported per call';
