import { addPauses } from '#analysis/client/pauses.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { ErrorKind } from '#model/error.ts';
import type {
  CallCounts,
  CallTime,
  ConnectCounts,
  Handshakes,
  LoadCounts,
  PhaseHealth,
  PhaseLines,
  RowSpread,
  StatementCounts,
  TrialResult,
  WorkerResult,
} from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';

/** Counts of several workers as one: sums, and exactly merged histograms. */
export function mergeCounts(all: readonly CallCounts[]): CallCounts {
  const commit = all.flatMap((one) => one.commit ?? []);
  const loads = all.flatMap((one) => one.load ?? []);
  const connecting = all.flatMap((one) => one.connecting ?? []);
  return {
    ...mergeCalls(all),
    ...sums(all, ['commits', 'retries', 'gaveUp', 'lostMs']),
    commit: commit.length > 0 ? mergeHistograms(commit) : null,
    ...(loads.length > 0 && { load: mergeLoads(loads) }),
    ...(connecting.length > 0 && { connecting: mergeConnecting(connecting) }),
  };
}

type Calls = Pick<CallCounts, 'calls' | 'rows' | 'errors' | 'service' | 'failed'>;

function mergeCalls(all: readonly Calls[]): Calls {
  const errors: Partial<Record<ErrorKind, number>> = {};
  for (const { errors: some } of all)
    for (const [kind, count] of Object.entries(some) as [ErrorKind, number][])
      errors[kind] = (errors[kind] ?? 0) + count;
  const failed = all.flatMap((one) => one.failed ?? []);
  return {
    ...sums(all, ['calls', 'rows']),
    errors,
    service: mergeHistograms(all.map((one) => one.service)),
    failed: failed.length > 0 ? mergeHistograms(failed) : null,
  };
}

export function mergeLoads(all: readonly LoadCounts[]): LoadCounts {
  const merged = (name: 'response' | 'sinceStart' | 'startError' | 'wait') =>
    mergeHistograms(all.map((one) => one[name]));
  return {
    ...sums(all, ['arrivals', 'ended', 'failed', 'afterwards', 'unfinished', 'waiting', 'responseMs', 'thinkMs']),
    response: merged('response'),
    sinceStart: merged('sinceStart'),
    startError: merged('startError'),
    wait: merged('wait'),
  };
}

const mergeConnecting = (all: readonly ConnectCounts[]): ConnectCounts => ({
  ...sums(all, ['failed', 'endMs', 'openMs', 'prepareMs']),
  opened: mergeHistograms(all.map(({ opened }) => opened)),
});

/** Statements and transactions of several workers, which all have the same ones in the same order. */
export const mergeStatements = (all: readonly (readonly StatementCounts[])[]): readonly StatementCounts[] =>
  (all[0] ?? []).map(({ name, kind }, i) => {
    const same = all.flatMap((one) => one[i] ?? []);
    const uncounted = sum(same, (one) => one.uncounted ?? 0);
    const responses = same.flatMap(({ response }) => response ?? []);
    const sinceStarts = same.flatMap(({ sinceStart }) => sinceStart ?? []);
    const spreads = same.flatMap(({ rowSpread }) => rowSpread ?? []);
    return {
      ...{ name, kind },
      ...mergeCalls(same),
      ...(responses.length > 0 && { response: mergeHistograms(responses), sinceStart: mergeHistograms(sinceStarts) }),
      ...(uncounted > 0 && { uncounted }),
      ...(spreads.length > 0 && { rowSpread: mergeSpreads(spreads) }),
    };
  });

const mergeSpreads = (all: readonly RowSpread[]): RowSpread => ({
  ...sums(all, ['empty', 'squares']),
  most: Math.max(...all.map(({ most }) => most)),
});

function mergeHistograms(encoded: readonly string[]): string {
  const merged = new Histogram();
  for (const one of encoded) merged.add(Histogram.decode(one));
  return merged.encode();
}

/** Handshakes of several workers; null if one of the workers saw no connection. */
export function mergeHandshakes(all: readonly (Handshakes | null)[]): Handshakes | null {
  const seen = all.filter((one) => one !== null);
  if (seen.length === 0 || seen.length < all.length) return null;
  const times = seen.flatMap(({ shortestMs }) => shortestMs ?? []);
  return {
    shortestMs: times.length === 0 ? null : Math.min(...times),
    sameMachine: seen.every(({ sameMachine }) => sameMachine),
  };
}

