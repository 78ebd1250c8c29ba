import * as v from 'valibot';
import { errorKinds } from '#model/error.ts';
import { tunnelKinds } from '#model/tunnel.ts';
import { amount, errorSchema, finite, moment, ms, ordinal, type Read, share, signedMs, whole } from './read-values.ts';

/**
 * Measured values, each as a schema and the type of what the schema reads. A schema requires no more than analysis
 * needs to count, divide and draw the values of a run file.
 */

/** The phases of a trial, in order. */
export const phases = [
  'schema',
  'load',
  'build',
  'settle',
  'emptyCache',
  'prepare',
  'warmup',
  'measure',
  'drain',
  'verify',
] as const;
/** One phase of a trial. */
export type Phase = (typeof phases)[number];

/** An encoded histogram (stats/histogram.ts), in ns; its decoder checks the text. */
const histogram = v.string();

const statementKind = v.picklist(['statement', 'transaction', 'scenario']);

const loadCounts = v.object({
  /** Intended starts within the interval: the offered load. */
  arrivals: whole,
  /** Units that ended, and those of them that failed. */
  ended: whole,
  failed: whole,
  /** Units that ended after the last arrival: the drained backlog. */
  afterwards: whole,
  /** Units that had arrived and not ended when the drain was over. */
  unfinished: whole,
  /** Sums over ended units, and over the pauses between them, ms. */
  responseMs: ms,
  thinkMs: ms,
  /** Units that wait for a connection, at the end of the interval. */
  waiting: whole,
  /** Response time of units that succeeded: intended start → end. */
  response: histogram,
  /** The response times of the same units without the start error: actual start → end. */
  sinceStart: histogram,
  /** The time from the intended start until the generator handled the unit: the generator's own delay. */
  startError: histogram,
  /** The time from the intended start until a connection took the unit. */
  wait: histogram,
});
/**
 * Units of work — calls that commit by themselves, or transactions with their repeated attempts — timed from their
 * intended start: the arrival, or the end of the user's think time.
 */
export type LoadCounts = Read<typeof loadCounts>;

const errors = v.record(v.picklist(errorKinds), whole);

const connecting = v.object({
  /** The time of each successful opening: TCP, TLS, the login and the settings of the session. */
  opened: histogram,
  /** Attempts that failed. */
  failed: whole,
  /**
   * Sums over all attempts, ms: ending the session before, opening the new one, and preparing its statements as far as
   * the driver does it before the first call.
   */
  endMs: ms,
  openMs: ms,
  prepareMs: ms,
});
/** Sessions that were ended and opened anew after Settings.callsPerConnection calls. */
export type ConnectCounts = Read<typeof connecting>;

const callCounts = v.object({
  calls: whole,
  rows: whole,
  commits: whole,
  errors,
  /**
   * Attempts that were repeated after a write conflict (isWriteConflict), and units of work — a call that commits by
   * itself, or a transaction — given up after Settings.maxAttempts.
   */
  retries: whole,
  gaveUp: whole,
  /**
   * Connections' time in attempts that a write conflict undid, in ms, from begin (or the start of the call) to the end
   * of the pause after the attempt: earlier calls of the transaction and the rollback are part of it. A call in a
   * pipeline counts 1 / depth of its connection's time.
   */
  lostMs: ms,
  /** Service times of successful calls, and of failed ones. */
  service: histogram,
  failed: v.nullable(histogram),
  /**
   * Successful commits of several calls together, from COMMIT to its answer; null: there were none (the time of a call
   * that commits by itself includes its commit).
   */
  commit: v.nullable(histogram),
  /** Absent for a closed loop on each connection. */
  load: v.exactOptional(loadCounts),
  /** Absent: no connection was to be opened anew. */
  connecting: v.exactOptional(connecting),
});
/** Calls of one interval or one phase. Latencies are service times (start → end) unless stated otherwise. */
export type CallCounts = Read<typeof callCounts>;

