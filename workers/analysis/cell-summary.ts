import type { TrialResult } from '#contract/measurement.ts';
import type { Cell, Plan } from '#contract/plan.ts';
import { variantOf } from '#contract/variant-of.ts';
import { Histogram } from '#stats/histogram.ts';
import { meanInterval } from '#stats/intervals.ts';
import type { CellSummary, Interval } from './model.ts';
import { latencySummary, mergeEncoded } from './percentiles.ts';
import { cellVerification } from './verified.ts';

/** The rate that a cell is judged by: rows per second, or calls per second where no rows move. */
export const throughputOf = ({ totals, elapsedMs }: TrialResult): number =>
  ((totals.rows > 0 ? totals.rows : totals.calls) * 1_000) / elapsedMs;

/** Sums a cell up over its repeats. Only trials with status ok count; the others are counted as failed. */
export function summariseCell(
  cell: Cell,
  plan: Plan,
  results: readonly TrialResult[],
  inProcess: boolean,
): CellSummary {
  const ok = results.filter((result) => result.status === 'ok');
  const timed = ok.filter((result) => result.elapsedMs > 0);
  const merged = mergeEncoded(ok.map((result) => result.totals.service));
  return {
    variant: cell.variant,
    target: cell.target,
    rowsPerSecond: rateInterval(timed.map(throughputOf)),
    callsPerSecond: rateInterval(timed.map(({ totals, elapsedMs }) => (totals.calls * 1_000) / elapsedMs)),
    elapsedMs: rateInterval(timed.map((result) => result.elapsedMs)),
    latencyMs: latencySummary(merged ?? new Histogram()),
    histogram: merged?.encode() ?? null,
    ok: ok.length,
    failed: results.length - ok.length,
    firstError: results.find((result) => result.error !== null)?.error ?? null,
    clientShare: shareOfTime(cell, plan, ok, inProcess),
    clientSaturated: ok.some((result) => result.clientSaturated),
    verification: cellVerification(results),
    storedBytesPerRow: storedBytesPerRow(cell, plan, ok),
  };
}

/** Over all repeats. Not after deletes, where most of the table is room for rows that are gone. */
function storedBytesPerRow(cell: Cell, plan: Plan, ok: readonly TrialResult[]): CellSummary['storedBytesPerRow'] {
  if (variantOf(plan, cell.variant)?.settings.operation === 'delete') return null;
  const total = { rows: 0, table: 0, index: 0 };
  for (const { storedBytes, verification } of ok) {
    if (storedBytes === null || verification.foundRows === null) continue;
    total.rows += verification.foundRows;
    total.table += storedBytes.tableBytes;
    total.index += storedBytes.indexBytes;
  }
  return total.rows === 0 ? null : { table: total.table / total.rows, index: total.index / total.rows };
}

/** Student's interval, cut at zero: with two noisy repeats it reaches below, where no rate can be. */
function rateInterval(values: readonly number[]): Interval | null {
  const interval = meanInterval(values);
  return interval === null || interval.low === null ? interval : { ...interval, low: Math.max(0, interval.low) };
}

/**
 * Where the client's time went, as shares of connections × elapsed time — of processes × elapsed time for an engine inside the client
 * process, where connections take turns. Pipelined calls overlap, so that the time in calls can exceed it; the whole is then the
 * sum of the parts.
 */
function shareOfTime(
  cell: Cell,
  plan: Plan,
  ok: readonly TrialResult[],
  inProcess: boolean,
): CellSummary['clientShare'] {
  const connections = variantOf(plan, cell.variant)?.settings.connections ?? 1;
  const total = { elapsed: 0, generate: 0, encode: 0, inCalls: 0 };
  for (const { elapsedMs, health, workers } of ok) {
    total.elapsed += elapsedMs * (inProcess ? workers : connections);
    total.generate += health.generateMs;
    total.encode += health.encodeMs;
    total.inCalls += health.inCallsMs + (health.transactionMs ?? 0);
  }
  const parts = total.generate + total.encode + total.inCalls;
  const whole = Math.max(total.elapsed, parts);
  if (whole <= 0) return null;
  return {
    generate: total.generate / whole,
    encode: total.encode / whole,
    inCalls: total.inCalls / whole,
    other: (whole - parts) / whole,
  };
}
