import type { StoredBytes } from '#engine-api/database.ts';
import type { ErrorData } from '#model/error.ts';
import type { LoadModel } from '#model/statements/load-model.ts';
import type { TunnelKind } from '#model/tunnel.ts';
import type { AnswersCompared, AnswersElsewhere } from '#planning/rates/answers-between.ts';
import type { LoadRates } from '#planning/rates/load-rates.ts';
import type { RowProblem } from '#planning/rates/row-problems.ts';
import type { SearchSummary } from '#planning/search/search.ts';
import type { Advice } from '#protocol/advice.ts';
import type { UnmeasuredServer } from '#protocol/host-second.ts';
import type { EndReason, EnoughReason, Environment, FoundFiles, Precision, TargetRecord } from '#protocol/journal.ts';
import type {
  CalibrationEntry,
  LoadHostSample,
  PartOfPages,
  Phase,
  StatementCounts,
  TrialResult,
  Verification,
} from '#protocol/measurement.ts';
import type { Cell, Plan, PlannedTrial, SkippedCell } from '#protocol/plan.ts';
import type { AskedPlan } from '#protocol/query-plans.ts';
import type { LatencySummary } from '#stats/histogram/percentiles.ts';
import type { Interval } from '#stats/intervals/intervals.ts';
import type { CallMeans, ClientShares } from '../client/client-time.ts';
import type { HostTimeline } from './host-figures.ts';

export type { Interval };

/**
 * A run as read from its journal, for window, command line and report. journal/read-run.ts builds it record by record,
 * so the live view and a finished run are the same model at different times.
 */
export interface RunModel {
  readonly runId: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** interrupted: the journal ends without an end record and no process is writing it. */
  readonly status: 'running' | 'complete' | 'cancelled' | 'interrupted';
  /** The plan of a search has only the loads reached so far. */
  readonly plan: Plan;
  readonly yaml: string;
  readonly environment: Environment;
  /** The files named in the experiment, as found by the run. */
  readonly files: FoundFiles['files'];
  readonly targets: readonly TargetRecord[];
  readonly calibration: readonly CalibrationEntry[];
  /**
   * The trials in execution order, without rounds that were not needed and loads that a search has not reached. A null
   * result: not run yet, or lost in a crash.
   */
  readonly trials: readonly TrialView[];
  /**
   * The reason why the run needs no more repeats, if their number varies; null before that, or if the number is fixed.
   */
  readonly enough: Enough | null;
  /** The last check of the servers after the run; empty before that. */
  readonly sessionsLeft: readonly SessionsLeft[];
  /** The reason why the run stopped before its last trial, as a sentence; null if it did not. */
  readonly halted: string | null;
  /** The advice that the run has measured; null: `dyno advise` has not made it. */
  readonly advice: Advice | null;
  /** The state of each search (measure.search); empty without one. */
  readonly searches: readonly SearchSummary[];
  readonly cells: readonly CellSummary[];
  readonly skipped: readonly SkippedCell[];
  readonly damage: Damage;
  readonly caveats: readonly Caveat[];
}

/** The sessions and tables that a run left at a server. */
interface SessionsLeft {
  readonly target: string;
  /** The tag in their names, as `dyno-` + tag and `dyno_` + tag. */
  readonly tag: string;
  /** Number of sessions; null: the server does not report it. */
  readonly left: number | null;
  /** Names of tables that could not be dropped. */
  readonly tables: readonly string[];
  /** The reasons, as sentences, why the server does not drop tables. */
  readonly held: readonly string[];
  /** The parameters that the run has changed and not given back, as sentences. */
  readonly parameters: readonly string[];
}

/** The unusable part of the run's file. */
export interface Damage {
  readonly lines: number;
  /** The errors of the first damaged lines. */
  readonly messages: readonly string[];
  /** Number of records of kinds that a newer version writes. */
  readonly unknown: number;
}

/** The reason why a run made no more repeats: the precision of its intervals, or the end of an advice or a gate. */
export type Enough =
  | { readonly reason: EnoughReason; readonly precision: Precision }
  | {
      readonly reason: EndReason;
      /** The number of the last complete round; 0: none. */
      readonly round: number;
    };

