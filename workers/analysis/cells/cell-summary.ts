import { defaultSettings } from '#model/settings/settings.ts';
import { givenUpOf, latencyText } from '#planning/rates/load-rates.ts';
import { isTimed, judgedPart, throughputOf } from '#planning/rates/trial-rate.ts';
import { variantOf } from '#planning/variant-of.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import { latencySummary, mergeEncoded } from '#stats/histogram/percentiles.ts';
import { positiveMeanInterval } from '#stats/intervals/intervals.ts';
import { median } from '#stats/intervals/summary.ts';
import { findOutliers } from '#stats/series/outliers.ts';
import { busyMs } from '../client/busy-time.ts';
import { callMeans, clientShares } from '../client/client-time.ts';
import { connectingMs } from '../client/connecting-time.ts';
import type { CellSummary, Medium } from '../run-model/run-model.ts';
import { buildCostOf } from './build-cost.ts';
import { commitSummary } from './commit-latency.ts';
import { connectingSummary } from './connecting.ts';
import { indexCostsOf } from './index-costs.ts';
import { loadSummary } from './load-summary.ts';
import { networkSummary, roundTripSummary } from './network.ts';
import { pageUseOf } from './page-use.ts';
import { statementSummaries } from './statement-summary.ts';
import { tableLoadsOf } from './table-loads.ts';
import { cellVerification } from './verified.ts';

/** Summarises a cell over its repeats. Only trials with status ok count; the others are counted as failed. */
export function summariseCell(
  cell: Cell,
  plan: Plan,
  results: readonly TrialResult[],
  inProcess: boolean,
): CellSummary {
  const ok = results.filter((result) => result.status === 'ok');
  const timed = ok.filter(isTimed);
  const settings = variantOf(plan, cell.variant)?.settings ?? defaultSettings;
  // Calls that are reported one by one have no mean: Dyno reads the server's counters between them.
  const alike = ok.filter(({ perCall }) => perCall === undefined);
  const merged = mergeEncoded(alike.map(({ totals }) => latencyText(totals)));
  return {
    variant: cell.variant,
    target: cell.target,
    rowsPerSecond: positiveMeanInterval(timed.map(throughputOf)),
    bytesPerSecond: bytesPerSecond(timed),
    callsPerSecond: positiveMeanInterval(timed.map(judgedPart).map(({ calls, ms }) => (calls * 1_000) / ms)),
    elapsedMs: positiveMeanInterval(timed.map((result) => judgedPart(result).ms)),
    latencyMs: latencySummary(
      merged,
      alike.reduce((sum, { totals }) => sum + givenUpOf(totals), 0),
    ),
    histogram: merged?.encode() ?? null,
    load: loadSummary(ok, settings, plan.measure.seconds, inProcess),
    commits: commitSummary(ok),
    connecting: connectingSummary(ok),
    outliers: outliersOf(timed),
    ...(alike.some(({ statements }) => statements) && { statements: statementSummaries(alike) }),
    ok: ok.length,
    failed: results.length - ok.length,
    firstError: results.find((result) => result.error !== null)?.error ?? null,
    clientShare: shareOfTime(cell, plan, alike, inProcess),
    clientTime: clientShares(alike.map(({ health }) => health.processTime)),
    call: callMeans(alike.map(({ health }) => health.callTime)),
    transaction: callMeans(alike.map(({ health }) => health.transactionTime)),
    conflicts: conflictsOf(cell, plan, ok),
    clientSaturated: ok.some((result) => result.clientSaturated),
    roundTrip: roundTripSummary(ok),
    network: networkSummary(ok.map((result) => result.network)),
    verification: cellVerification(results),
    storedBytesPerRow: storedBytesPerRow(cell, plan, ok),
    buildCost: buildCostOf(timed),
    indexCosts: indexCostsOf(ok),
    pageUse: pageUseOf(ok),
    tableLoads: tableLoadsOf(ok),
    // The rows and the answers of these calls are compared with the other cells (journal/cell-cache.ts).
    rowProblems: [],
    otherAnswers: [],
    sampledAnswers: [],
  };
}

