import type { EngineConfig } from '#engine-api/config.ts';
import type { StoredBytes } from '#engine-api/database.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { Dataset, IndexPlan, PlansByName, TablePlan } from '#model/dataset/dataset.ts';
import type { StoredAs } from '#model/dataset/stored-type.ts';
import type { ErrorData, Result } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { ShownRows, StatementMix, TriedStatement, UserTable } from '#model/statements/statements.ts';
import type { Phase, Snapshot, TimedCall, WorkerResult } from './measurement.ts';
import type { Plan } from './plan.ts';

/**
 * Host ↔ worker, over child_process IPC with 'advanced' serialization. Two roles: a `control` worker per target and run (schema, load,
 * settle, probes, verification; never inside the clock) and fresh `client` workers per trial.
 *
 * client: hello → init → ready → prepare → prepared → warmup → warm → measure → snapshot… → result → exit; calls reported one by one: each is
 * called → nextCall
 */
export type ToWorker =
  | {
      readonly type: 'init';
      readonly role: 'control' | 'client';
      readonly engine: string;
      readonly config: EngineConfig;
      readonly tag: string;
    }
  | { readonly type: 'request'; readonly id: number; readonly request: ControlRequest }
  | { readonly type: 'prepare'; readonly job: ClientJob }
  | { readonly type: 'warmup' }
  | { readonly type: 'measure' }
  /** The call that was reported has been taken down: the next may begin. */
  | { readonly type: 'nextCall' }
  /** Ends the measured phase now, keeps what was counted. `cancel` also stops running statements at the server. */
  | { readonly type: 'stop'; readonly cancel: boolean }
  | { readonly type: 'exit' };

export type ToHost =
  | { readonly type: 'hello'; readonly pid: number }
  | { readonly type: 'ready' }
  | { readonly type: 'response'; readonly id: number; readonly result: Result<unknown> }
  | {
      readonly type: 'progress';
      readonly phase: Phase;
      readonly rows: number;
      readonly of: number;
      readonly what?: string;
    }
  | { readonly type: 'prepared' }
  | { readonly type: 'warm' }
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  /** A call that is reported by itself (measure.calls); the worker waits for `nextCall`. */
  | { readonly type: 'called'; readonly call: TimedCall }
  | { readonly type: 'result'; readonly result: WorkerResult }
  | { readonly type: 'failed'; readonly error: ErrorData };

/** What a control worker does on request; `ControlAnswers` has the answer of each. */
export type ControlRequest =
  | { readonly call: 'fingerprint' }
  | { readonly call: 'prepareSchema'; readonly table: TablePlan }
  | {
      readonly call: 'load';
      readonly table: TablePlan;
      readonly dataset: Dataset;
      readonly storedAs: StoredAs;
      readonly rows: number;
      /** The table as its progress is told of it; absent: there is no other. */
      readonly what?: string;
    }
  | {
      readonly call: 'verifyRanges';
      readonly table: TablePlan;
      readonly dataset: Dataset;
      readonly settings: Settings;
      readonly rows: number;
    }
  | { readonly call: 'addKey'; readonly table: TablePlan }
  | { readonly call: 'addIndex'; readonly table: TablePlan; readonly index: IndexPlan }
  | { readonly call: 'settle'; readonly table: TablePlan }
  | { readonly call: 'emptyCache' }
  | { readonly call: 'probe' }
  | { readonly call: 'probeInfo' }
  | { readonly call: 'checksum'; readonly table: TablePlan }
  | { readonly call: 'storedBytes'; readonly table: TablePlan }
  | { readonly call: 'untrustedForeignKeys'; readonly table: TablePlan }
  | { readonly call: 'drop'; readonly table: TablePlan }
  | { readonly call: 'dropLeftovers'; readonly namePrefix: string }
  | { readonly call: 'roundTrip'; readonly seconds: number }
  | { readonly call: 'generation'; readonly dataset: Dataset; readonly seconds: number }
  | { readonly call: 'userTables' }
  /** A query of the user's own without parameters: its first rows as text. */
  | {
      readonly call: 'query';
      readonly text: string;
      readonly tables: PlansByName;
      readonly options: Options;
      readonly most: number;
    }
  /** Runs the only item of a mix once, and rolls back. */
  | {
      readonly call: 'tryOnce';
      readonly mix: StatementMix;
      readonly tables: LoadedTables;
      readonly settings: Settings;
      readonly options: Options;
      /** What the file says of statements, where it does. */
      readonly declaredReads: Readonly<Record<string, boolean>>;
    }
  | { readonly call: 'abort' };

/** What a fixed set of ranges was found to hold, by the trial's own call and by the server's own sums, against what was generated. */
export interface RangeCheck {
  readonly ranges: number;
  /** Rows in all of them. */
  readonly rows: number;
  /** The first that is wrong, in words; null: all are right. */
  readonly wrong: string | null;
}

/** From the request to the server until its answer. */
export interface TookMs {
  readonly ms: number;
}

export interface ControlAnswers {
  readonly fingerprint: Fingerprint;
  readonly prepareSchema: null;
  /** Checksum of the loaded rows as generated. */
  readonly load: TableChecksum;
  readonly verifyRanges: RangeCheck;
  readonly addKey: TookMs;
  readonly addIndex: TookMs;
  readonly settle: null;
  readonly emptyCache: null;
  readonly probe: ProbeSample;
  readonly probeInfo: Readonly<Record<string, ProbeInfo>>;
  readonly checksum: TableChecksum | null;
  readonly storedBytes: StoredBytes | null;
  readonly untrustedForeignKeys: number | null;
  readonly drop: null;
  readonly dropLeftovers: readonly string[];
  readonly roundTrip: { readonly perSecond: number; readonly p50Us: number; readonly p99Us: number };
  readonly generation: { readonly rowsPerSecond: number };
  readonly userTables: readonly UserTable[];
  readonly query: ShownRows;
  readonly tryOnce: readonly TriedStatement[];
  readonly abort: null;
}

/** A table with rows in it. */
interface LoadedTable {
  readonly table: TablePlan;
  readonly dataset: Dataset;
  /** Its rows 0 … rows − 1 are there. */
  readonly rows: number;
}
export type LoadedTables = Readonly<Record<string, LoadedTable>>;

export const plansOf = (tables: LoadedTables): PlansByName =>
  Object.fromEntries(Object.entries(tables).map(([name, { table }]) => [name, table]));

/** Everything a client worker needs for its share of a trial. */
export interface ClientJob {
  /** 0…workers−1, and how many there are. */
  readonly worker: number;
  readonly workers: number;
  /** Without columns: there is none. */
  readonly table: TablePlan;
  readonly dataset: Dataset;
  readonly settings: Settings;
  /** For operation: copy, what is read; absent otherwise. */
  readonly source?: TablePlan;
  /** Where that is; absent: at the worker's own target. May hold secrets. */
  readonly sourceTarget?: { readonly engine: string; readonly config: EngineConfig };
  /** For operation: statement; absent otherwise. */
  readonly mix?: StatementMix;
  /** All that its statements name, the dataset's included. */
  readonly tables?: LoadedTables;
  /** Connections of this worker: a share of settings.connections. */
  readonly connections: number;
  readonly measure: Plan['measure'];
  /** Rows already in the table (or in the source): keys 0…loadedRows−1 exist, new rows are numbered from here. */
  readonly loadedRows: number;
  /** Differs by trial, so that key choices differ; generated rows depend on dataset.seed alone. */
  readonly trialSeed: number;
}
