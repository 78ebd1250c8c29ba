import type { ErrorData } from '#contract/error.ts';
import type { Environment, TargetRecord } from '#contract/journal.ts';
import type { CalibrationEntry, Phase, TrialResult, Verification } from '#contract/measurement.ts';
import type { Cell, Plan, PlannedTrial, SkippedCell } from '#contract/plan.ts';
import type { Interval } from '#stats/intervals.ts';

export type { Interval };

/**
 * A run as read from its journal: what the window, the command line and the report show. Built by analysis/read-run.ts
 * record by record, so the live view and a finished run are the same thing at different moments.
 */
export interface RunModel {
  readonly runId: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** interrupted: the journal ends without an end record and nobody is writing it. */
  readonly status: 'running' | 'complete' | 'cancelled' | 'interrupted';
  readonly plan: Plan;
  readonly yaml: string;
  readonly environment: Environment;
  readonly targets: readonly TargetRecord[];
  readonly calibration: readonly CalibrationEntry[];
  /** In execution order; null result: not run yet (or lost in a crash). */
  readonly trials: readonly TrialView[];
  readonly cells: readonly CellSummary[];
  readonly skipped: readonly SkippedCell[];
  readonly caveats: readonly Caveat[];
}

export interface TrialView {
  readonly trial: PlannedTrial;
  readonly phase: Phase | null;
  /** When its measured phase began, ms since the run did (pauses before a resume left out); null before that. */
  readonly measuredFromMs: number | null;
  readonly result: TrialResult | null;
  readonly series: TrialSeries;
}

/** Per-second series of one trial, all workers merged; every array has one value per entry of atMs. */
export interface TrialSeries {
  readonly atMs: readonly number[];
  readonly rowsPerSecond: readonly number[];
  readonly callsPerSecond: readonly number[];
  readonly errorsPerSecond: readonly number[];
  readonly p50Ms: readonly (number | null)[];
  readonly p95Ms: readonly (number | null)[];
  readonly p99Ms: readonly (number | null)[];
  readonly maxMs: readonly (number | null)[];
  /** Cores used by all client processes; highest event-loop utilisation among them. */
  readonly clientCores: readonly number[];
  readonly eventLoopUtilisation: readonly number[];
  readonly rssBytes: readonly number[];
  /** Per-second differences of the server's counters; atMs of their own. */
  readonly probes: Readonly<
    Record<string, { readonly atMs: readonly number[]; readonly perSecond: readonly number[] }>
  >;
  /** The server's gauges as sampled (sessions by wait event, pages…); atMs of their own. */
  readonly gauges: Readonly<Record<string, { readonly atMs: readonly number[]; readonly values: readonly number[] }>>;
}

/** One variant on one target over its repeats. Only trials with status ok count. */
export interface CellSummary extends Cell {
  /** Rows per second (or calls per second where no rows move). */
  readonly rowsPerSecond: Interval | null;
  readonly callsPerSecond: Interval | null;
  readonly elapsedMs: Interval | null;
  /** Service-time percentiles over the merged histogram of all repeats; null where samples are too few. */
  readonly latencyMs: {
    readonly p50: number | null;
    readonly p90: number | null;
    readonly p95: number | null;
    readonly p99: number | null;
    readonly p999: number | null;
    readonly max: number | null;
    readonly mean: number | null;
    readonly count: number;
  };
  /** Merged histogram, encoded. */
  readonly histogram: string | null;
  readonly ok: number;
  readonly failed: number;
  readonly firstError: ErrorData | null;
  /** Share of client time (0…1) in generation, encoding, calls; null before any result. */
  readonly clientShare: {
    readonly generate: number;
    readonly encode: number;
    readonly inCalls: number;
    readonly other: number;
  } | null;
  readonly clientSaturated: boolean;
  /** The least that its trials were verified for (see verified.ts); null before any result. */
  readonly verification: Verification | null;
  /** What the server stores for a row at the end of the trials, free space within pages included; null where it is not known. */
  readonly storedBytesPerRow: { readonly table: number; readonly index: number } | null;
}

export interface Ratio extends Cell {
  /** This cell ÷ baseline, of throughput. */
  readonly ratio: Interval;
  readonly verdict: 'faster' | 'slower' | 'noDifferenceShown' | 'baseline' | 'notEnoughRepeats';
}

export interface Caveat {
  readonly severity: 'info' | 'warning' | 'error';
  /** Where it belongs: null means the whole run. */
  readonly cell: Partial<Cell> | null;
  readonly title: string;
  readonly text: string;
}