export interface TrialView {
  readonly trial: PlannedTrial;
  readonly phase: Phase | null;
  /**
   * The beginning of its measured phase, in ms since the start of the run (without pauses before a resume); null before
   * that.
   */
  readonly measuredFromMs: number | null;
  readonly result: TrialResult | null;
  /** The error of the damaged line with the trial's result; null if there is none. */
  readonly damage: string | null;
  /**
   * The query plans of its statements, taken after the warm-up, or after the measured phase if the trial has no
   * warm-up. Empty: not taken yet.
   */
  readonly queryPlans: readonly AskedPlan[];
  /** The plans taken after the measured phase; empty before its end. */
  readonly laterPlans: readonly AskedPlan[];
  readonly series: TrialSeries;
  /** The latest state of its load hosts; empty: all of the load comes from the machine that runs Dyno. */
  readonly loadHosts: readonly LiveHost[];
}

/** A load host in the last second that it reported. */
export interface LiveHost extends Omit<LoadHostSample, 'firstWorker'> {
  /** The sum over all its worker processes; null before the first report. */
  readonly callsPerSecond: number | null;
  /** 0…1, utilisation of its busiest worker process; null before the first report. */
  readonly eventLoopUtilisation: number | null;
  /** LoadHostUse.beganAfterMs; null until the trial ends. */
  readonly beganAfterMs: number | null;
}

/** Percentiles of latency by second. A value is null if the second has too few calls for it. */
export interface LatencyColumns {
  /** Number of calls (in an open load, of units of work) that the percentiles are of; null: they were not kept. */
  readonly timed: readonly (number | null)[];
  readonly p50Ms: readonly (number | null)[];
  readonly p95Ms: readonly (number | null)[];
  readonly p99Ms: readonly (number | null)[];
  readonly maxMs: readonly (number | null)[];
}

/** Per-second series of one trial, all workers merged; every array has one value per entry of atMs. */
export interface TrialSeries extends LatencyColumns {
  readonly atMs: readonly number[];
  readonly rowsPerSecond: readonly number[];
  readonly callsPerSecond: readonly number[];
  readonly errorsPerSecond: readonly number[];
  /**
   * Attempts repeated after write conflicts, and the connections' time that the conflicts cost, ms per second (see
   * CallCounts).
   */
  readonly retriesPerSecond: readonly number[];
  readonly lostMsPerSecond: readonly number[];
  /** Service times of the statements and transactions, if the work has several. */
  readonly statements: readonly { readonly name: string; readonly latencies: LatencyColumns }[];
  /** Units of work in the queue; null for a closed loop. */
  readonly waiting: readonly (number | null)[];
  /** Cores used by all client processes; highest event-loop utilisation among them. */
  readonly clientCores: readonly number[];
  readonly eventLoopUtilisation: readonly number[];
  readonly rssBytes: readonly number[];
  /**
   * The longest pauses of the event loop of a client process, and waits of a process for a processor (Pauses; null: not
   * reported).
   */
  readonly loopLongestMs: readonly number[];
  readonly noProcessorMs: readonly (number | null)[];
  /** The time of the client processes by activity: for all together, then for each if there are several. */
  readonly clientTime: readonly ClientTimeline[];
  /** Per-second differences of the server's counters, with their own atMs. */
  readonly probes: Readonly<
    Record<string, { readonly atMs: readonly number[]; readonly perSecond: readonly number[] }>
  >;
  /** The server's sampled gauges (sessions by wait event, pages…), with their own atMs. */
  readonly gauges: Readonly<Record<string, { readonly atMs: readonly number[]; readonly values: readonly number[] }>>;
  /** Work of the server that it timed itself, by the engine's name for the kind (ServerEvent). */
  readonly events: Readonly<Record<string, EventTimeline>>;
  /** Sessions outside this run that held locks for which its sessions waited. */
  readonly foreignLocks: ForeignLocks;
  /** The times and durations of the server's answers to probes, without the probe before the phase. */
  readonly probing: { readonly atMs: readonly number[]; readonly tookMs: readonly number[] };
  /** The figures missing from the server's probes, and the remedies, as sentences. */
  readonly missing: readonly string[];
  /** The use of the machines of clients and servers, with their own atMs. */
  readonly hosts: readonly HostTimeline[];
  /** The servers whose machine nobody measured. */
  readonly unmeasuredServers: readonly UnmeasuredServer[];
}

/**
 * Shares (0…1) of the time of client processes, by part, for each entry of atMs; null if a process did not report in
 * that second.
 */
