import type { StoredBytes } from '#engine-api/database.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { ErrorData, ErrorKind } from '#model/error.ts';
import type { ShownRows } from '#model/statements/statements.ts';
import type { PlannedTrial } from './plan.ts';

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

/** Calls of one interval or one phase. Latencies are service times (start → end) unless stated otherwise. */
export interface CallCounts {
  readonly calls: number;
  readonly rows: number;
  readonly commits: number;
  readonly errors: Readonly<Partial<Record<ErrorKind, number>>>;
  /**
   * Attempts that were repeated after a write conflict (isWriteConflict), and units of work — a call that commits by
   * itself, or a transaction — given up after Settings.maxAttempts. Absent in runs of older versions, as is lostMs.
   */
  readonly retries?: number;
  readonly gaveUp?: number;
  /**
   * Connections' time in attempts that a write conflict undid, in ms, from begin (or the start of the call) to the end
   * of the pause after the attempt: earlier calls of the transaction and the rollback are part of it. A call in a
   * pipeline counts 1 / depth of its connection's time.
   */
  readonly lostMs?: number;
  /** Encoded histograms (stats/histogram.ts) of service times in ns: one of successful calls, one of failed calls. */
  readonly service: string;
  readonly failed: string | null;
  /**
   * Encoded histogram of successful commits of several calls together, in ns, from COMMIT to its answer; null: there
   * were none (the time of a call that commits by itself includes its commit). Absent in runs of older versions.
   */
  readonly commit?: string | null;
  /**
   * Counts of an open load, a scenario or another load with arrivals; absent for a closed loop on each connection, and
   * in runs of older versions.
   */
  readonly load?: LoadCounts;
}

/**
 * Units of work — calls that commit by themselves, or transactions with their repeated attempts — timed from their
 * intended start: the arrival, or the end of the user's think time. Histograms are encoded, in ns.
 */
export interface LoadCounts {
  /** Intended starts within the interval: the offered load. */
  readonly arrivals: number;
  /** Units that ended, and those of them that failed. */
  readonly ended: number;
  readonly failed: number;
  /** Units that ended after the last arrival: the drained backlog. */
  readonly afterwards: number;
  /** Units that had arrived and not ended when the drain was over. */
  readonly unfinished: number;
  /** Sums over ended units, and over the pauses between them, ms. */
  readonly responseMs: number;
  readonly thinkMs: number;
  /** Units that wait for a connection, at the end of the interval. */
  readonly waiting: number;
  /** Response time of units that succeeded: intended start → end. */
  readonly response: string;
  /** From the intended start until the generator handled it: the generator's own delay. */
  readonly startError: string;
  /** From the intended start until a connection took the unit. */
  readonly wait: string;
}

/** The client's own state over an interval. Times in ms unless named otherwise. */
export interface ClientHealth {
  readonly cpuUserMs: number;
  readonly cpuSystemMs: number;
  /** 0…1, event-loop utilisation. */
  readonly eventLoopUtilisation: number;
  readonly eventLoopDelayP99Ms: number;
  readonly gcMs: number;
  readonly rssBytes: number;
  /** Making rows and encoding them as driver arguments, within the phase. */
  readonly generateMs: number;
  readonly encodeMs: number;
  /** Sum over virtual users of the time inside run(); without calls that ended too late to count. */
  readonly inCallsMs: number;
  /**
   * Sum over virtual users of the time inside begin, commit and rollback, in ms: with inCallsMs, all their time at the
   * server.
   */
  readonly transactionMs?: number;
  /** Sum over virtual users of the pauses before repeated attempts. */
  readonly pauseMs?: number;
  /** Sum over virtual users of the measured time inside calls that ended too late to count; of a whole phase. */
  readonly lateMs?: number;
  readonly wireSentBytes: number | null;
  readonly wireReceivedBytes: number | null;
  /** How the process spent its own time. Absent in runs of older versions, as are the next two members. */
  readonly processTime?: ProcessTime;
  /**
   * How calls, and begin, commit and rollback, spent their time, as observed at their session's socket. Null where no
   * socket shows it: the engine works inside the client process, or sessions share a socket.
   */
  readonly callTime?: CallTime | null;
  readonly transactionTime?: CallTime | null;
  /** Absent in runs of older versions. */
  readonly pauses?: Pauses;
  /** The slowest calls of a whole phase; absent in runs of older versions. */
  readonly slowest?: SlowestCalls;
}