/** Health over all workers of a trial: sums of times and memory, and the worst utilisation and delay. */
export function mergeHealth(all: readonly PhaseHealth[]): PhaseHealth {
  const worst = (pick: (one: PhaseHealth) => number) => Math.max(0, ...all.map(pick));
  const bytes = (pick: (one: PhaseHealth) => number | null) =>
    all.some((one) => pick(one) === null) || all.length === 0 ? null : sum(all, (one) => pick(one) ?? 0);
  return {
    ...sums(all, ['cpuUserMs', 'cpuSystemMs', 'gcMs', 'rssBytes', 'generateMs', 'encodeMs', 'inCallsMs']),
    ...sums(all, ['transactionMs', 'pauseMs']),
    eventLoopUtilisation: worst((one) => one.eventLoopUtilisation),
    eventLoopDelayP99Ms: worst((one) => one.eventLoopDelayP99Ms),
    wireSentBytes: bytes((one) => one.wireSentBytes),
    wireReceivedBytes: bytes((one) => one.wireReceivedBytes),
    processTime: sums(
      all.map((one) => one.processTime),
      ['wallMs', 'generateMs', 'encodeMs', 'decodeMs', 'engineMs', 'otherMs', 'waitMs', 'idleMs'],
    ),
    callTime: addCalls(all.map((one) => one.callTime)),
    transactionTime: addCalls(all.map((one) => one.transactionTime)),
    pauses: addPauses(all.map((one) => one.pauses)),
    slowest: sums(
      all.map((one) => one.slowest),
      ['calls', 'ms', 'pausedMs', 'delayedByPauses', 'pauses'],
    ),
  };
}

/** Call times of several workers as sums; null if one of the workers has none. */
function addCalls(all: readonly (CallTime | null)[]): CallTime | null {
  const seen = all.filter((one) => one !== null);
  return seen.length === 0 || seen.length < all.length
    ? null
    : sums(seen, ['calls', 'seen', 'sendMs', 'waitMs', 'receiveMs', 'gapMs', 'roundTrips']);
}

/** The sums of these members. */
function sums<K extends string>(
  all: readonly { readonly [N in K]: number }[],
  names: readonly K[],
): { readonly [N in K]: number } {
  const totals = names.map((name) => [name, sum(all, (one) => one[name])]);
  return Object.fromEntries(totals) as { readonly [N in K]: number };
}

/**
 * The time in ms by which rates are divided; 0 without calls. If the clock ended closed loops, it is the mean over all
 * lanes. Otherwise it is the wall time from the first start to the last end over all workers.
 */
export function elapsedMs(results: readonly WorkerResult[]): number {
  const lines = linesOf(results);
  if (lines !== null) return lines.ms / lines.count;
  const { starts, ends } = spans(results);
  return starts.length === 0 ? 0 : milliseconds(largest(ends) - smallest(starts));
}

/**
 * The part of {@link elapsedMs} in which not all workers were working. A mean over lanes needs no correction for
 * different ends.
 */
export function apartMs(results: readonly WorkerResult[]): number {
  const { starts, ends } = spans(results);
  if (starts.length === 0) return 0;
  const apartAtEnd = linesOf(results) === null ? largest(ends) - smallest(ends) : 0n;
  return Math.min(milliseconds(largest(starts) - smallest(starts) + apartAtEnd), elapsedMs(results));
}

/** Null if the clock did not end closed loops of all workers that made calls. */
function linesOf(results: readonly WorkerResult[]): PhaseLines | null {
  const called = busy(results);
  const lines = called.flatMap((one) => one.lines ?? []);
  return lines.length === 0 || lines.length < called.length ? null : sums(lines, ['count', 'ms']);
}

const busy = (results: readonly WorkerResult[]) =>
  results.filter(({ totals }) => totals.calls > 0 || totals.failed !== null);

function spans(results: readonly WorkerResult[]): {
  readonly starts: readonly bigint[];
  readonly ends: readonly bigint[];
} {
  const called = busy(results);
  return { starts: called.map((one) => BigInt(one.firstStartNs)), ends: called.map((one) => BigInt(one.lastEndNs)) };
}

const smallest = (all: readonly bigint[]): bigint => all.reduce((a, b) => (a < b ? a : b));
const largest = (all: readonly bigint[]): bigint => all.reduce((a, b) => (a > b ? a : b));
const milliseconds = (ns: bigint): number => Number(ns) / 1e6;

/** Adds checksums. A column that one side cannot provide is null in the sum. */
export function addChecksums(a: TableChecksum, b: TableChecksum): TableChecksum {
  return {
    rows: a.rows + b.rows,
    columns: a.columns.map((one, index) => {
      const other = b.columns[index] ?? null;
      return one === null || other === null ? null : String(BigInt(one) + BigInt(other));
    }),
  };
}

const sum = <T>(all: readonly T[], pick: (one: T) => number) => all.reduce((total, one) => total + pick(one), 0);

export const noCalls = mergeCounts([]);
export const noHealth = mergeHealth([]);

/** The result of a trial that never ran. */
export const emptyResult: Omit<TrialResult, 'number' | 'repeat' | 'variant' | 'target' | 'status' | 'error'> = {
  elapsedMs: 0,
  apartMs: 0,
  totals: noCalls,
  health: noHealth,
  workers: 0,
  verification: { outcome: 'skipped', expectedRows: null, foundRows: null, note: 'The trial did not run.' },
  littleError: null,
  clientSaturated: false,
  storedBytes: null,
  probeDelta: {},
  phaseMs: {},
};
