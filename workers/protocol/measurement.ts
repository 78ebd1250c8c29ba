import type { StoredBytes } from '#engine-api/database.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { ErrorData, ErrorKind } from '#model/error.ts';
import type { ShownRows } from '#model/statements/statements.ts';
import type { PlannedTrial } from './plan.ts';

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
export type Phase = (typeof phases)[number];

/** Calls of one interval or one phase. Latencies are service times (start → end) unless said otherwise. */
export interface CallCounts {
  readonly calls: number;
  readonly rows: number;
  readonly commits: number;
  readonly errors: Readonly<Partial<Record<ErrorKind, number>>>;
  /**
   * Tries that were repeated after a write conflict (isWriteConflict), and units of work — a call that commits by itself, or a transaction —
   * given up after Settings.maxAttempts. Absent in runs of older versions, as is lostMs.
   */
  readonly retries?: number;
  readonly gaveUp?: number;
  /**
   * Connections' time in tries that write conflicts undid, from begin (or the call's start) to the end of the pause after them: calls
   * before the one that failed, and the rollback, are part of it. A call in a pipeline takes 1 / depth of its connection.
   */
  readonly lostMs?: number;
  /** Encoded histogram (stats/histogram.ts) of service times in ns: calls that succeeded, and those that failed, apart. */
  readonly service: string;
  readonly failed: string | null;
  /**
   * The same of commits of several calls together, from COMMIT to its answer, those that succeeded; null: there were none (a call that commits by
   * itself has its commit within its own time). Absent in runs of older versions.
   */
  readonly commit?: string | null;
  /** Of a load that is more than a closed loop on each connection; absent otherwise, and in runs of older versions. */
  readonly load?: LoadCounts;
}

/**
 * Units of work — calls that commit by themselves, or transactions, with the tries that write conflicts take — from their intended start: when
 * they arrive, or a user has thought. Histograms are encoded, in ns.
 */
export interface LoadCounts {
  /** Intended starts within the interval: what was offered. */
  readonly arrivals: number;
  /** Units that are over, and those of them that came to nothing. */
  readonly ended: number;
  readonly failed: number;
  /** Units that ended after the last arrival: the backlog that was drained. */
  readonly afterwards: number;
  /** Arrived, and neither begun nor ended when the drain was over. */
  readonly unfinished: number;
  /** Sums over units that are over, and over pauses between them. */
  readonly responseMs: number;
  readonly thinkMs: number;
  /** Units that wait for a connection, at the end of the interval. */
  readonly waiting: number;
  /** Response time of units that succeeded: intended start → end. */
  readonly response: string;
  /** Intended start → the generator got round to it: what it is late by itself. */
  readonly startError: string;
  /** From then → a connection took it. */
  readonly wait: string;
}

/** The client's own state over an interval; rule 1 of honesty. Times in ms unless named. */
export interface ClientHealth {
  readonly cpuUserMs: number;
  readonly cpuSystemMs: number;
  /** 0…1, event-loop utilisation. */
  readonly eventLoopUtilisation: number;
  readonly eventLoopDelayP99Ms: number;
  readonly gcMs: number;
  readonly rssBytes: number;
  /** Making rows and turning them into driver arguments, inside the phase. */
  readonly generateMs: number;
  readonly encodeMs: number;
  /** Sum over virtual users of the time spent inside run(); calls that ended too late to count are not among them. */
  readonly inCallsMs: number;
  /** Sum over virtual users of the time spent inside begin, commit and rollback: with inCallsMs, all their time at the server. */
  readonly transactionMs?: number;
  /** Sum over virtual users of the pauses before tries that were repeated. */
  readonly pauseMs?: number;
  /** Sum over virtual users of the measured time spent inside calls that ended too late to count; of a whole phase. */
  readonly lateMs?: number;
  readonly wireSentBytes: number | null;
  readonly wireReceivedBytes: number | null;
  /** Where the process' own time went. Absent in runs of older versions, as are the two that follow. */
  readonly processTime?: ProcessTime;
  /**
   * What calls, and begin, commit and rollback, spent their time on, as seen at their session's socket. Null where that cannot be seen: the
   * engine works inside the client process, or sessions share a socket.
   */
  readonly callTime?: CallTime | null;
  readonly transactionTime?: CallTime | null;
  /** Absent in runs of older versions. */
  readonly pauses?: Pauses;
  /** Of a whole phase; absent in runs of older versions. */
  readonly slowest?: SlowestCalls;
}

