import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import type { ErrorData } from '#model/error.ts';
import type { CalibrationEntry, Phase, Snapshot, TrialResult } from './measurement.ts';
import type { Cell, Plan, PlannedTrial } from './plan.ts';

/** The version that this program writes. A reader refuses newer ones with a message. */
export const journalVersion = 1;

/** The software and hardware that ran the workers. */
export interface Environment {
  readonly app: string;
  readonly runtime: Readonly<Record<string, string>>;
  readonly drivers: Readonly<Record<string, string>>;
  readonly os: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
}

/** A target as found at the start of the run. */
export interface TargetRecord {
  readonly name: string;
  readonly engine: string;
  readonly descriptor: EngineDescriptor;
  /** The address without secrets. */
  readonly address: string;
  readonly details: Readonly<Record<string, string>>;
  readonly fingerprint: Fingerprint | null;
  readonly probeInfo: Readonly<Record<string, ProbeInfo>>;
  /** Why the target could not be used; the journal records its trials as failed, and the other targets run. */
  readonly error: ErrorData | null;
}

/** A cell's interval after a complete round of trials. */
export interface CellPrecision extends Cell {
  /** The quantity of the interval: the ratio to the baseline where the cell has one, else the mean throughput. */
  readonly of: 'ratio' | 'mean';
  /**
   * Half the width of the 95 % interval, as a share of its value; null where too few repeats succeeded for an interval.
   */
  readonly halfWidth: number | null;
}

/**
 * The precision after a complete round of trials, for a run with a variable number of repeats (measure.until.precision).
 */
export interface Precision {
  /** Number of the last complete round. */
  readonly round: number;
  readonly relativeMargin: number;
  /**
   * The widest interval first. The list omits the baselines of ratios and, where other targets exist, reference targets
   * and stand-ins, which need no verdict.
   */
  readonly cells: readonly CellPrecision[];
  /** Expected number of further rounds for the widest interval; null where its scatter is unknown. */
  readonly roundsMore: number | null;
}

/**
 * Why no more rounds follow. narrow: every interval is narrow enough; budget: another round would exceed the time
 * budget; max: all rounds are done and some interval is still too wide; nothing: no trial succeeded.
 */
export type EnoughReason = 'narrow' | 'budget' | 'max' | 'nothing';

/** A file that the experiment's parameters take values from, as the run found it. */
interface FoundFile {
  /** The file's name in the experiment. */
  readonly file: string;
  readonly sha256: string;
}

/** Location and contents of the files that an experiment names. */
export interface FoundFiles {
  readonly folder: string;
  readonly files: readonly FoundFile[];
}

/** One line of a run journal. `at` is ISO wall-clock time; no duration is computed from it. */
export type JournalRecord =
  | {
      readonly record: 'header';
      readonly version: typeof journalVersion;
      readonly runId: string;
      readonly at: string;
      readonly yaml: string;
      readonly plan: Plan;
      readonly environment: Environment;
      /** Absent: the experiment names no files. */
      readonly files?: FoundFiles;
    }
  | { readonly record: 'target'; readonly at: string; readonly target: TargetRecord }
  | { readonly record: 'calibration'; readonly at: string; readonly entries: readonly CalibrationEntry[] }
  | { readonly record: 'trial'; readonly at: string; readonly trial: PlannedTrial }
  | { readonly record: 'phase'; readonly at: string; readonly trial: number; readonly phase: Phase }
  | { readonly record: 'snapshot'; readonly trial: number; readonly snapshot: Snapshot }
  /**
   * One probe of the server during the measured phase; atMs: ms since the phase's start. The first sample is the
   * baseline, without events. An event of a later sample began at atMs − agoMs. tookMs: from the request to the answer;
   * absent in runs of older versions.
   */
  | {
      readonly record: 'probe';
      readonly trial: number;
      readonly atMs: number;
      readonly tookMs?: number;
      readonly sample: ProbeSample;
    }
  | { readonly record: 'result'; readonly at: string; readonly result: TrialResult }
  /**
   * Written after the last round where repeats may vary. A resumed run that makes up for an unreachable target decides
   * again after that.
   */
  | { readonly record: 'enough'; readonly at: string; readonly reason: EnoughReason; readonly precision: Precision }
  | { readonly record: 'resumed'; readonly at: string }
  | { readonly record: 'end'; readonly at: string; readonly status: 'complete' | 'cancelled' };

/**
 * A line of a run file that is no record, or a record with invalid values. The reader skips it and reads the rest of
 * the run.
 */
export interface DamagedLine {
  readonly record: 'damaged';
  /** Line number, from 1. */
  readonly line: number;
  /** Number of the record's trial; null: unreadable. */
  readonly trial: number | null;
  /** The problem of the line, as a sentence. */
  readonly message: string;
}

/** A record of a kind that only newer versions know. */
interface UnknownLine {
  readonly record: 'unknown';
  readonly line: number;
  readonly kind: string;
}

/** One line of a run file, as parsed. */
export type JournalEntry = JournalRecord | DamagedLine | UnknownLine;