const processTime = v.object({
  wallMs: ms,
  /** Generating rows, within the phase. */
  generateMs: ms,
  /** Encoding rows as driver arguments, and the driver's work from the start of a call until the socket has it all. */
  encodeMs: ms,
  /**
   * The time from bytes that arrive on a socket to the call's answer, or the event loop's next task: parsing, row
   * objects.
   */
  decodeMs: ms,
  /** Inside the calls, begins, commits and rollbacks of an engine that works in the client process. */
  engineMs: ms,
  /**
   * The time of all other tasks of the event loop: counting, timers, reading sockets, decrypting. It is the rest of the
   * wall time, which another clock has measured, so that rounding can make it negative.
   */
  otherMs: signedMs,
  /** The event loop is idle while a call is pending: network and server. */
  waitMs: ms,
  /** The event loop is idle and no call is pending: pauses before retries, the end of a phase. */
  idleMs: ms,
});
/**
 * Time of a client process by activity, in ms; the other parts add up to wallMs. A wait for a processor, or a garbage
 * collection, lengthens the part in which it occurs.
 */
export type ProcessTime = Read<typeof processTime>;

const callTime = v.object({
  /** Counted calls, failed ones included; and the sampled ones among them. */
  calls: whole,
  seen: whole,
  /**
   * The time from the start until the socket has the request; the system may still have to send a part of a large one.
   */
  sendMs: ms,
  /** The time until the first byte of the answer is read: network and server. */
  waitMs: ms,
  /**
   * The time from the first byte until the answer is complete and decoded; includes the server's work after its first
   * message (to COPY, for example, that it is ready).
   */
  receiveMs: ms,
  /**
   * The part of receiveMs in which nothing arrived: of each call the longest time between two reads of an answer. 0 for
   * calls in a pipeline, whose reads belong to several calls.
   */
  gapMs: ms,
  /** Number of answers that began after a request; less than one per call where several calls are sent together. */
  roundTrips: amount,
});
/**
 * Time of calls by activity, ms: sums over all calls, estimated from a sample. A call with several round trips counts
 * the sum of them; in a pipeline, `waitMs` includes the wait for calls sent before.
 */
export type CallTime = Read<typeof callTime>;

const pauses = v.object({
  /** Number of pauses for garbage collection, and the longest of them, ms. */
  gcPauses: whole,
  gcLongestMs: ms,
  /** The longest time in which the event loop ran nothing else; with an engine inside the process maybe one call. */
  loopLongestMs: ms,
  /** Time in which the main thread was ready to run and had no processor; null: only Linux reports it. */
  noProcessorMs: v.nullable(ms),
});
/** Delays of a client process: calls that are pending meanwhile look slow although the server is not slow. */
export type Pauses = Read<typeof pauses>;

const slowestCalls = v.object({
  calls: whole,
  /** Sums over these calls: their time, and the part of it within pauses. */
  ms,
  pausedMs: ms,
  /** Calls that spent most of their time in pauses for garbage collection, and the number of these pauses. */
  delayedByPauses: whole,
  pauses: whole,
});
/**
 * The slowest 1 % of each process' calls (at most its 10,000 slowest) that garbage collections delayed. With a
 * LoadCounts load: units of work, from their intended start.
 */
export type SlowestCalls = Read<typeof slowestCalls>;

const clientHealth = v.object({
  cpuUserMs: ms,
  cpuSystemMs: ms,
  /** 0…1, event-loop utilisation. */
  eventLoopUtilisation: share,
  eventLoopDelayP99Ms: ms,
  gcMs: ms,
  rssBytes: amount,
  /** Generating rows and encoding them as driver arguments, within the phase. */
  generateMs: ms,
  encodeMs: ms,
  /** Sum over virtual users of the time inside run(), of the calls that count. */
  inCallsMs: ms,
  /** Sum over virtual users of the time inside begin, commit and rollback: with inCallsMs, all time at the server. */
  transactionMs: ms,
  /** Sum over virtual users of the pauses before repeated attempts. */
  pauseMs: ms,
  wireSentBytes: v.nullable(amount),
  wireReceivedBytes: v.nullable(amount),
  /** The parts of the process's own time. */
  processTime,
  /**
   * The parts of the time of calls, and of begin, commit and rollback, as observed at their session's socket. Null
   * where no socket shows it: the engine works inside the client process, or sessions share a socket.
   */
  callTime: v.nullable(callTime),
  transactionTime: v.nullable(callTime),
  pauses,
});
/** The client's own state over an interval. Times in ms unless named otherwise. */
export type ClientHealth = Read<typeof clientHealth>;

