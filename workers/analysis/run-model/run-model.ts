import type { StoredBytes } from '#engine-api/database.ts';
import type { ErrorData } from '#model/error.ts';
import type { LoadModel } from '#model/statements/load-model.ts';
import type { TunnelKind } from '#model/tunnel.ts';
import type { LoadRates } from '#planning/rates/load-rates.ts';
import type { RowProblem } from '#planning/rates/row-problems.ts';
import type { SearchSummary } from '#planning/search/search.ts';
import type { EnoughReason, Environment, FoundFiles, Precision, TargetRecord } from '#protocol/journal.ts';
import type {
  CalibrationEntry,
  LoadHostSample,
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

export type { Interval };

/**
 * A run as read from its journal: what the window, the command line and the report show. Built by journal/read-run.ts
 * record by record, so the live view and a finished run are the same thing at different moments.
 */
export interface RunModel {
  readonly runId: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** interrupted: the journal ends without an end record and nobody is writing it. */
  readonly status: 'running' | 'complete' | 'cancelled' | 'interrupted';
  /** The plan of a search has only the loads that it has come to. */
  readonly plan: Plan;
  readonly yaml: string;
  readonly environment: Environment;
  /** The files that the experiment names, as the run found them. */
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
  /** The last look at the servers, when the run had ended; empty before that. */
  readonly sessionsLeft: readonly SessionsLeft[];
  /** The reason why the run stopped before its last trial, as a sentence; null if it did not. */
  readonly halted: string | null;
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
  /** Marks them there, as `dyno-` + tag and `dyno_` + tag. */
  readonly tag: string;
  /** Sessions; null: the server does not tell. */
  readonly left: number | null;
  /** Names of tables that could not be dropped. */
  readonly tables: readonly string[];
  /** Why the server does not let tables go, in sentences. */
  readonly held: readonly string[];
}

/** The part of the run's file that could not be used. */
export interface Damage {
  readonly lines: number;
  /** The errors of the first damaged lines. */
  readonly messages: readonly string[];
  /** Records of kinds that a newer version writes. */
  readonly unknown: number;
}

export interface Enough {
  readonly reason: EnoughReason;
  readonly precision: Precision;
}

export interface TrialView {
  readonly trial: PlannedTrial;
  readonly phase: Phase | null;
  /**
   * The beginning of its measured phase, in ms since the start of the run (without pauses before a resume); null before
   * that.
   */
  readonly measuredFromMs: number | null;
  readonly result: TrialResult | null;
  /** The error of the line that cost the trial its result; null if there is no such line. */
  readonly damage: string | null;
  /**
   * The query plans of its statements: of after the warm-up, or of after the measured phase where the trial has no
   * warm-up. Empty: they have not been asked yet.
   */
  readonly queryPlans: readonly AskedPlan[];
  /** The plans of after the measured phase; empty: it is not over. */
  readonly laterPlans: readonly AskedPlan[];
  readonly series: TrialSeries;
  /** Its load hosts as last heard; empty: all of the load comes from the machine that runs Dyno. */
  readonly loadHosts: readonly LiveHost[];
}

/** A load host at the last second that it told of. */
export interface LiveHost extends Omit<LoadHostSample, 'firstWorker'> {
  /** The sum over all its worker processes; null before the first report. */
  readonly callsPerSecond: number | null;
  /** 0…1, of its busiest worker process; null: none has told yet. */
  readonly eventLoopUtilisation: number | null;
  /** LoadHostUse.beganAfterMs; null: the trial is not over. */
  readonly beganAfterMs: number | null;
}

/** Per-second series of one trial, all workers merged; every array has one value per entry of atMs. */
export interface TrialSeries {
  readonly atMs: readonly number[];
  readonly rowsPerSecond: readonly number[];
  readonly callsPerSecond: readonly number[];
  readonly errorsPerSecond: readonly number[];
  /**
   * Tries repeated after write conflicts, and the connections' time that such conflicts cost, ms a second (see
   * CallCounts).
   */
  readonly retriesPerSecond: readonly number[];
  readonly lostMsPerSecond: readonly number[];
  readonly p50Ms: readonly (number | null)[];
  readonly p95Ms: readonly (number | null)[];
  readonly p99Ms: readonly (number | null)[];
  readonly maxMs: readonly (number | null)[];
  /** Units of work that wait for a connection; null: a closed loop on each. */
  readonly waiting: readonly (number | null)[];
  /** Cores used by all client processes; highest event-loop utilisation among them. */
  readonly clientCores: readonly number[];
  readonly eventLoopUtilisation: readonly number[];
  readonly rssBytes: readonly number[];
  /**
   * The longest that the event loop of a client process did not run, and how long a process had no processor (Pauses;
   * null: not reported).
   */
  readonly loopLongestMs: readonly number[];
  readonly noProcessorMs: readonly (number | null)[];
  /** The time of the client processes by activity: of all together, then of each if there are several. */
  readonly clientTime: readonly ClientTimeline[];
  /** Per-second differences of the server's counters; atMs of their own. */
  readonly probes: Readonly<
    Record<string, { readonly atMs: readonly number[]; readonly perSecond: readonly number[] }>
  >;
  /** The server's gauges as sampled (sessions by wait event, pages…); atMs of their own. */
  readonly gauges: Readonly<Record<string, { readonly atMs: readonly number[]; readonly values: readonly number[] }>>;
  /** The server's own work as it timed it, by the engine's name for the kind (ServerEvent). */
  readonly events: Readonly<Record<string, EventTimeline>>;
  /** Sessions outside of this run for whose locks its sessions waited. */
  readonly foreignLocks: ForeignLocks;
  /** The times of the server's answers to probes, and their durations; without the probe before the phase. */
  readonly probing: { readonly atMs: readonly number[]; readonly tookMs: readonly number[] };
  /** The figures that the server left out of its probes, and the remedies, as sentences. */
  readonly missing: readonly string[];
}

/**
 * Shares (0…1) of the time of client processes, by part, for each entry of atMs; null where a process said nothing in
 * that second.
 */
export interface ClientTimeline {
  /** Null: all of them. */
  readonly worker: number | null;
  readonly shares: readonly (ClientShares | null)[];
}

/** Locks held outside of the run, from samples of the server within a measured phase. */
export interface ForeignLocks {
  /** Samples taken, and those in which the server named who holds the locks that were waited for. */
  readonly samples: number;
  readonly named: number;
  readonly holders: readonly ForeignHolder[];
}

/** A session outside of the run that held a lock for which sessions of the run waited. */
export interface ForeignHolder {
  /** The server's name for it (ForeignLock). */
  readonly holder: string;
  /** Samples in which it held something up. */
  readonly samples: number;
  /** Sum of the run's waiting sessions over these samples. */
  readonly waiting: number;
  /** The greatest age of its transaction that was seen, in ms; null: the server does not tell. */
  readonly heldMs: number | null;
}

/** One kind of a server's own work during a trial. */
export interface EventTimeline {
  readonly count: number;
  readonly totalMs: number;
  readonly longestMs: number;
  /** Sum over the events that report it; null where none does. */
  readonly bytes: number | null;
  /** Encoded histogram of the durations in ns, of the events that the server tells of one by one (EventSum). */
  readonly durations: string;
  /** The marks in the order of their beginnings. If there are too many to keep, neighbouring events share one mark. */
  readonly marks: readonly EventMark[];
}

/**
 * An event, a sum of the server's, or the longest of several events: `count`, `totalMs` and `totalBytes` are of them
 * all.
 */
export interface EventMark {
  /** Its beginning in ms since that of the measured phase; negative if it began before the phase. */
  readonly atMs: number;
  readonly durationMs: number;
  readonly bytes: number | null;
  /** EventSum.spanMs, and its count; null: an event that the server told of by itself. */
  readonly sum: { readonly count: number; readonly spanMs: number } | null;
  readonly count: number;
  readonly totalMs: number;
  readonly totalBytes: number | null;
}

/** A variant on a target over its repeats. Only trials with status ok count. */
export interface CellSummary extends Cell {
  /** Rows per second (or calls per second where no rows move). */
  readonly rowsPerSecond: Interval | null;
  readonly callsPerSecond: Interval | null;
  readonly elapsedMs: Interval | null;
  /**
   * Percentiles over the merged histogram of all repeats, of response times from the intended start where there is a
   * `load`, else of service times; null where samples are too few.
   */
  readonly latencyMs: LatencySummary;
  /** Merged histogram, encoded. */
  readonly histogram: string | null;
  /** Null: a closed loop on each connection. */
  readonly load: LoadSummary | null;
  /** Null where calls commit by themselves. */
  readonly commits: CommitSummary | null;
  readonly outliers: readonly OutlyingTrial[];
  /** Custom statements in the order of the file, or the parts of a copy; absent: the cell has other work. */
  readonly statements?: readonly StatementSummary[];
  readonly ok: number;
  readonly failed: number;
  readonly firstError: ErrorData | null;
  /** Share of client time (0…1) in generation, encoding, calls, pauses before retries; null before any result. */
  readonly clientShare: {
    readonly generate: number;
    readonly encode: number;
    readonly inCalls: number;
    readonly paused: number;
    readonly other: number;
  } | null;
  /** The time of the client processes by activity; null before any result. */
  readonly clientTime: ClientShares | null;
  /**
   * A mean call, and a mean begin, commit or rollback, as seen at the sessions' sockets; null where there is none, or
   * none of their own.
   */
  readonly call: CallMeans | null;
  readonly transaction: CallMeans | null;
  /** Null where write conflicts undid nothing. */
  readonly conflicts: Conflicts | null;
  readonly clientSaturated: boolean;
  /** Beside its trials; null: the engine works inside the client process, or no trial went well. */
  readonly roundTrip: RoundTripSummary | null;
  /** Null where client and server were connected without a network emulator. */
  readonly network: NetworkSummary | null;
  /** The least that its trials were verified for (see verified.ts); null before any result. */
  readonly verification: Verification | null;
  /** The server's storage for a row at the end of the trials, including free space within pages; null if unknown. */
  readonly storedBytesPerRow: StoredPerRow | null;
  /** Null where key and indexes were there before the rows. */
  readonly buildCost: BuildCost | null;
  /** The reasons in its calls' rows that keep it from being compared; empty: there are none. */
  readonly rowProblems: readonly RowProblem[];
}

/** Units of work of a load of its own, over the repeats of a cell (see LoadCounts). */
export interface LoadSummary extends LoadRates {
  readonly model: LoadModel;
  /** Pauses of users for each unit that ended, by think times and the steps of scenarios; null: none did. */
  readonly thinkMs: number | null;
  readonly response: LatencySummary;
  readonly wait: LatencySummary;
  /** Service time of the calls. */
  readonly service: LatencySummary;
  readonly startError: LatencySummary;
  /** Units that were not over when the last one had arrived, mean of the repeats; null: nothing arrives. */
  readonly backlog: number | null;
  /** Units that were given up when the drain was over. */
  readonly unfinished: number;
  /** The throughput is the load's: it says nothing of how fast the server is. */
  readonly setsThroughput: boolean;
  /** The generator was so late with starts that it shows in the response. */
  readonly generatorLate: boolean;
}

/** Commits of several calls together, over the repeats of a cell: from COMMIT to its answer. */
export interface CommitSummary {
  /** Percentiles of all repeats together; its count is that of the commits. */
  readonly latencyMs: LatencySummary;
  /** Geometric mean of the repeats' mean latencies. */
  readonly meanMs: Interval | null;
  readonly rowsPerCommit: number;
}

/** A round trip to the server without the calls' work, over the repeats of a cell. */
export interface RoundTripSummary {
  /** Median of the repeats: the cheapest statement, and what a network emulator added to it. */
  readonly cheapestMs: number;
  /**
   * The network's part of it, between bounds: the shortest TCP handshake with and without what the first use of its
   * code may have added, or what a network emulator added. 0 on one machine; null: not seen, or not under the same
   * conditions.
   */
  readonly network: { readonly leastMs: number; readonly mostMs: number } | null;
  /** The connections end on this machine, and no network emulator was in between. */
  readonly sameMachine: boolean;
  /** The tunnel that the calls went through, which hides the network behind it; null if there was none. */
  readonly tunnel: TunnelKind | null;
}

/** The network emulator between client and server, over the repeats of a cell. */
export interface NetworkSummary {
  readonly roundTrips: number;
  /** The intended and the actual mean increase of a round trip; null if none was measured. */
  readonly intendedMs: number | null;
  readonly addedMs: number | null;
  /** Percentiles of what was added; null where the round trips are too few. */
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
  /** Returned or changed; null for transactions. */
  readonly rowsPerCall: number | null;
  readonly latencyMs: LatencySummary;
  readonly histogram: string | null;
  /** Calls that failed, and how long they took together. */
  readonly failed: { readonly calls: number; readonly ms: number };
  /** Kind of error → count. */
  readonly errors: Readonly<Record<string, number>>;
}

/** Bytes, and where they are: those of a disk and those of memory are different things. */
interface StoredPerRow {
  readonly table: number;
  readonly index: number;
  readonly medium: Medium;
}

export type Medium = NonNullable<StoredBytes['medium']>;

/** The cost of write conflicts (deadlocks and serialization failures) to a cell over its repeats. */
export interface Conflicts {
  /** Tries that were repeated, and units of work given up after the last one. */
  readonly retries: number;
  readonly gaveUp: number;
  /** Null where no call commits. */
  readonly retriesPer100Commits: number | null;
  /**
   * Share (0…1) of connections × elapsed time that went into attempts which were rolled back, pauses after them
   * included.
   */
  readonly lostShare: number;
}

export interface Ratio extends Cell {
  /** This cell ÷ baseline, of throughput. */
  readonly ratio: Interval;
  /**
   * notComparable: there is a reason not to compare one of both (compare/comparable.ts). setByLoad: the one with less
   * throughput did all that its load asked for, and may be the faster one.
   */
  readonly verdict:
    | 'faster'
    | 'slower'
    | 'notSignificant'
    | 'notEnoughRepeats'
    | 'notComparable'
    | 'setByLoad'
    | 'baseline';
  /** Other rows came back on one side: the ratio is that of different work, and is not shown. Absent: it is shown. */
  readonly otherRows?: true;
  /** The method of the bounds (stats/compare-means.ts); null for the baseline. */
  readonly method: 'bootstrap' | 'welch' | null;
  /**
   * Repeats on each side that are expected to narrow the interval to ± 5 %; null for the baseline, and where the
   * scatter is not known.
   */
  readonly repeatsNeeded: number | null;
}

/**
 * The one number of a target against the baseline's: the geometric mean of its ratios over the variants that both have.
 */
export interface MeanRatio {
  readonly target: string;
  readonly variants: number;
  readonly ratio: Interval;
  readonly verdict: Exclude<Ratio['verdict'], 'baseline'>;
}

/** A repeat far from the others of its cell, by its score and by 10 % at least. It counts like they do. */
export interface OutlyingTrial {
  readonly trial: number;
  readonly repeat: number;
  /** Throughput, as the cell's. */
  readonly value: number;
  /** Modified z-score of its logarithm (stats/outliers.ts). */
  readonly score: number;
}

export interface Caveat {
  readonly severity: 'info' | 'warning' | 'error';
  /** The cell that it is about; null means the whole run. */
  readonly cell: Partial<Cell> | null;
  readonly title: string;
  readonly text: string;
}

/** Key and indexes of a cell that were made when the rows were there. */
export interface BuildCost {
  /** Each with its mean time over the repeats, in the order in which they were made. */
  readonly parts: readonly { readonly part: string; readonly ms: number }[];
  readonly totalMs: Interval;
  /** Throughput counts that time: the rows of the trial went in before. */
  readonly counted: boolean;
  /** Rows per second while they went in, that time left out; null where it is not counted. */
  readonly loadPerSecond: Interval | null;
}

/** A run before its caveats are worked out, which are found from all the rest. */
export type RunWithoutCaveats = Omit<RunModel, 'caveats'>;