export interface ClientTimeline {
  /** Null: all client processes. */
  readonly worker: number | null;
  readonly shares: readonly (ClientShares | null)[];
}

/** Locks held outside the run, sampled in a measured phase. */
export interface ForeignLocks {
  /** Number of samples, and of samples in which the server named the holders of the locks. */
  readonly samples: number;
  readonly named: number;
  readonly holders: readonly ForeignHolder[];
}

/** A session outside the run that held a lock for which sessions of the run waited. */
export interface ForeignHolder {
  /** The server's name for the session (ForeignLock). */
  readonly holder: string;
  /** Samples in which the session blocked others. */
  readonly samples: number;
  /** Sum of the run's waiting sessions over these samples. */
  readonly waiting: number;
  /** The greatest observed age of its transaction, ms; null: not reported. */
  readonly heldMs: number | null;
}

/** One kind of a server's own work during a trial. */
export interface EventTimeline {
  readonly count: number;
  readonly totalMs: number;
  readonly longestMs: number;
  /** Sum over the events that report it; null if none does. */
  readonly bytes: number | null;
  /** Encoded histogram of the durations in ns of individually reported events (EventSum). */
  readonly durations: string;
  /** The marks in ascending order of time. If there are too many, neighbouring events share one mark. */
  readonly marks: readonly EventMark[];
}

/**
 * A single event, a reported sum, or the longest of several events; `count`, `totalMs` and `totalBytes` cover all of
 * them.
 */
export interface EventMark {
  /** Its beginning in ms relative to the start of the measured phase; negative if it began before the phase. */
  readonly atMs: number;
  readonly durationMs: number;
  readonly bytes: number | null;
  /** EventSum.spanMs, and its count; null: an individually reported event. */
  readonly sum: { readonly count: number; readonly spanMs: number } | null;
  readonly count: number;
  readonly totalMs: number;
  readonly totalBytes: number | null;
}

/** A variant on a target over its repeats. Only trials with status ok count. */
export interface CellSummary extends Cell {
  /** Rows per second (or calls per second if no rows move). */
  readonly rowsPerSecond: Interval | null;
  /** Bytes of the values of these rows per second; null where calls move no whole rows of known values. */
  readonly bytesPerSecond: Interval | null;
  readonly callsPerSecond: Interval | null;
  readonly elapsedMs: Interval | null;
  /**
   * Percentiles over the merged histogram of all repeats: response times from the intended start with a `load`,
   * otherwise service times; null with too few samples.
   */
  readonly latencyMs: LatencySummary;
  /** Merged histogram, encoded. */
  readonly histogram: string | null;
  /** Null for a closed loop. */
  readonly load: LoadSummary | null;
  /** Null if calls autocommit. */
  readonly commits: CommitSummary | null;
  /** Null if all connections were kept. */
  readonly connecting: ConnectingSummary | null;
  readonly outliers: readonly OutlyingTrial[];
  /** Custom statements in the order of the file, or the parts of a copy; absent for other work. */
  readonly statements?: readonly StatementSummary[];
  readonly ok: number;
  readonly failed: number;
  readonly firstError: ErrorData | null;
  /** Share of client time (0…1) in generation, encoding, calls, connecting, pauses; null before any result. */
  readonly clientShare: {
    readonly generate: number;
    readonly encode: number;
    readonly inCalls: number;
    readonly connecting: number;
    readonly paused: number;
    readonly other: number;
  } | null;
  /** The time of the client processes by activity; null before any result. */
  readonly clientTime: ClientShares | null;
  /**
   * The parts of a mean call, and of a mean begin, commit or rollback, as seen at the sessions' sockets; null without
   * any.
   */
  readonly call: CallMeans | null;
  readonly transaction: CallMeans | null;
  /** Null if write conflicts rolled nothing back. */
  readonly conflicts: Conflicts | null;
  readonly clientSaturated: boolean;
  /** The round trip beside its trials; null: the engine works inside the client process, or no trial was good. */
  readonly roundTrip: RoundTripSummary | null;
  /** Null without a network emulator between client and server. */
  readonly network: NetworkSummary | null;
  /** The weakest verification of its trials (see verified.ts); null before any result. */
  readonly verification: Verification | null;
  /** The server's storage for a row at the end of the trials, including free space within pages; null if unknown. */
  readonly storedBytesPerRow: StoredPerRow | null;
  /** Null if key and indexes existed before the rows. */
  readonly buildCost: BuildCost | null;
  /** Size and build time of each index at the end of the trials; empty without indexes, or if no size is known. */
  readonly indexCosts: readonly IndexCost[];
  /** The pages of its tables and indexes at the end of the trials; null: no server tells them. */
  readonly pageUse: CellPages | null;
  /** The loads of tables that a file fills; empty if there are none, or another cell loaded the tables. */
  readonly tableLoads: readonly TableLoadRates[];
  /** Problems of the returned rows that exclude the cell from comparisons; empty without any. */
  readonly rowProblems: readonly RowProblem[];
  /** Its answers beside those of other targets, for each statement; empty where they are not compared. */
  readonly otherAnswers: readonly AnswersElsewhere[];
  /** The answers of its sampled calls beside those of the baseline's text; empty where none are compared. */
  readonly sampledAnswers: readonly AnswersCompared[];
}