const phaseHealth = v.object({
  ...clientHealth.entries,
  slowest: slowestCalls,
});
/** The client's own state over the whole measured phase. */
export type PhaseHealth = Read<typeof phaseHealth>;

/** ms since the start of the measured phase: below a limit that is above any trial's (measure.timeoutSeconds). */
export const withinTrialMs = v.pipe(ms, v.maxValue(2 * 604_800_000));

const statementLatencies = v.object({
  name: v.string(),
  kind: statementKind,
  /** Service times of the interval. */
  service: histogram,
});
/** Service times of one statement, or of one transaction or scenario, in an interval. */
export type StatementLatencies = Read<typeof statementLatencies>;

/** The schema of Snapshot. */
export const snapshotSchema = v.object({
  worker: whole,
  /** End of the interval, ms since the measured phase began; and its length. */
  atMs: withinTrialMs,
  lengthMs: withinTrialMs,
  counts: callCounts,
  health: clientHealth,
  /** The statements that were called in the interval. Absent: none, or the work has a single one. */
  statements: v.exactOptional(v.array(statementLatencies)),
});
/** One worker's counts of an interval (about one second) of the measured phase. */
export type Snapshot = Read<typeof snapshotSchema>;

/** The schema of ProbeSample (engine-api/probe.ts). */
export const probeSampleSchema = v.object({
  counters: v.record(v.string(), finite),
  gauges: v.record(v.string(), finite),
  events: v.exactOptional(
    v.array(
      v.object({
        kind: v.string(),
        agoMs: signedMs,
        durationMs: ms,
        bytes: v.nullable(amount),
        sum: v.exactOptional(v.object({ count: whole, totalMs: ms, spanMs: ms })),
      }),
    ),
  ),
  foreignLocks: v.exactOptional(v.array(v.object({ holder: v.string(), waiting: whole, heldMs: v.nullable(ms) }))),
  unavailable: v.array(v.string()),
  optional: v.exactOptional(v.array(v.string())),
});

/** The schema of TimedCall. */
export const timedCallSchema = v.object({
  /** Service time; null: it failed. */
  ms: v.nullable(ms),
  rows: whole,
});
/** A call that is reported by itself (measure.until.calls). */
export type TimedCall = Read<typeof timedCallSchema>;

const numberedCall = v.object({
  ...timedCallSchema.entries,
  /** Differences of the server's counters over this call alone; empty: the server reports no counters. */
  probeDelta: v.record(v.string(), finite),
});
/** A call that is reported by itself, with the server's work during it. */
export type NumberedCall = Read<typeof numberedCall>;

const statementCounts = v.object({
  name: v.string(),
  kind: statementKind,
  calls: whole,
  rows: whole,
  errors,
  /**
   * The service times, as in CallCounts. A transaction counts from before its begin until after its commit or rollback;
   * a scenario counts complete passes with their pauses.
   */
  service: histogram,
  /**
   * The response times, from the intended start, of those of the calls that are units of work by themselves. Absent:
   * the load has no intended starts, or none of the calls is a unit.
   */
  response: v.exactOptional(histogram),
  /** The response times of the same calls without the start error, as in LoadCounts. */
  sinceStart: v.exactOptional(histogram),
  failed: v.nullable(histogram),
  /** Calls for which the server did not report the number of rows. Absent: none. */
  uncounted: v.exactOptional(whole),
  /** The spread of the number of rows per call. Absent: the server did not report the number of rows of any call. */
  rowSpread: v.exactOptional(
    v.object({
      /** Calls that returned or changed no row. */
      empty: whole,
      /** Sum of the squares of the rows of each call. */
      squares: finite,
      /** The most rows of one call. */
      most: whole,
    }),
  ),
});
/** The spread of the number of rows per call of a statement. */
export type RowSpread = NonNullable<StatementCounts['rowSpread']>;
/** Calls of one of the experiment's custom statements, or of a transaction of them. `rows`: returned or changed. */
export type StatementCounts = Read<typeof statementCounts>;

const handshakes = v.object({
  /** The shortest TCP handshake, from the first packet to the answer of the other side's system. Null: none was TCP. */
  shortestMs: v.nullable(ms),
  /** Every connection ends on this machine: at the server, or at a proxy or tunnel before it. */
  sameMachine: v.boolean(),
});
/** The TCP handshakes of the connections of client processes. */
export type Handshakes = Read<typeof handshakes>;