/** What held a client process up: calls under way meanwhile look slow, and the server has no part in it. */
export interface Pauses {
  /** Pauses for garbage collection, and the longest of them. */
  readonly gcPauses: number;
  readonly gcLongestMs: number;
  /** The longest for which the event loop came to nothing else; with an engine inside the process that may be a call. */
  readonly loopLongestMs: number;
  /** How long its main thread was ready to run and had no processor; null where the system does not tell (Linux does). */
  readonly noProcessorMs: number | null;
}

/**
 * The slowest hundredth of each process' calls (at most its 10,000 slowest) against the pauses in which that process collected garbage. Under a
 * load of its own: units of work, from their intended start.
 */
export interface SlowestCalls {
  readonly calls: number;
  /** Sums over them: their time, and what of it lay within pauses. */
  readonly ms: number;
  readonly pausedMs: number;
  /** Those of them that spent most of their time within pauses, and how many pauses these were. */
  readonly heldUp: number;
  readonly pauses: number;
}

/**
 * Where a client process' time went, ms: the other parts add up to wallMs. A part in which the process has to wait for a processor, or
 * collects garbage, is longer by that.
 */
export interface ProcessTime {
  readonly wallMs: number;
  /** Making rows, inside the phase. */
  readonly generateMs: number;
  /** Turning them into driver arguments, inside the phase; and the driver from the start of a call until the request is with the socket. */
  readonly encodeMs: number;
  /** From bytes that arrive on a socket to the call's answer, or to whatever else the event loop does next: parsing, making row objects. */
  readonly decodeMs: number;
  /** Inside the calls, begins, commits and rollbacks of an engine that works in the client process. */
  readonly engineMs: number;
  /** The event loop at everything else: counting, timers, reading sockets, decrypting. */
  readonly otherMs: number;
  /** The event loop at rest while a call is under way: network and server. */
  readonly waitMs: number;
  /** The event loop at rest with nothing under way: pauses before retries, the end of a phase. */
  readonly idleMs: number;
}

/**
 * What the time of calls was spent on: sums over all of them, ms, estimated from those that were looked at. A call that goes back and forth
 * several times is the sum of its round trips; in a pipeline, waiting includes that for calls sent before.
 */
export interface CallTime {
  /** That counted, failed ones included; and how many of them were looked at. */
  readonly calls: number;
  readonly seen: number;
  /** From the start until the request is with the socket: of a large one, the system may still have a part to send. */
  readonly sendMs: number;
  /** Until the answer's first byte is read: network and server. */
  readonly waitMs: number;
  /** Until the answer is complete and decoded: what the server does after its first word (to COPY, say, that it is ready) included. */
  readonly receiveMs: number;
  /** Answers begun after something was sent: less than one a call where several calls are sent together. */
  readonly roundTrips: number;
}

/** Calls of one of the experiment's custom statements, or of a transaction of them. `rows`: returned or changed. */
export interface StatementCounts {
  readonly name: string;
  readonly kind: 'statement' | 'transaction' | 'scenario';
  readonly calls: number;
  readonly rows: number;
  /** Of the calls, those of which the server did not say how many rows they touched. Absent: none. */
  readonly uncounted?: number;
  readonly errors: CallCounts['errors'];
  /** As in CallCounts; of a transaction from before its begin until after its commit or rollback; of a scenario, whole passes with their pauses. */
  readonly service: string;
  readonly failed: string | null;
}

/** One worker's interval (about one second) of the measured phase. */
export interface Snapshot {
  readonly worker: number;
  /** End of the interval, ms since the measured phase began; and its length. */
  readonly atMs: number;
  readonly lengthMs: number;
  readonly counts: CallCounts;
  readonly health: ClientHealth;
}

/** A call that is reported by itself (measure.calls). */
export interface TimedCall {
  /** Service time; null: it failed. */
  readonly ms: number | null;
  readonly rows: number;
}

/** The same, with what the server did meanwhile. */
export interface NumberedCall extends TimedCall {
  /** Differences of the server's counters over this call alone; empty: it told none. */
  readonly probeDelta: Readonly<Record<string, number>>;
}