/** Pages at the end of the trials of a cell, as means over the repeats. */
export interface CellPages {
  readonly parts: readonly PartOfPages[];
  /** The reason, as a sentence, why figures are missing; null: none is known. */
  readonly why: string | null;
}

/** Units of work of an open load or of users, over the repeats of a cell (see LoadCounts). */
export interface LoadSummary extends LoadRates {
  readonly model: LoadModel;
  /** Pauses of users per finished unit, by think times and the steps of scenarios; null without pauses. */
  readonly thinkMs: number | null;
  readonly response: LatencySummary;
  readonly wait: LatencySummary;
  /** Service time of the calls. */
  readonly service: LatencySummary;
  readonly startError: LatencySummary;
  /** Unfinished units when the last unit arrived, mean of the repeats; null for a load without arrivals. */
  readonly backlog: number | null;
  /** Units abandoned at the end of the drain. */
  readonly unfinished: number;
  /** True if the offered load limited the throughput, which then does not show the server's speed. */
  readonly setsThroughput: boolean;
  /** The largest share by which late starts of the generator lengthened p50, p95 or p99 of the response times. */
  readonly lateShare: number;
  /** True if that share is noticeable, and the server is not the reason of the late starts. */
  readonly generatorLate: boolean;
}

/** Commits that cover several calls, over the repeats of a cell: from COMMIT to its answer. */
export interface CommitSummary {
  /** Percentiles of all repeats together; its count is the number of commits. */
  readonly latencyMs: LatencySummary;
  /** Geometric mean of the repeats' mean latencies. */
  readonly meanMs: Interval | null;
  readonly rowsPerCommit: number;
}

/** Sessions that connections opened anew after a number of calls, over the repeats of a cell. */
export interface ConnectingSummary {
  /** Percentiles of opening a session, all repeats together; its count is the number of sessions. */
  readonly latencyMs: LatencySummary;
  /** Attempts that failed. */
  readonly failed: number;
  /** Mean time of ending the session before, and of preparing the statements of the new one. */
  readonly endMs: number;
  readonly prepareMs: number;
  /**
   * Share (0…1) of connecting in the connections' time for connecting, calls and transactions; null if there was none.
   */
  readonly share: number | null;
}

/** A round trip to the server without the calls' work, over the repeats of a cell. */
export interface RoundTripSummary {
  /** Median of the repeats: the time of the cheapest statement, plus the delay of a network emulator. */
  readonly cheapestMs: number;
  /**
   * Bounds for the network's part: the shortest TCP handshake with and without the first use of its code, or the delay
   * of a network emulator. 0 on one machine; null: not measured, or not under the same conditions.
   */
  readonly network: { readonly leastMs: number; readonly mostMs: number } | null;
  /** True if the connections end on this machine without a network emulator in between. */
  readonly sameMachine: boolean;
  /** The tunnel of the calls, which hides the network behind it; null without one. */
  readonly tunnel: TunnelKind | null;
}

/** The network emulator between client and server, over the repeats of a cell. */
export interface NetworkSummary {
  readonly roundTrips: number;
  /** The intended and the actual mean increase of a round trip; null if none was measured. */
  readonly intendedMs: number | null;
  readonly addedMs: number | null;
  /** Percentiles of the added delay; null with too few round trips. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** 0…1, event-loop utilisation of the busiest network emulator. */
  readonly utilisation: number;
}