/** The time of a round trip to the server beside a trial. */
const roundTrip = v.object({
  /**
   * Median time of the cheapest statement over the control connection, right before the trial's sessions were opened.
   */
  cheapestMs: ms,
  /** Handshakes of the trial's own sessions; null: no socket was seen, or they ended at a tunnel. */
  handshakes: v.nullable(handshakes),
  /** The tunnel of all connections; its cost is part of every round trip. Absent: none. */
  tunnel: v.exactOptional(v.picklist(tunnelKinds)),
});

/** A moment by process.hrtime of the machine that runs Dyno, ns as decimal text of a bigint. */
const monotonicNs = v.pipe(v.string(), v.regex(/^-?\d{1,20}$/, 'is no time'));

const phaseLines = v.object({
  count: whole,
  /** Sum of the times of all lines, each from the worker's first start to the end of the line's last call or commit. */
  ms,
});
/**
 * The lines of calls of a worker whose closed loops the clock ended: a line for each connection, or for each call in
 * flight of a pipeline. Calls that are under way at the deadline end at different times, so rates divide by the mean of
 * these times.
 */
export type PhaseLines = Read<typeof phaseLines>;

/** The schema of TableChecksum (model/batch/batch.ts). */
const tableChecksumSchema = v.object({
  rows: whole,
  columns: v.array(v.nullable(v.pipe(v.string(), v.regex(/^-?\d{1,60}$/)))),
});

/** The schema of LoadedRows. */
export const loadedRowsSchema = v.object({ checksum: tableChecksumSchema, bytes: whole });
/**
 * The rows that a worker has loaded, as it generated them, and the bytes of their values (runner/rows/value-bytes.ts).
 * The checksums and bytes of several ranges add up to the checksum and bytes of all their rows.
 */
export type LoadedRows = Read<typeof loadedRowsSchema>;

const reportedSettings = v.record(v.string(), v.nullable(v.string()));

const givenDraw = v.object({
  /** Values of the draw, shortened; null is NULL. Values of lists are left out, because they are the user's. */
  parameters: v.array(v.object({ name: v.string(), value: v.nullable(v.string()) })),
  /** The first bytes of a SHA-256 of all values of the draw, in hexadecimal digits. */
  values: v.string(),
  columns: v.array(v.string()),
  /** True for columns whose numbers have no rounding error, and for those without numbers. */
  exact: v.array(v.boolean()),
  count: whole,
  /** The answer has more rows than `count`. */
  hasMore: v.exactOptional(v.literal(true)),
  /** AnswerDigests (model/statements/compare-digests.ts). */
  digests: v.object({ set: v.string(), known: v.string(), order: v.string(), columns: v.array(v.string()) }),
  /** The rows in canonical form (CanonicalRow). Absent: they are too many. */
  rows: v.exactOptional(v.array(v.array(v.string()))),
});
/** The answer to one draw of a statement's parameters. */
export type GivenDraw = Read<typeof givenDraw>;

const givenAnswers = v.object({
  statement: v.string(),
  draws: v.array(givenDraw),
  /** The reason, as a clause, why the answers prove nothing; absent: they do. */
  why: v.exactOptional(v.string()),
});
/** The answers of a statement before the clock, or of sampled calls, which other cells have to give as well. */
export type GivenAnswers = Read<typeof givenAnswers>;

/** The schema of WorkerResult. */
export const workerResultSchema = v.object({
  worker: whole,
  /** Begin of its measured phase. */
  beganNs: monotonicNs,
  /** First start and last end of measured calls. */
  firstStartNs: monotonicNs,
  lastEndNs: monotonicNs,
  /** Absent: rows, calls or a load of its own ended the phase, or nothing was called. */
  lines: v.exactOptional(phaseLines),
  totals: callCounts,
  health: phaseHealth,
  /** The handshakes of all its connections; null: the engine works inside the process. */
  handshakes: v.nullable(handshakes),
  /** Acknowledged rows of warm-up, measure and drain, with their checksum (null: not the client's data). */
  acknowledged: v.nullable(tableChecksumSchema),
  /** The bytes of the values of these rows; absent: the worker did not insert rows that it made. */
  acknowledgedBytes: v.exactOptional(whole),
  /**
   * The values of the sessions' own settings after the login, as the server reports them, and their TLS where a variant
   * chooses it; null: the server does not tell.
   */
  sessionSettings: v.exactOptional(reportedSettings),
  /** Rows in calls with an unknown outcome (failed or cancelled). */
  uncertainRows: whole,
  /** Examples of errors, at most a few per kind. */
  errorExamples: v.array(errorSchema),
  /** Counts of custom statements over the measured phase; absent: there are none. */
  statements: v.exactOptional(v.array(statementCounts)),
  /** Units by the stage in which they were to start; absent: no stages. `waiting`: at the stage's end. */
  stages: v.exactOptional(v.array(loadCounts)),
  /** The answers of sampled calls of the measured phase; absent: this worker samples none. */
  sampledAnswers: v.exactOptional(v.array(givenAnswers)),
});
/** The report of a client worker at the end of its trial. */
export type WorkerResult = Read<typeof workerResultSchema>;