/** Delays of a client process: calls that are pending meanwhile look slow although the server is not slow. */
export interface Pauses {
  /** Number of pauses for garbage collection, and the longest of them, ms. */
  readonly gcPauses: number;
  readonly gcLongestMs: number;
  /**
   * The longest time, in ms, in which the event loop ran nothing else; with an engine inside the process that may be
   * one call.
   */
  readonly loopLongestMs: number;
  /**
   * Time in which the main thread was ready to run and had no processor, in ms; null where the system does not report
   * it (only Linux does).
   */
  readonly noProcessorMs: number | null;
}

/**
 * The slowest 1 % of each process' calls (at most its 10,000 slowest) that garbage collections delayed. With a
 * LoadCounts load: units of work, from their intended start.
 */
export interface SlowestCalls {
  readonly calls: number;
  /** Sums over these calls: their time, and the part of it within pauses. */
  readonly ms: number;
  readonly pausedMs: number;
  /** Calls that spent most of their time in pauses for garbage collection, and the number of these pauses. */
  readonly heldUp: number;
  readonly pauses: number;
}

/**
 * Time of a client process by activity, in ms; the other parts add up to wallMs. A wait for a processor, or a garbage
 * collection, lengthens the part in which it occurs.
 */
export interface ProcessTime {
  readonly wallMs: number;
  /** Generating rows, within the phase. */
  readonly generateMs: number;
  /**
   * Encoding rows as driver arguments, within the phase; and the driver's work from the start of a call until the
   * socket has the request.
   */
  readonly encodeMs: number;
  /**
   * From bytes that arrive on a socket to the call's answer, or to the event loop's next task: parsing, building row
   * objects.
   */
  readonly decodeMs: number;
  /** Inside the calls, begins, commits and rollbacks of an engine that works in the client process. */
  readonly engineMs: number;
  /** All other tasks of the event loop: counting, timers, reading sockets, decrypting. */
  readonly otherMs: number;
  /** The event loop is idle while a call is pending: network and server. */
  readonly waitMs: number;
  /** The event loop is idle and no call is pending: pauses before retries, the end of a phase. */
  readonly idleMs: number;
}

/**
 * Time of calls by activity, ms: sums over all calls, estimated from a sample. A call with several round trips counts
 * the sum of them; in a pipeline, `waitMs` includes the wait for calls sent before.
 */
export interface CallTime {
  /** Counted calls, failed ones included; and the sampled ones among them. */
  readonly calls: number;
  readonly seen: number;
  /** From the start until the socket has the request; the system may still have to send a part of a large one. */
  readonly sendMs: number;
  /** Until the first byte of the answer is read: network and server. */
  readonly waitMs: number;
  /**
   * From the first byte until the answer is complete and decoded; includes the server's work after its first message
   * (to COPY, for example, that it is ready).
   */
  readonly receiveMs: number;
  /** Number of answers that began after a request; less than one per call where several calls are sent together. */
  readonly roundTrips: number;
}

/** Calls of one of the experiment's custom statements, or of a transaction of them. `rows`: returned or changed. */
export interface StatementCounts {
  readonly name: string;
  readonly kind: 'statement' | 'transaction' | 'scenario';
  readonly calls: number;
  readonly rows: number;
  /** Calls for which the server did not report the number of rows. Absent: none. */
  readonly uncounted?: number;
  readonly errors: CallCounts['errors'];
  /**
   * As in CallCounts. A transaction counts from before its begin until after its commit or rollback; a scenario counts
   * complete passes with their pauses.
   */
  readonly service: string;
  readonly failed: string | null;
}

/** One worker's counts of an interval (about one second) of the measured phase. */
export interface Snapshot {
  readonly worker: number;
  /** End of the interval, ms since the measured phase began; and its length. */
  readonly atMs: number;
  readonly lengthMs: number;
  readonly counts: CallCounts;
  readonly health: ClientHealth;
}

/** A call that is reported by itself (measure.until.calls). */
export interface TimedCall {
  /** Service time; null: it failed. */
  readonly ms: number | null;
  readonly rows: number;
}

/** The same call, with the server's work during it. */
export interface NumberedCall extends TimedCall {
  /** Differences of the server's counters over this call alone; empty: the server reports none. */
  readonly probeDelta: Readonly<Record<string, number>>;
}

/** The report of a client worker at the end of its trial. */
export interface WorkerResult {
  readonly worker: number;
  /**
   * First start and last end of measured calls, monotonic ns of the machine (process.hrtime), as decimal text of a
   * bigint.
   */
  readonly firstStartNs: string;
  readonly lastEndNs: string;
  readonly totals: CallCounts;
  readonly health: ClientHealth;
  /**
   * Acknowledged rows of warm-up, measure and drain, with their checksum (null: the rows are not the client's data).
   */
  readonly acknowledged: TableChecksum | null;
  /** Rows in calls with an unknown outcome (failed or cancelled). */
  readonly uncertainRows: number;
  /** Examples of errors, at most a few per kind. */
  readonly errorExamples: readonly ErrorData[];
  /** Counts of custom statements over the measured phase; absent: there are none. */
  readonly statements?: readonly StatementCounts[];
  /**
   * Units by the stage of the load in which they were to start; absent: the load has no stages. `waiting`: at the
   * stage's end.
   */
  readonly stages?: readonly LoadCounts[];
}

