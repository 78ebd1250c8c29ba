import type { EngineConfig } from '#engine-api/config.ts';
import type { DroppedTables, FreeSpace, SessionOwners, StoredBytes } from '#engine-api/database.ts';
import type { Fingerprint } from '#engine-api/fingerprint.ts';
import type { KeptStatements } from '#engine-api/kept-statements.ts';
import type { PageUse } from '#engine-api/page-use.ts';
import type { ProbeInfo, ProbeSample } from '#engine-api/probe.ts';
import type { SetupPlan } from '#engine-api/setup.ts';
import type { AnsweredRows } from '#engine-api/statement.ts';
import type { AskedTable, TableFacts } from '#engine-api/table-facts.ts';
import type { WaitTotal } from '#engine-api/waits.ts';
import type { TableChecksum } from '#model/batch/batch.ts';
import type { Dataset, PlansByName, TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';
import type { StoredAs } from '#model/dataset/stored-type.ts';
import type { ErrorData, Result } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import type {
  AskedParameters,
  ParameterChanges,
  ParameterState,
  ServerParameter,
  ServerParameters,
} from '#model/settings/server-parameters.ts';
import type { SessionSettings } from '#model/settings/session-settings.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { StatementMix, TriedStatement, UserTable } from '#model/statements/statements.ts';
import type {
  ComparedAnswers,
  GivenAnswers,
  LoadedRows,
  Phase,
  Snapshot,
  TimedCall,
  WorkerResult,
} from './measurement.ts';
import type { Plan } from './plan.ts';
import type { AskedPlan, PlanMoment } from './query-plans.ts';
import type { StoredFacts, StoreRequest } from './stored-rows.ts';
import type { FiguresRequest, TableFigures } from './table-figures.ts';

/**
 * The messages of a host to its worker processes, over child_process IPC with 'advanced' serialization. A run has one
 * `control` worker per target (schema, load, settle, probes, verification; none of it is timed) and new `client`
 * workers per trial; if several processes load its table, workers that only `load` come before them. client: hello →
 * init → loaded → ready → prepare → prepared → warmup → queryPlans → warm → measure → snapshot… → measured → counted →
 * queryPlans → result → exit; where each call is reported by itself (measure.until.calls), it adds called → nextCall.
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
  /** `atNs`: when to begin, by process.hrtime on the worker's machine; null: at once. */
  | { readonly type: 'measure'; readonly atNs: string | null }
  /** The server's counters of the measured phase were read: further requests to the server no longer change them. */
  | { readonly type: 'counted' }
  /** The host has recorded the reported call: the next one may begin. */
  | { readonly type: 'nextCall' }
  /** Ends the measured phase now and keeps its counts. `cancel` also stops running statements at the server. */
  | { readonly type: 'stop'; readonly cancel: boolean }
  | { readonly type: 'exit' };

/** Messages of a worker process to its host. */
export type ToHost =
  | { readonly type: 'hello'; readonly pid: number }
  /** The driver is loaded; the worker logs in now. */
  | { readonly type: 'loaded' }
  /**
   * `identities`: see Database.identities(). `endsHere`: true if every connection ends on the worker's machine, at the
   * server or at a proxy or tunnel before it; null: it has none that could be observed.
   */
  | { readonly type: 'ready'; readonly identities: readonly string[]; readonly endsHere: boolean | null }
  | { readonly type: 'response'; readonly id: number; readonly result: Result<unknown> }
  | {
      readonly type: 'progress';
      readonly phase: Phase;
      readonly rows: number;
      readonly of: number;
      readonly what?: string;
    }
  | { readonly type: 'prepared' }
  /** Comes before `warm` and before `result`, from the first worker of a trial alone. */
  | { readonly type: 'queryPlans'; readonly when: PlanMoment; readonly plans: readonly AskedPlan[] }
  | { readonly type: 'warm' }
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  /** The result of one call (measure.until.calls); the worker waits for `nextCall`. */
  | { readonly type: 'called'; readonly call: TimedCall }
  /** Nothing is in flight any more, and all is committed; the worker goes on with what was acknowledged. */
  | { readonly type: 'measured'; readonly lastEndNs: WorkerResult['lastEndNs'] }
  | { readonly type: 'result'; readonly result: WorkerResult }
  | { readonly type: 'failed'; readonly error: ErrorData };

/** A range of a dataset's rows by their numbers from 0: from `first` up to, but not including, `end`. */
export interface RowRange {
  readonly first: number;
  readonly end: number;
}

/**
 * The requests to a control worker; `ControlAnswers` has the answer to each. A client worker answers `load`, where a
 * table is loaded by several processes, and `abort`.
 */
export type ControlRequest =
  /** Sends the cheapest statement, because a server may accept every login and then answer nothing. */
  | { readonly call: 'ping' }
  | { readonly call: 'fingerprint' }
  | { readonly call: 'prepareSchema'; readonly table: TablePlan }
  | {
      readonly call: 'load';
      readonly table: TablePlan;
      readonly dataset: Dataset;
      readonly storedAs: StoredAs;
      readonly rows: RowRange;
      /** The table's name in progress messages; absent: there is only one. */
      readonly what?: string;
    }
  /** Reads the rows of a file of this machine, and stores them for the workers of a run. */
  | { readonly call: 'storeRows'; readonly store: StoreRequest }
  | {
      readonly call: 'verifyRanges';
      readonly table: TablePlan;
      readonly dataset: Dataset;
      readonly settings: Settings;
      readonly rows: number;
    }
  | { readonly call: 'addKey'; readonly table: TablePlan }
  | { readonly call: 'addIndex' | 'removeIndex'; readonly table: TablePlan; readonly index: IndexPlan }
  | { readonly call: 'setUp'; readonly plan: SetupPlan }
  | { readonly call: 'settle'; readonly table: TablePlan }
  | { readonly call: 'emptyCache' }
  | { readonly call: 'probe' }
  | { readonly call: 'waits' }
  | { readonly call: 'probeInfo' }
  | { readonly call: 'checksum'; readonly table: TablePlan }
  | { readonly call: 'storedBytes'; readonly table: TablePlan }
  | { readonly call: 'pageUse'; readonly table: TablePlan }
  | { readonly call: 'untrustedForeignKeys'; readonly table: TablePlan }
  | { readonly call: 'drop'; readonly table: TablePlan }
  | { readonly call: 'leftovers'; readonly namePrefix: string }
  | { readonly call: 'dropLeftovers'; readonly namePrefix: string }
  | { readonly call: 'sessionsOf'; readonly tag: string; readonly of: SessionOwners }
  | { readonly call: 'freeSpace' }
  | { readonly call: 'serverParameters'; readonly asked: AskedParameters }
  /** `hold`: takes the server's lock for changes first. `asked`: values that the run sets next; absent: none. */
  | {
      readonly call: 'parameterStates';
      readonly names: readonly string[];
      readonly hold: boolean;
      readonly asked?: ServerParameters;
    }
  | { readonly call: 'changeParameters'; readonly changes: ParameterChanges }
  /** Ends after this time, or after this many calls if they are done earlier. */
  | { readonly call: 'roundTrip'; readonly seconds: number; readonly calls?: number }
  | { readonly call: 'generation'; readonly dataset: Dataset; readonly seconds: number }
  | { readonly call: 'userTables' }
  /** `since`: a time in ISO 8601; null: all that the server has counted. */
  | { readonly call: 'keptStatements'; readonly since: string | null }
  | { readonly call: 'tableFacts'; readonly asked: readonly AskedTable[] }
  | (FiguresRequest & { readonly call: 'tableFigures' })
  /**
   * Sets the most statements in any second, from now on, of this connection and its sessions: the server is a
   * production one.
   */
  | { readonly call: 'cap'; readonly perSecond: number }
  /**
   * Runs the user's query without parameters and returns its first rows. `isUndone`: in a transaction that may only
   * read, where the engine has it, and that is rolled back; a text that may write is not run.
   */
  | {
      readonly call: 'query';
      readonly text: string;
      readonly tables: PlansByName;
      readonly options: Options;
      readonly most: number;
      readonly isUndone: boolean;
    }
  /** Runs the only item of a mix once, and rolls back. */
  | {
      readonly call: 'tryOnce';
      readonly mix: StatementMix;
      readonly tables: LoadedTables;
      readonly settings: Settings;
      readonly options: Options;
      /** The seed of the values. */
      readonly seed: number;
      /** The `reads` of each statement that the file declares. */
      readonly declaredReads: Readonly<Record<string, boolean>>;
      /** The settings of the session. Absent: none. */
      readonly session?: SessionSettings;
    }
  /** Asks the texts of statements and of a baseline with the same values, and compares their answers. */
  | (ComparisonRequest & { readonly call: 'compareAnswers' })
  /** Asks the text of each statement with drawn values. The members are those of `compareAnswers`. */
  | (Omit<ComparisonRequest, 'statements'> & {
      readonly call: 'giveAnswers';
      readonly statements: readonly AskedStatement[];
    })
  | { readonly call: 'abort' };

/** The parts of a request for answers to the same values. */
export interface ComparisonRequest {
  readonly statements: readonly ComparedStatement[];
  readonly tables: LoadedTables;
  readonly settings: Settings;
  readonly options: Options;
  /** The seed of the values. */
  readonly seed: number;
  /** Draws of the parameters for each statement. */
  readonly draws: number;
  /** Time for all statements together, ms. */
  readonly withinMs: number;
  /** The settings of the sessions. Absent: none. */
  readonly session?: SessionSettings;
}

/** A reading statement of Dyno's own tables: the mix has this statement alone. */
export interface AskedStatement {
  readonly name: string;
  readonly mix: StatementMix;
}

/** The statements of which calls are sampled, and their draws: those of the comparisons before the clock. */
export interface SampledCalls extends Pick<ComparisonRequest, 'seed' | 'draws'> {
  readonly statements: readonly AskedStatement[];
  /** Answers are documents, whose fields come in any order. */
  readonly isNamed: boolean;
}

/** A reading statement as two variants run it: each mix has this statement alone. */
export interface ComparedStatement {
  readonly name: string;
  /** The variant of the baseline's text. */
  readonly baseline: string;
  readonly baselineMix: StatementMix;
  readonly ownMix: StatementMix;
  /** Rows may be kept: they are of Dyno's own tables, or the file asks for rows of the user's tables. */
  readonly keepsRows: boolean;
  /** Values of lists may be kept, because the file asks for them. */
  readonly keepsLists: boolean;
}

/** The contents of fixed ranges, by the trial's own call and by the server's sums, against the generated rows. */
export interface RangeCheck {
  readonly ranges: number;
  /** Rows in all ranges together. */
  readonly rows: number;
  /** The first wrong range, as a sentence; null: all are right. */
  readonly wrong: string | null;
}

/** Duration from the request to the server until its answer. */
export interface TookMs {
  readonly ms: number;
}

/** The answers of a control worker by request (ControlRequest). */
export interface ControlAnswers {
  readonly ping: null;
  readonly fingerprint: Fingerprint;
  readonly prepareSchema: null;
  readonly load: LoadedRows;
  readonly storeRows: StoredFacts;
  readonly verifyRanges: RangeCheck;
  readonly addKey: TookMs;
  readonly addIndex: TookMs;
  readonly removeIndex: null;
  readonly setUp: null;
  readonly settle: null;
  readonly emptyCache: null;
  readonly probe: ProbeSample;
  /** Null: the server does not tell. */
  readonly waits: readonly WaitTotal[] | null;
  readonly probeInfo: Readonly<Record<string, ProbeInfo>>;
  readonly checksum: TableChecksum | null;
  readonly storedBytes: StoredBytes | null;
  readonly pageUse: PageUse | null;
  readonly untrustedForeignKeys: number | null;
  readonly drop: null;
  readonly leftovers: readonly string[];
  readonly dropLeftovers: DroppedTables;
  /** Null: the server does not tell. */
  readonly sessionsOf: number | null;
  /** Null: the server does not tell. */
  readonly freeSpace: FreeSpace | null;
  readonly serverParameters: Readonly<Record<string, ServerParameter>>;
  readonly parameterStates: Readonly<Record<string, ParameterState>>;
  /** The names of parameters that were not restored, because somebody else has changed them. */
  readonly changeParameters: readonly string[];
  readonly roundTrip: { readonly perSecond: number; readonly p50Us: number; readonly p99Us: number };
  readonly generation: { readonly rowsPerSecond: number };
  readonly userTables: readonly UserTable[];
  readonly keptStatements: KeptStatements;
  readonly tableFacts: readonly TableFacts[];
  readonly tableFigures: TableFigures;
  readonly cap: null;
  readonly query: AnsweredRows;
  readonly tryOnce: readonly TriedStatement[];
  readonly compareAnswers: readonly ComparedAnswers[];
  readonly giveAnswers: readonly GivenAnswers[];
  readonly abort: null;
}

/** A table with its number of rows. */
interface LoadedTable {
  readonly table: TablePlan;
  readonly dataset: Dataset;
  /** Rows 0 … rows − 1 exist. */
  readonly rows: number;
}
/** The tables of a trial, by name. */
export type LoadedTables = Readonly<Record<string, LoadedTable>>;

/** The plans of loaded tables, by name. */
export const plansOf = (tables: LoadedTables): PlansByName =>
  Object.fromEntries(Object.entries(tables).map(([name, { table }]) => [name, table]));

/** Everything a client worker needs for its share of a trial. */
export interface ClientJob {
  /** Number of this worker, from 0, and of all workers. */
  readonly worker: number;
  readonly workers: number;
  /** The table of the trial; a plan without columns stands for none. */
  readonly table: TablePlan;
  readonly dataset: Dataset;
  readonly settings: Settings;
  /** The settings that each session makes after its login. Absent: none. */
  readonly session?: SessionSettings;
  /** The table that the operation copy reads; absent for others. */
  readonly source?: TablePlan;
  /** The target of the table to read; absent: the worker's own. May hold secrets. */
  readonly sourceTarget?: {
    readonly engine: string;
    readonly config: EngineConfig;
    /** The most statements in any second on the source target, as in the job. */
    readonly maxPerSecond?: number;
    /** The settings of the session that reads the source table, as in the job. */
    readonly session?: SessionSettings;
  };
  /** The weights of the statements of the operation statement; absent for others. */
  readonly mix?: StatementMix;
  /** The statements of which the first worker keeps answers while it measures; absent: none. */
  readonly sampled?: SampledCalls;
  /** All tables that its statements use, including the dataset's. */
  readonly tables?: LoadedTables;
  /** Connections of this worker: a share of settings.connections. */
  readonly connections: number;
  readonly measure: Plan['measure'];
  /**
   * Number of rows already in the table (or in the source): keys 0…loadedRows−1 exist, and new rows are numbered from
   * loadedRows on.
   */
  readonly loadedRows: number;
  /** Differs by trial, so that key choices differ; generated rows depend on dataset.seed alone. */
  readonly trialSeed: number;
  /** Most statements of all workers in any second, on a production server. Absent: the load alone decides. */
  readonly maxPerSecond?: number;
}