const checkResult = v.object({
  name: v.string(),
  /**
   * The rows that the check found, the first of them with shortened values; the check passes if there are none. Null:
   * not run, because it has no text for the engine.
   */
  found: v.nullable(
    v.pipe(
      v.object({
        columns: v.array(v.string()),
        rows: v.array(v.array(v.nullable(v.string()))),
        count: v.nullable(whole),
        hasMore: v.exactOptional(v.literal(true)),
      }),
      v.check(
        ({ columns, rows }) => rows.every((row) => row.length === columns.length),
        'a row has another number of columns',
      ),
    ),
  ),
});
/** The result of one of the experiment's checks after a trial. */
export type CheckResult = Read<typeof checkResult>;

const answeredRow = v.nullable(v.array(v.nullable(v.string())));

const comparedAnswers = v.object({
  statement: v.string(),
  /** The variant whose text was asked beside the trial's own, with the same values, on the same tables. */
  baseline: v.string(),
  /** cannotTell: a difference proves nothing. notChecked: the answers were not compared. `why` has the reason. */
  outcome: v.picklist(['equal', 'differ', 'cannotTell', 'notChecked']),
  /** Number of draws of the parameters for which both answers came. */
  draws: whole,
  /** The reason, as a clause; absent: equal. */
  why: v.exactOptional(v.string()),
  /** The first draw whose answers differ; absent: none does. */
  difference: v.exactOptional(
    v.object({
      /**
       * Values of the draw, shortened; null is NULL. Values of lists are the user's, and are only kept if the file asks
       * for them.
       */
      parameters: v.array(v.object({ name: v.string(), value: v.nullable(v.string()) })),
      /** The first bytes of a SHA-256 of the rows in canonical form, in hexadecimal digits. */
      digests: v.object({ baseline: v.string(), own: v.string() }),
      /**
       * The first rows that differ, side by side, shortened; null: the answer has no further row. Absent: the rows are
       * not of Dyno's own tables, and the file does not ask for them.
       */
      rows: v.exactOptional(
        v.object({
          columns: v.array(v.string()),
          pairs: v.array(v.object({ baseline: answeredRow, own: answeredRow })),
        }),
      ),
    }),
  ),
});
/** The comparison of a statement's answers with those of the baseline's text, before the clock. */
export type ComparedAnswers = Read<typeof comparedAnswers>;

/** The schema of PlannedTrial (plan.ts). */
export const plannedTrialSchema = v.object({
  variant: v.string(),
  target: v.string(),
  number: ordinal,
  repeat: ordinal,
});

const builtPart = v.object({
  /** "key", or "index on " and its columns. */
  part: v.string(),
  ms,
  /** True if the rows were inserted in the measured phase: throughput includes the time. */
  counted: v.boolean(),
});
/** The key, or an index, created over existing rows (Settings.keyCreation, indexCreation). */
export type BuiltPart = Read<typeof builtPart>;

const tableLoad = v.object({
  /** The table’s name in the file. */
  table: v.string(),
  rows: whole,
  /** The bytes of the values. */
  bytes: whole,
  /** The time from the first request to load rows until the answer to the last one. */
  ms,
});
/** The load of a table that a file fills. */
export type TableLoad = Read<typeof tableLoad>;

const partPages = v.object({
  /** "table", "key", or "index on " and its columns; " of TABLE" where the table is not the dataset's. */
  part: v.string(),
  /** As in PartPages (engine-api/page-use.ts). */
  density: v.nullable(share),
  outOfOrder: v.nullable(share),
  freeBytes: v.nullable(amount),
});
/** The pages of a table or an index at the end of a trial. */
export type PartOfPages = Read<typeof partPages>;

