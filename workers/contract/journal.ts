import type { EngineDescriptor, Fingerprint, ProbeInfo, ProbeSample } from './engine.ts';
import type { ErrorData } from './error.ts';
import type { CalibrationEntry, Phase, Snapshot, TrialResult } from './measurement.ts';
import type { Plan, PlannedTrial } from './plan.ts';

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
    }
  | { readonly record: 'target'; readonly at: string; readonly target: TargetRecord }
  | { readonly record: 'calibration'; readonly at: string; readonly entries: readonly CalibrationEntry[] }
  | { readonly record: 'trial'; readonly at: string; readonly trial: PlannedTrial }
  | { readonly record: 'phase'; readonly at: string; readonly trial: number; readonly phase: Phase }
  | { readonly record: 'snapshot'; readonly trial: number; readonly snapshot: Snapshot }
  /** One probe of the server during the measured phase; atMs since its start. The first is the "before". */
  | { readonly record: 'probe'; readonly trial: number; readonly atMs: number; readonly sample: ProbeSample }
  | { readonly record: 'result'; readonly at: string; readonly result: TrialResult }
  | { readonly record: 'resumed'; readonly at: string }
  | { readonly record: 'end'; readonly at: string; readonly status: 'complete' | 'cancelled' };