/** What a client worker reports when its trial is over. */
export interface WorkerResult {
  readonly worker: number;
  /** First start and last end of measured calls, monotonic ns of the machine (process.hrtime), as strings of bigint. */
  readonly firstStartNs: string;
  readonly lastEndNs: string;
  readonly totals: CallCounts;
  readonly health: ClientHealth;
  /** Rows acknowledged over warm-up, measure and drain, and the checksum they add up to (null: not the client's data). */
  readonly acknowledged: TableChecksum | null;
  /** Rows in calls whose outcome is unknown (failed or cancelled). */
  readonly uncertainRows: number;
  /** Examples of errors, at most a few per kind. */
  readonly errorExamples: readonly ErrorData[];
  /** Of custom statements, over the measured phase; absent otherwise. */
  readonly statements?: readonly StatementCounts[];
  /** Of each stage of the load, units that were to start in it; absent: it has none. `waiting`: at its end. */
  readonly stages?: readonly LoadCounts[];
}

/** What one of the experiment's own checks came to after a trial. */
export interface CheckResult {
  readonly name: string;
  /** The rows that it found, the first of them shown, long values cut: with none it holds. Null: not asked, for want of a text for the engine. */
  readonly found: ShownRows | null;
}

/** cannot: only this server (its version, its rights, the stand-in in its place) lets the driver know that the cell is an empty one. */
export type TrialStatus = 'ok' | 'failed' | 'cancelled' | 'didNotFinish' | 'cannot';

/** The merged outcome of one trial. */
export interface TrialResult extends PlannedTrial {
  readonly status: TrialStatus;
  /** Why it failed, or the first error of a trial that went on. */
  readonly error: ErrorData | null;
  /** Wall time of the measured phase: first start to last end over all workers. */
  readonly elapsedMs: number;
  /** The part of it in which not all workers were at work: some had not begun, or were done. Absent in runs of older versions. */
  readonly apartMs?: number;
  readonly totals: CallCounts;
  readonly health: ClientHealth;
  readonly workers: number;
  readonly verification: Verification;
  /** Each of the experiment's own checks; absent: it has none, or the trial did not get that far. */
  readonly checks?: readonly CheckResult[];
  /**
   * Little's law: users by counts and times against those there were; relative error, below 0 where some are missing (without its sign in
   * runs of older versions). Null where it does not apply.
   */
  readonly littleError: number | null;
  /** True where a client process ran above 0.7 event-loop utilisation or 90 % of a core: "measures the client". */
  readonly clientSaturated: boolean;
  /** Absent: client and server spoke without a relay. */
  readonly network?: EmulatedNetwork;
  readonly storedBytes: StoredBytes | null;
  /** Foreign keys of all its tables that the server does not vouch for; absent: there are none, or it does not tell. */
  readonly untrustedForeignKeys?: number;
  /** Key and indexes that were made when the rows were there; absent: none. */
  readonly builds?: readonly BuiltPart[];
  /** Differences over the measured phase; null where the counter went back (restart). */
  readonly probeDelta: Readonly<Record<string, number>>;
  readonly phaseMs: Readonly<Partial<Record<Phase, number>>>;
  /** The first call, the second…, where they are reported one by one; absent otherwise. */
  readonly perCall?: readonly NumberedCall[];
  /** Each of the experiment's custom statements and transactions; absent: it has none. */
  readonly statements?: readonly StatementCounts[];
  /** As in WorkerResult. */
  readonly stages?: readonly LoadCounts[];
}

/** The key, or an index, made in one go over rows that were there (Settings.keyCreation, indexCreation). */
export interface BuiltPart {
  /** "key", or "index on " and its columns. */
  readonly part: string;
  readonly ms: number;
  /** Over rows that the clock saw go in: throughput counts it. */
  readonly counted: boolean;
}

/** What a relay between client and server did over the measured phase (Settings.networkRoundTripMs…), as it saw it. */
export interface EmulatedNetwork {
  /**
   * Encoded histograms (stats/histogram.ts), ns: how much longer each round trip was to take, and how much longer the relay made it, from
   * reading to passing on, both ways together. What sockets and switching between processes cost comes on top. Of a pipeline one in several.
   */
  readonly intended: string;
  readonly added: string;
  readonly sentBytes: number;
  readonly receivedBytes: number;
  /** 0…1, event-loop utilisation of its process. */
  readonly utilisation: number;
}

export interface Verification {
  readonly outcome: 'match' | 'mismatch' | 'countOnly' | 'notPossible' | 'skipped';
  readonly expectedRows: number | null;
  readonly foundRows: number | null;
  /** In words: what was compared, or why not. */
  readonly note: string;
}

/** Measured on this machine: ceilings (no-op engine, generation), and a yardstick for each target (round trip). */
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