/** The throughput in bytes of values; null unless all repeats know the bytes of a row. */
function bytesPerSecond(timed: readonly TrialResult[]): CellSummary['bytesPerSecond'] {
  const rates = timed.flatMap((result) =>
    result.valueBytes && judgedPart(result).rows > 0
      ? [(throughputOf(result) * result.valueBytes.bytes) / result.valueBytes.rows]
      : [],
  );
  return rates.length < timed.length ? null : positiveMeanInterval(rates);
}

/**
 * Mean over all repeats. Null after deletes, which leave free space in the table, and if memory and disk would be added
 * up.
 */
function storedBytesPerRow(cell: Cell, plan: Plan, ok: readonly TrialResult[]): CellSummary['storedBytesPerRow'] {
  if (variantOf(plan, cell.variant)?.settings.operation === 'delete') return null;
  const total = { rows: 0, table: 0, index: 0 };
  const media = new Set<Medium>();
  for (const { storedBytes, verification } of ok) {
    if (storedBytes === null || verification.foundRows === null) continue;
    media.add(storedBytes.medium ?? 'disk');
    total.rows += verification.foundRows;
    total.table += storedBytes.tableBytes;
    total.index += storedBytes.indexBytes;
  }
  const [medium, ...others] = media;
  if (total.rows === 0 || medium === undefined || others.length > 0) return null;
  return { table: total.table / total.rows, index: total.index / total.rows, medium };
}

/**
 * One in five cells of five good repeats has a score beyond the limit by chance. So a repeat is marked only if it is
 * also this far from the median.
 */
const leastOutlying = 0.1;

function outliersOf(timed: readonly TrialResult[]): CellSummary['outliers'] {
  const rates = timed.map(throughputOf);
  const middle = median(rates);
  const far = findOutliers(rates).filter(({ value }) => Math.abs(value / middle - 1) >= leastOutlying);
  return far.map(({ at, value, score }) => {
    const { number, repeat } = timed[at]!;
    return { trial: number, repeat, value, score };
  });
}

/**
 * The client's time by activity, as shares of connections × elapsed time. For an engine inside the client process,
 * whose connections take turns, the whole is processes × elapsed time; if work is not always there, it is the time with
 * work to do. Pipelined calls overlap, so the time in calls can exceed the whole; then the whole is the sum of the
 * parts.
 */
function shareOfTime(
  cell: Cell,
  plan: Plan,
  ok: readonly TrialResult[],
  inProcess: boolean,
): CellSummary['clientShare'] {
  const connections = variantOf(plan, cell.variant)?.settings.connections ?? 1;
  const total = { elapsed: 0, generate: 0, encode: 0, inCalls: 0, connecting: 0, paused: 0 };
  for (const { elapsedMs, health, workers, totals } of ok) {
    // The time in which a connection waits for work to arrive is not counted as the client's.
    total.elapsed += totals.load ? 0 : elapsedMs * (inProcess ? workers : connections);
    total.generate += health.generateMs;
    total.encode += health.encodeMs;
    total.inCalls += health.inCallsMs + health.transactionMs;
    total.connecting += connectingMs(totals);
    total.paused += health.pauseMs;
  }
  const parts = total.generate + total.encode + total.inCalls + total.connecting + total.paused;
  const whole = Math.max(total.elapsed, parts);
  if (whole <= 0) return null;
  return {
    generate: total.generate / whole,
    encode: total.encode / whole,
    inCalls: total.inCalls / whole,
    connecting: total.connecting / whole,
    paused: total.paused / whole,
    other: (whole - parts) / whole,
  };
}

function conflictsOf(cell: Cell, plan: Plan, ok: readonly TrialResult[]): CellSummary['conflicts'] {
  const connections = variantOf(plan, cell.variant)?.settings.connections ?? 1;
  const total = { retries: 0, gaveUp: 0, lostMs: 0, commits: 0, userMs: 0 };
  for (const result of ok) {
    const { totals } = result;
    total.retries += totals.retries;
    total.gaveUp += totals.gaveUp;
    total.lostMs += totals.lostMs;
    total.commits += totals.commits;
    total.userMs += busyMs(result) * connections;
  }
  const { retries, gaveUp, lostMs, commits, userMs } = total;
  if (lostMs <= 0 || userMs <= 0) return null;
  return {
    retries,
    gaveUp,
    retriesPer100Commits: commits === 0 ? null : (100 * retries) / commits,
    // The last pauses may reach beyond the last call.
    lostShare: Math.min(1, lostMs / userMs),
  };
}
