import type { TableChecksum } from './batch.ts';
import type { ErrorData, ErrorKind } from './error.ts';
import type { PlannedTrial } from './plan.ts';

export const phases = ['schema', 'load', 'settle', 'prepare', 'warmup', 'measure', 'drain', 'verify'] as const;
export type Phase = (typeof phases)[number];

/** Calls of one interval or one phase. Latencies are service times (start → end) unless said otherwise. */
export interface CallCounts {
  readonly calls: number;
  readonly rows: number;
  readonly commits: number;
  readonly errors: Readonly<Partial<Record<ErrorKind, number>>>;
  /** Encoded histogram (stats/histogram.ts) of service times in ns: calls that succeeded, and those that failed, apart. */
  readonly service: string;
  readonly failed: string | null;
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
  /** Sum over virtual users of the time spent inside run(). */
  readonly inCallsMs: number;
  /** Sum over virtual users of the time spent inside begin, commit and rollback: with inCallsMs, all their time at the server. */
  readonly transactionMs?: number;
  readonly wireSentBytes: number | null;
  readonly wireReceivedBytes: number | null;
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
  /** Little's law: mean calls in flight from counts and times against users; relative error, null where it does not apply. */
  readonly littleError: number | null;
  /** True where a client process ran above 0.7 event-loop utilisation or 90 % of a core: "measures the client". */
  readonly clientSaturated: boolean;
  readonly storedBytes: { readonly tableBytes: number; readonly indexBytes: number } | null;
  /** Differences over the measured phase; null where the counter went back (restart). */
  readonly probeDelta: Readonly<Record<string, number>>;
  readonly phaseMs: Readonly<Partial<Record<Phase, number>>>;
}

export interface Verification {
  readonly outcome: 'match' | 'mismatch' | 'countOnly' | 'notPossible' | 'skipped';
  readonly expectedRows: number | null;
  readonly foundRows: number | null;
  /** In words: what was compared, or why not. */
  readonly note: string;
}

/** Measured on this machine: ceilings (null engine, generation), and a yardstick for each target (round trip). */
export interface CalibrationEntry {
  readonly kind: 'nullEngine' | 'generation' | 'roundTrip';
  /** Target name for roundTrip; null otherwise. */
  readonly target: string | null;
  readonly label: string;
  readonly perSecond: number;
  readonly unit: 'calls' | 'rows';
  readonly p50Us: number | null;
  readonly p99Us: number | null;
  readonly measuredAt: string;
}