/** The result of one of the experiment's checks after a trial. */
export interface CheckResult {
  readonly name: string;
  /**
   * The rows that the check found, the first of them with shortened values; the check passes if there are none. Null:
   * not run, because it has no text for the engine.
   */
  readonly found: ShownRows | null;
}

/**
 * cannot: the connection shows that this server (its version, its privileges, a stand-in) does not support the cell.
 */
export type TrialStatus = 'ok' | 'failed' | 'cancelled' | 'didNotFinish' | 'cannot';

/** The merged outcome of one trial. */
export interface TrialResult extends PlannedTrial {
  readonly status: TrialStatus;
  /** Why the trial failed, or the first error of a trial that continued. */
  readonly error: ErrorData | null;
  /** Wall time of the measured phase: first start to last end over all workers. */
  readonly elapsedMs: number;
  /** The part of elapsedMs in which only some of the workers ran, ms. Absent in runs of older versions. */
  readonly apartMs?: number;
  readonly totals: CallCounts;
  readonly health: ClientHealth;
  readonly workers: number;
  readonly verification: Verification;
  /** The results of the experiment's checks; absent: it has none, or the trial ended before them. */
  readonly checks?: readonly CheckResult[];
  /**
   * Little's law (Little 1961, L = λW): relative error of the users by rate × time against the actual users, below 0
   * where some are missing (without its sign in runs of older versions). Null where the law does not apply.
   */
  readonly littleError: number | null;
  /** True where a client process ran above 0.7 event-loop utilisation or 90 % of a core: "measures the client". */
  readonly clientSaturated: boolean;
  /** Absent: the connection used no network emulator. */
  readonly network?: EmulatedNetwork;
  readonly storedBytes: StoredBytes | null;
  /**
   * Foreign keys of all its tables that the server does not trust; absent: there are none, or the server does not
   * report them.
   */
  readonly untrustedForeignKeys?: number;
  /** The key and indexes that were created after the rows; absent: none. */
  readonly builds?: readonly BuiltPart[];
  /** Differences over the measured phase; null where the counter went back (restart). */
  readonly probeDelta: Readonly<Record<string, number>>;
  readonly phaseMs: Readonly<Partial<Record<Phase, number>>>;
  /** The first call, the second…, where each call is reported by itself; absent otherwise. */
  readonly perCall?: readonly NumberedCall[];
  /** Counts of the experiment's custom statements and transactions; absent: it has none. */
  readonly statements?: readonly StatementCounts[];
  /** As in WorkerResult. */
  readonly stages?: readonly LoadCounts[];
}

/** The key, or an index, created over existing rows (Settings.keyCreation, indexCreation). */
export interface BuiltPart {
  /** "key", or "index on " and its columns. */
  readonly part: string;
  readonly ms: number;
  /** True if the rows were inserted in the measured phase: throughput includes the time. */
  readonly counted: boolean;
}

/**
 * The delays that a network emulator between client and server added over the measured phase
 * (Settings.networkRoundTripMs…), as measured there.
 */
export interface EmulatedNetwork {
  /**
   * Encoded histograms (stats/histogram.ts), ns: the intended extra delay of each round trip, and the emulator's actual
   * delay from reading to forwarding, both directions together. Sockets and switches between processes add to that. A
   * pipeline is sampled.
   */
  readonly intended: string;
  readonly added: string;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** 0…1, event-loop utilisation of its process. */
  readonly utilisation: number;
}

/** The comparison of the stored rows with the acknowledged ones, after a trial. */
export interface Verification {
  readonly outcome: 'match' | 'mismatch' | 'countOnly' | 'notPossible' | 'skipped';
  readonly expectedRows: number | null;
  readonly foundRows: number | null;
  /** What was compared, or why nothing was, as a sentence. */
  readonly note: string;
}

/**
 * A measurement of this machine: an upper bound (no-op engine, generation), or a target's round trip as a reference.
 */
export interface CalibrationEntry {
  readonly kind: 'noopEngine' | 'generation' | 'roundTrip';
  /** Target name for roundTrip; null otherwise. */
  readonly target: string | null;
  readonly label: string;
  readonly perSecond: number;
  readonly unit: 'calls' | 'rows';
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly measuredAt: string;
}
