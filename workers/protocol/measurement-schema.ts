import * as v from 'valibot';
import { errorKinds } from '#model/error.ts';
import { phases } from './measurement.ts';
import { amount, errorSchema, finite, moment, ms, ordinal, share, signedMs, texts, whole } from './read-values.ts';

/** The schemas of measurement.ts: the minimum for analysis to count, divide and draw a run file's values. */

/** The decoder of histograms checks the text. */
const histogram = v.string();

const loadCounts = v.object({
  arrivals: whole,
  ended: whole,
  failed: whole,
  afterwards: whole,
  unfinished: whole,
  responseMs: ms,
  thinkMs: ms,
  waiting: whole,
  response: histogram,
  startError: histogram,
  wait: histogram,
});

const errors = v.record(v.picklist(errorKinds), whole);

const callCounts = v.object({
  calls: whole,
  rows: whole,
  commits: whole,
  errors,
  retries: v.exactOptional(whole),
  gaveUp: v.exactOptional(whole),
  lostMs: v.exactOptional(ms),
  service: histogram,
  failed: v.nullable(histogram),
  commit: v.exactOptional(v.nullable(histogram)),
  load: v.exactOptional(loadCounts),
});

const callTime = v.object({
  calls: whole,
  seen: whole,
  sendMs: ms,
  waitMs: ms,
  receiveMs: ms,
  roundTrips: amount,
});

const clientHealth = v.object({
  cpuUserMs: ms,
  cpuSystemMs: ms,
  eventLoopUtilisation: share,
  eventLoopDelayP99Ms: ms,
  gcMs: ms,
  rssBytes: amount,
  generateMs: ms,
  encodeMs: ms,
  inCallsMs: ms,
  transactionMs: v.exactOptional(ms),
  pauseMs: v.exactOptional(ms),
  lateMs: v.exactOptional(ms),
  wireSentBytes: v.nullable(amount),
  wireReceivedBytes: v.nullable(amount),
  processTime: v.exactOptional(
    v.object({
      wallMs: ms,
      generateMs: ms,
      encodeMs: ms,
      decodeMs: ms,
      engineMs: ms,
      // The rest of the wall time, which another clock has measured: rounding can make it negative.
      otherMs: signedMs,
      waitMs: ms,
      idleMs: ms,
    }),
  ),
  callTime: v.exactOptional(v.nullable(callTime)),
  transactionTime: v.exactOptional(v.nullable(callTime)),
  pauses: v.exactOptional(
    v.object({ gcPauses: whole, gcLongestMs: ms, loopLongestMs: ms, noProcessorMs: v.nullable(ms) }),
  ),
  slowest: v.exactOptional(v.object({ calls: whole, ms, pausedMs: ms, heldUp: whole, pauses: whole })),
});

/**
 * A limit above any trial's (measure.timeoutSeconds), in ms: it limits the points of charts with one point per second.
 */
const withinTrialMs = v.pipe(ms, v.maxValue(2 * 604_800_000));

/** The schema of Snapshot (measurement.ts). */
export const snapshotSchema = v.object({
  worker: whole,
  atMs: withinTrialMs,
  lengthMs: withinTrialMs,
  counts: callCounts,
  health: clientHealth,
});

const serverEvent = v.object({
  kind: v.string(),
  agoMs: signedMs,
  durationMs: ms,
  bytes: v.nullable(amount),
  sum: v.exactOptional(v.object({ count: whole, totalMs: ms, spanMs: ms })),
});

/** The time of a probe since the start of the measured phase, ms. */
export const probeAtMs = withinTrialMs;
/** The schema of ProbeSample (engine-api/probe.ts). */
export const probeSampleSchema = v.object({
  counters: v.record(v.string(), finite),
  gauges: v.record(v.string(), finite),
  events: v.exactOptional(v.array(serverEvent)),
  unavailable: v.array(v.string()),
  optional: v.exactOptional(v.array(v.string())),
});

const shownRows = v.pipe(
  v.object({
    columns: v.array(v.string()),
    rows: v.array(v.array(v.nullable(v.string()))),
    count: v.nullable(whole),
  }),
  v.check(
    ({ columns, rows }) => rows.every((row) => row.length === columns.length),
    'a row has another number of columns',
  ),
);

const statementCounts = v.object({
  name: v.string(),
  kind: v.picklist(['statement', 'transaction', 'scenario']),
  calls: whole,
  rows: whole,
  errors,
  service: histogram,
  failed: v.nullable(histogram),
  uncounted: v.exactOptional(whole),
});

/** The schema of PlannedTrial (plan.ts). */
export const plannedTrialSchema = v.object({
  variant: v.string(),
  target: v.string(),
  number: ordinal,
  repeat: ordinal,
});

/** The schema of TrialResult (measurement.ts). */
export const trialResultSchema = v.object({
  ...plannedTrialSchema.entries,
  status: v.picklist(['ok', 'failed', 'cancelled', 'didNotFinish', 'cannot']),
  error: v.nullable(errorSchema),
  elapsedMs: ms,
  apartMs: v.exactOptional(ms),
  totals: callCounts,
  health: clientHealth,
  workers: whole,
  verification: v.object({
    outcome: v.picklist(['match', 'mismatch', 'countOnly', 'notPossible', 'skipped']),
    expectedRows: v.nullable(whole),
    foundRows: v.nullable(whole),
    note: v.string(),
  }),
  checks: v.exactOptional(v.array(v.object({ name: v.string(), found: v.nullable(shownRows) }))),
  littleError: v.nullable(finite),
  clientSaturated: v.boolean(),
  network: v.exactOptional(
    v.object({ intended: histogram, added: histogram, sentBytes: amount, receivedBytes: amount, utilisation: share }),
  ),
  storedBytes: v.nullable(
    v.object({ tableBytes: amount, indexBytes: amount, medium: v.exactOptional(v.picklist(['disk', 'memory'])) }),
  ),
  untrustedForeignKeys: v.exactOptional(whole),
  builds: v.exactOptional(v.array(v.object({ part: v.string(), ms, counted: v.boolean() }))),
  probeDelta: v.record(v.string(), finite),
  phaseMs: v.record(v.picklist(phases), ms),
  perCall: v.exactOptional(
    v.array(v.object({ ms: v.nullable(ms), rows: whole, probeDelta: v.record(v.string(), finite) })),
  ),
  statements: v.exactOptional(v.array(statementCounts)),
  stages: v.exactOptional(v.array(loadCounts)),
});

/** The schema of CalibrationEntry (measurement.ts). */
export const calibrationSchema = v.object({
  kind: v.picklist(['noopEngine', 'generation', 'roundTrip']),
  target: v.nullable(v.string()),
  label: v.string(),
  perSecond: amount,
  unit: v.picklist(['calls', 'rows']),
  p50Us: v.nullable(amount),
  p99Us: v.nullable(amount),
  measuredAt: moment,
});

/** The schema of Environment (journal.ts). */
export const environmentSchema = v.object({
  app: v.string(),
  runtime: texts,
  drivers: texts,
  os: v.string(),
  cpu: v.string(),
  cores: whole,
  memoryBytes: amount,
});