const valueBytes = v.object({ rows: whole, bytes: whole });
/** Rows, and the bytes of their values. */
export type ValueBytes = Read<typeof valueBytes>;

const emulatedNetwork = v.object({
  /**
   * The intended extra delay of each round trip, and the emulator's actual delay from reading to forwarding, both
   * directions together. Sockets and switches between processes add to that. A pipeline is sampled.
   */
  intended: histogram,
  added: histogram,
  sentBytes: amount,
  receivedBytes: amount,
  /** 0…1, event-loop utilisation of its process. */
  utilisation: share,
});
/** The delays of a network emulator over the measured phase (Settings.networkRoundTripMs…), as measured in it. */
export type EmulatedNetwork = Read<typeof emulatedNetwork>;

const verification = v.object({
  outcome: v.picklist(['match', 'mismatch', 'countOnly', 'notPossible', 'skipped']),
  expectedRows: v.nullable(whole),
  foundRows: v.nullable(whole),
  /** The compared content, or the reason why nothing was compared, as a sentence. */
  note: v.string(),
});
/** The comparison of the stored rows with the acknowledged ones, after a trial. */
export type Verification = Read<typeof verification>;

const machineUse = v.object({
  /** Between the two readings, right around the measured phase. */
  wallMs: ms,
  cores: whole,
  /** Processor time that anything used, over all cores. */
  busyMs: ms,
  /** Processor time that the hypervisor gave to others although this machine wanted it; null: only Linux reports it. */
  stealMs: v.nullable(ms),
  /** Time in which some process waited for a processor (Linux' pressure stall information); null: not reported. */
  pressureMs: v.nullable(ms),
  /**
   * Processor time that a limit (cpu.max) kept from Dyno's processes: the largest loss among their control group and
   * its parents. Null: not reported.
   */
  throttledMs: v.nullable(ms),
  /** The lowest limit among these control groups, in cores; null: none, or not reported. */
  limitCores: v.nullable(amount),
  /** The mean over all cores and seconds, MHz; null: the system does not measure it, or it took no second. */
  frequencyMhz: v.nullable(amount),
  /**
   * The time of a fixed calculation that needs nothing but a processor, µs: the mean of right before and right after
   * the measured phase.
   */
  calculationUs: amount,
  /** Processor time of Dyno's own processes, and of the managed servers that it holds; null: only Linux reports it. */
  dynoMs: v.nullable(ms),
  managedServersMs: v.nullable(ms),
  /**
   * The other programs that used processors most, by their names, the most first: a server of the user's on this
   * machine is one of them. Processes that began and ended in between are missing. Null: only Linux reports it.
   */
  others: v.nullable(v.array(v.object({ name: v.string(), processes: whole, pid: whole, cpuMs: ms }))),
});
/** The use of the client's machine while a trial measured. `pid`: of the process of each program that used the most. */
export type MachineUse = Read<typeof machineUse>;

/** The schema of {@link LoadHostSample}. */
export const loadHostSampleSchema = v.object({
  name: v.string(),
  /** Number of its first worker; the others follow. */
  firstWorker: whole,
  workers: ordinal,
  cores: ordinal,
  /** Share of the time of all its processors that anything used since the sample before. Null: not known. */
  processorsBusy: v.nullable(share),
  /** The most that its clock can be off, and its shortest round trip. Null: the clock is the coordinator's own. */
  clockErrorMs: v.nullable(ms),
  roundTripMs: v.nullable(ms),
});
/** A load host at a moment of the measured phase. */
export type LoadHostSample = Read<typeof loadHostSampleSchema>;

