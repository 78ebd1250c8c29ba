import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import type { ErrorData } from '#model/error.ts';
import type { CalibrationEntry, Phase, Snapshot, TrialResult } from './measurement.ts';
import type { Cell, Plan, PlannedTrial } from './plan.ts';

/** The version this program writes. A reader refuses newer ones and says so. */
export const journalVersion = 1;

/** What ran the workers and on what. */
export interface Environment {
  readonly app: string;
  readonly runtime: Readonly<Record<string, string>>;
  readonly drivers: Readonly<Record<string, string>>;
  readonly os: string;
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
}

/** A target as it was found at the start of the run. */
export interface TargetRecord {
  readonly name: string;
  readonly engine: string;
  readonly descriptor: EngineDescriptor;
  /** Without secrets. */
  readonly address: string;
  readonly details: Readonly<Record<string, string>>;
  readonly fingerprint: Fingerprint | null;
  readonly probeInfo: Readonly<Record<string, ProbeInfo>>;
  /** Why the target could not be used; its trials are recorded as failed, the others go on. */
  readonly error: ErrorData | null;
}

/** A cell's interval after a whole round of trials. */
export interface CellPrecision extends Cell {
  /** What the interval is of: the ratio to the baseline where the cell has one; the mean throughput where nothing is compared with it. */
  readonly of: 'ratio' | 'mean';
  /** Half the width of the 95 % interval, as a share of its value; null where the repeats that went well are too few for one. */
  readonly halfWidth: number | null;
}

/** What is known after a whole round of trials, of a run whose repeats may vary (measure.repeats { min, max, relativeMargin }). */
export interface Precision {
  /** The last round that is done. */
  readonly round: number;
  readonly relativeMargin: number;
  /**
   * The widest interval first. Without those that ratios refer to, and where there are
   * others without reference targets and stand-ins, of which nobody wants a verdict.
   */
  readonly cells: readonly CellPrecision[];
  /** More rounds that the widest interval is expected to need; null where its scatter is not known yet. */
  readonly roundsMore: number | null;
}

/**
 * Why no more rounds follow. narrow: every interval is; budget: another round would pass it; max: all rounds are done and some interval
 * is still wider than wanted; nothing: no trial went well, and more would tell no more.
 */
export type EnoughReason = 'narrow' | 'budget' | 'max' | 'nothing';

/** A file whose values the experiment's parameters are drawn from, as the run found it. */
interface FoundFile {
  /** As the experiment names it. */
  readonly file: string;
  readonly sha256: string;
}

/** Where the files are that an experiment names, and what they hold. */
export interface FoundFiles {
  readonly folder: string;
  readonly files: readonly FoundFile[];
}

/** One line of a run journal. `at` is wall-clock ISO time; durations never come from it. */
export type JournalRecord =
  | {
      readonly record: 'header';
      readonly version: typeof journalVersion;
      readonly runId: string;
      readonly at: string;
      readonly yaml: string;
      readonly plan: Plan;
      readonly environment: Environment;
      /** Absent: the experiment names none. */
      readonly files?: FoundFiles;
    }
  | { readonly record: 'target'; readonly at: string; readonly target: TargetRecord }
  | { readonly record: 'calibration'; readonly at: string; readonly entries: readonly CalibrationEntry[] }
  | { readonly record: 'trial'; readonly at: string; readonly trial: PlannedTrial }
  | { readonly record: 'phase'; readonly at: string; readonly trial: number; readonly phase: Phase }
  | { readonly record: 'snapshot'; readonly trial: number; readonly snapshot: Snapshot }
  /**
   * One probe of the server during the measured phase; atMs since its start. The first is the "before", without events: those are of
   * what was done earlier. An event of the others began at atMs − agoMs. tookMs: from asking to the answer; absent in runs of older versions.
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
   * Written after the last round where repeats may vary. A run that is resumed after it, for a target that could not be reached, decides
   * anew when that has been made up for.
   */
  | { readonly record: 'enough'; readonly at: string; readonly reason: EnoughReason; readonly precision: Precision }
  | { readonly record: 'resumed'; readonly at: string }
  | { readonly record: 'end'; readonly at: string; readonly status: 'complete' | 'cancelled' };

/**
 * A line of a run file that cannot be used: no record, or one whose values are not what they must be. What it would have said is not known;
 * the rest of the run is.
 */
export interface DamagedLine {
  readonly record: 'damaged';
  /** Counts from 1. */
  readonly line: number;
  /** The trial that it is about; null: that cannot be read either. */
  readonly trial: number | null;
  /** What is wrong with it, in a sentence. */
  readonly message: string;
}

/** A record of a kind that a newer version writes. */
interface UnknownLine {
  readonly record: 'unknown';
  readonly line: number;
  readonly kind: string;
}

/** What a line of a run file was found to be. */
export type JournalEntry = JournalRecord | DamagedLine | UnknownLine;