/** A custom statement of the experiment, a transaction, or a part of a copy, over the repeats of a cell. */
export interface StatementSummary {
  readonly name: string;
  readonly kind: StatementCounts['kind'];
  readonly callsPerSecond: number;
  /** Rows returned or changed; null for transactions. */
  readonly rowsPerCall: number | null;
  readonly latencyMs: LatencySummary;
  readonly histogram: string | null;
  /** Number of failed calls, and their total time. */
  readonly failed: { readonly calls: number; readonly ms: number };
  /** Kind of error → count. */
  readonly errors: Readonly<Record<string, number>>;
}

/** Bytes with their medium, because bytes on disk and in memory are not comparable. */
interface StoredPerRow {
  readonly table: number;
  readonly index: number;
  readonly medium: Medium;
}

export type Medium = NonNullable<StoredBytes['medium']>;

/** The cost of write conflicts (deadlocks and serialization failures) to a cell over its repeats. */
export interface Conflicts {
  /** Repeated attempts, and units of work given up after the last attempt. */
  readonly retries: number;
  readonly gaveUp: number;
  /** Null if no call commits. */
  readonly retriesPer100Commits: number | null;
  /** Share (0…1) of connections × elapsed time spent on rolled-back attempts and the pauses after them. */
  readonly lostShare: number;
}

export interface Ratio extends Cell {
  /** The cell's throughput ÷ the baseline's. */
  readonly ratio: Interval;
  /**
   * notComparable: one of the two cells is excluded from comparisons (compare/comparable.ts). setByLoad: the cell with
   * less throughput completed all of the offered load, and may be the faster one.
   */
  readonly verdict:
    | 'faster'
    | 'slower'
    | 'notSignificant'
    | 'notEnoughRepeats'
    | 'notComparable'
    | 'setByLoad'
    | 'baseline';
  /**
   * True if the two sides returned different rows: the ratio compares different work and is hidden. Absent: it is
   * shown.
   */
  readonly otherRows?: true;
  /** The method of the bounds (stats/compare-means.ts); null for the baseline. */
  readonly method: 'bootstrap' | 'welch' | null;
  /**
   * Expected number of repeats on each side that narrows the interval to ± 5 %; null for the baseline, and if the
   * scatter is unknown.
   */
  readonly repeatsNeeded: number | null;
}

/** The mean ratio of a target to the baseline's: the geometric mean of its ratios over the variants of both. */
export interface MeanRatio {
  readonly target: string;
  readonly variants: number;
  readonly ratio: Interval;
  readonly verdict: Exclude<Ratio['verdict'], 'baseline'>;
}

/** An outlier among the repeats of its cell, by its score and by at least 10 %. It counts like the other repeats. */
export interface OutlyingTrial {
  readonly trial: number;
  readonly repeat: number;
  /** Throughput, in the cell's unit. */
  readonly value: number;
  /** Modified z-score of the logarithm of its throughput (stats/outliers.ts). */
  readonly score: number;
}

export interface Caveat {
  readonly severity: 'info' | 'warning' | 'error';
  /** The cell of the caveat; null means the whole run. */
  readonly cell: Partial<Cell> | null;
  readonly title: string;
  readonly text: string;
}

/** Key and indexes of a cell that were built after the rows. */
export interface BuildCost {
  /** Each with its mean time over the repeats, in the order of building. */
  readonly parts: readonly { readonly part: string; readonly ms: number }[];
  readonly totalMs: Interval;
  /** True if throughput includes the time to build them: the trial inserted its rows before. */
  readonly counted: boolean;
  /** Rows per second without the time to build them; null if throughput does not include it. */
  readonly loadPerSecond: Interval | null;
}

/** The load of a table that a file fills. */
export interface TableLoadRates {
  /** Its name in the file of the experiment. */
  readonly table: string;
  readonly rows: number;
  /** The bytes of its values. */
  readonly bytes: number;
  readonly rowsPerSecond: Interval;
  readonly bytesPerSecond: Interval;
}

/** The cost of an index, as means over the repeats of a cell. */
export interface IndexCost {
  /** Its name in results, and " of TABLE" where the table is not the dataset's. */
  readonly index: string;
  /** Null: the server did not tell it, for the reason `why`. */
  readonly bytes: number | null;
  /** A sentence; null: none is known. */
  readonly why: string | null;
  /** Null: the index was created before the rows. */
  readonly buildMs: number | null;
}

/** A run before its caveats are derived from all other parts. */
export type RunWithoutCaveats = Omit<RunModel, 'caveats'>;