const loadHostUse = v.object({
  name: v.string(),
  /** Number of its first worker; the others follow. */
  firstWorker: whole,
  workers: ordinal,
  connections: ordinal,
  /** The time from the first begin of any worker until the last begin of a worker on this host, by compared clocks. */
  beganAfterMs: ms,
  /**
   * The most that its clock can be off: half the shortest round trip to its agent and the drift since. Null: the clock
   * is the coordinator's own.
   */
  clockErrorMs: v.nullable(ms),
  roundTripMs: v.nullable(ms),
  /**
   * The host's wall clock minus the coordinator's; no measurement depends on it. Null: the clock is the coordinator's
   * own.
   */
  wallClockOffMs: v.nullable(signedMs),
  cores: ordinal,
  /** Share of the time of all its processors that anything used over the measured phase. Null: not known. */
  processorsBusy: v.nullable(share),
  /** 0…1, of its busiest worker. */
  eventLoopUtilisation: share,
  /** A process of its own was the limit (TrialResult.clientSaturated). */
  clientSaturated: v.boolean(),
  calls: whole,
  /** Mean service time of its successful calls; null: there were none. */
  meanServiceMs: v.nullable(ms),
});
/** The part of one load host in a trial. */
export type LoadHostUse = Read<typeof loadHostUse>;

const trialWait = v.object({
  name: v.string(),
  class: v.string(),
  count: whole,
  totalMs: ms,
  /** Null: the server does not tell. */
  longestMs: v.nullable(ms),
  /** longestMs is an upper bound, because the server tells no more. Absent: it is the time of the longest wait. */
  isBound: v.exactOptional(v.literal(true)),
  /** The waits up to each time in ms, above the time before; ascending. Absent: the server has no histogram. */
  buckets: v.exactOptional(v.array(v.tuple([ms, whole]))),
});

const trialWaits = v.object({
  /** All waits of the server, those included that are not listed. */
  totalMs: ms,
  kinds: whole,
  /** The waits with the most time, the longest first. */
  most: v.array(trialWait),
});
/** The server's waits over the measured phase, without those of idle classes. */
export type TrialWaits = Read<typeof trialWaits>;

/** The schema of TrialResult. */
export const trialResultSchema = v.object({
  ...plannedTrialSchema.entries,
  /** cannot: the connection shows that this server (version, privileges, an emulator) does not support the cell. */
  status: v.picklist(['ok', 'failed', 'cancelled', 'didNotFinish', 'cannot']),
  /** The error by which the trial failed, or the first error of a trial that continued. */
  error: v.nullable(errorSchema),
  /** Wall time of the measured phase: first start to last end over all workers. */
  elapsedMs: ms,
  /** The part of elapsedMs in which only some of the workers ran, ms. */
  apartMs: ms,
  totals: callCounts,
  health: phaseHealth,
  workers: whole,
  /** Each load host by itself; absent: all of the load came from the machine that runs Dyno. */
  loadHosts: v.exactOptional(v.array(loadHostUse)),
  verification,
  /** The results of the experiment's checks; absent: it has none, or the trial ended before them. */
  checks: v.exactOptional(v.array(checkResult)),
  /** The statements whose texts levels change, with their answers compared; absent: none, or another trial has them. */
  answers: v.exactOptional(v.array(comparedAnswers)),
  /** Answers for comparisons with other targets; absent: there are none, or another trial of the cell has them. */
  givenAnswers: v.exactOptional(v.array(givenAnswers)),
  /** Answers of calls of the measured phase, for comparisons with other cells; absent: there are none. */
  sampledAnswers: v.exactOptional(v.array(givenAnswers)),
  /**
   * Little's law (Little 1961, L = λW): relative error of the users by rate × time against the actual users, below 0
   * where some are missing. Null where the law does not apply.
   */
  littleError: v.nullable(finite),
  /**
   * True where a client process ran above 0.7 event-loop utilisation or 90 % of a core, or was ready for 30 % of the
   * time without a processor: "client-bound".
   */
  clientSaturated: v.boolean(),
  /** Absent: the trial ended before its measured phase was over. */
  machine: v.exactOptional(machineUse),
  /** Absent: the engine works inside the client process, or the trial ended before. */
  roundTrip: v.exactOptional(roundTrip),
  /** Absent: the connection used no network emulator. */
  network: v.exactOptional(emulatedNetwork),
  /**
   * The values of the experiment's `session` settings, as the server reported them after the login, and the sessions'
   * TLS where the variant chooses it; null: the server does not tell. Absent: the experiment has no such settings.
   */
  sessionSettings: v.exactOptional(reportedSettings),
  /**
   * The values that the target's server had for the experiment's `server` parameters, those of other variants included;
   * null: the server does not tell. Absent: the experiment has no parameters for this server.
   */
  serverParameters: v.exactOptional(reportedSettings),
  storedBytes: v.nullable(
    v.object({ tableBytes: amount, indexBytes: amount, medium: v.exactOptional(v.picklist(['disk', 'memory'])) }),
  ),
  /**
   * The size of each index of all its tables at the end; absent: there is none, or the server told no sizes. `index`:
   * its name in results, and " of TABLE" where the table is not the dataset's.
   */
  indexBytes: v.exactOptional(
    v.array(v.object({ index: v.string(), bytes: v.nullable(amount), why: v.exactOptional(v.string()) })),
  ),
  /**
   * The pages of all its tables and their indexes at the end; `why`: the reason, as a sentence, why a table has none.
   * Absent: the engine does not tell them, or the trial has no table.
   */
  pageUse: v.exactOptional(v.object({ parts: v.array(partPages), why: v.exactOptional(v.string()) })),
  /** Foreign keys of all its tables that the server does not trust; absent: none, or the server does not report it. */
  untrustedForeignKeys: v.exactOptional(whole),
  /** The key and indexes that were created after the rows; absent: none. */
  builds: v.exactOptional(v.array(builtPart)),
  /**
   * The loads of tables that a file fills, without the source of a copy; absent: there are none, or an earlier trial
   * loaded the tables.
   */
  tableLoads: v.exactOptional(v.array(tableLoad)),
  /** The server's errors of statements of `teardown`, each with the name of its statement. Absent: none failed. */
  teardownErrors: v.exactOptional(v.array(v.string())),
  /**
   * The rows that it inserted, warm-up included, or the loaded rows that it read or copied; absent: its calls move no
   * whole rows of known values.
   */
  valueBytes: v.exactOptional(valueBytes),
  /** Differences over the measured phase; null where the counter went back (restart). */
  probeDelta: v.record(v.string(), finite),
  /** Absent: the server counts no waits, or the readings around the measured phase failed. */
  waits: v.exactOptional(trialWaits),
  phaseMs: v.record(v.picklist(phases), ms),
  /** The first call, the second…, where each call is reported by itself; absent otherwise. */
  perCall: v.exactOptional(v.array(numberedCall)),
  /** Counts of the experiment's custom statements and transactions; absent: it has none. */
  statements: v.exactOptional(v.array(statementCounts)),
  /** The counts of each stage, as in WorkerResult. */
  stages: v.exactOptional(v.array(loadCounts)),
});
/** The merged outcome of one trial. */
export type TrialResult = Read<typeof trialResultSchema>;
/** The way in which a trial ended. */
export type TrialStatus = TrialResult['status'];

/** The parts of a file system's probe: syncs as at the end of a commit, and reads and writes as of data files. */
const storageMeasures = [
  'overwriteSync',
  'appendSync',
  'randomRead',
  'randomWrite',
  'sequentialRead',
  'sequentialWrite',
] as const;
/** One measurement of a file system. */
export type StorageMeasure = (typeof storageMeasures)[number];

const measuredStorage = v.object({
  measure: v.picklist(storageMeasures),
  /** The type of the file system (ext4, tmpfs); null: the system does not tell. */
  fileSystem: v.nullable(v.string()),
  /** True if the operating system's page cache may have answered instead of the disk. */
  throughCache: v.boolean(),
  /** The targets of the run whose files are in this file system. */
  targets: v.array(v.string()),
});

/** The schema of CalibrationEntry. */
export const calibrationSchema = v.object({
  kind: v.picklist(['noopEngine', 'generation', 'roundTrip', 'storage']),
  /** Target name for roundTrip; null otherwise. */
  target: v.nullable(v.string()),
  label: v.string(),
  perSecond: amount,
  unit: v.picklist(['calls', 'rows', 'syncs', 'reads', 'writes', 'bytes']),
  p50Us: v.nullable(amount),
  p99Us: v.nullable(amount),
  measuredAt: moment,
  /** The tunnel to the target. Absent: none. */
  tunnel: v.exactOptional(v.picklist(tunnelKinds)),
  /** The file system of kind storage. Absent: another kind. */
  storage: v.exactOptional(measuredStorage),
});
/**
 * A measurement of this machine: an upper bound (no-op engine, generation), a target's round trip, or the disk of
 * targets whose files Dyno keeps on this machine.
 */
export type CalibrationEntry = Read<typeof calibrationSchema>;
