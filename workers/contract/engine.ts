import type { Batch, RowLayout, TableChecksum } from './batch.ts';
import type { TablePlan } from './dataset.ts';
import type { ErrorData } from './error.ts';
import type { MethodName, OperationName, Options, OptionValue, SettingName, Settings } from './settings.ts';

/** The part of AbortSignal that engines use; contract has neither Node's nor the browser's types. */
export interface StopSignal {
  readonly aborted: boolean;
  throwIfAborted(): void;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** What one operation × method cell really is on an engine. */
export interface Support {
  /** The real call, so that a reader knows what was compared: "COPY FROM STDIN", "one INSERT with N VALUES lists"… */
  readonly means: string;
  /** Rows (or keys) that one call may carry; 1 for single-row methods. `parameters` bounds rows × columns. */
  readonly maxRowsPerCall: number;
  readonly maxParameters?: number;
  /** Several calls may be in flight on one session (see Settings.pipelineDepth). */
  readonly pipelines?: boolean;
  /** The server makes the rows itself: the client's data and checksum do not apply. */
  readonly serverData?: boolean;
  /**
   * Goes past SQL: every call commits by itself, whatever callsPerCommit says, and duplicate keys are not refused by the call but found by
   * checksum() (Oracle's direct path load).
   */
  readonly direct?: boolean;
  /** Settings that matter to this cell beyond those that always do; others varied here are skipped as duplicates. */
  readonly uses?: readonly SettingName[];
  /** Values that options of this engine must have; with others the cell is empty, for the reason in `cannot`. Keys: their short names. */
  readonly needs?: Options;
}

/**
 * A knob that only this engine has, varied by experiments as `engine.name` and so part of the plan, not of the target: how tables are
 * organised, how a session is opened, how a call is made.
 */
export interface EngineOption {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  /** Its values where they are few; else any value of the default's type. Numbers: whole, from `min` to `max`. */
  readonly choices?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly byDefault: OptionValue;
  /** Cells that heed it, as `operation`, `method` or `operation.method`; absent: all of them. */
  readonly cells?: readonly string[];
  /** Values with which cells are empty, and why: value → cell (written as in `cells`) → reason. */
  readonly cannot?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** One field of an engine's connection form; also documents the target keys of the experiment file. */
export interface ConfigField {
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'number' | 'password' | 'boolean' | 'choice' | 'map';
  readonly choices?: readonly string[];
  readonly placeholder?: string;
  readonly required?: boolean;
  readonly help?: string;
  /** Numbers: bounds, both inclusive; whole numbers only. */
  readonly min?: number;
  readonly max?: number;
  /** Shown only to those who look for it: the connection works without. */
  readonly advanced?: boolean;
}

/** Pure data about an engine: what the app knows without loading a driver. */
export interface EngineDescriptor {
  readonly id: string;
  readonly label: string;
  /** Driver package and what it speaks, e.g. "pg (protocol 3)". */
  readonly driver: string;
  /** The driver's npm package, or several, whose installed versions a run records. Absent: the driver is part of the runtime. */
  readonly driverPackage?: string | readonly string[];
  /** Empty cell: the engine cannot. */
  readonly support: { readonly [O in OperationName]?: { readonly [M in MethodName]?: Support } };
  /** Why a cell is empty, or needs options, where there is more to say than "cannot". Key: `operation.method` or `method`. */
  readonly cannot: Readonly<Record<string, string>>;
  /** How a running statement is stopped: at the server, between calls only, or not at all. */
  readonly cancel: 'server' | 'betweenCalls' | 'none';
  readonly maxConnections: number | null;
  /** The engine works inside the worker process, in synchronous calls: its work is the client's CPU, and one session waits for another. */
  readonly inProcess?: boolean;
  /** Does no work at all: the floor of the harness, drawn as a reference and never a contender in verdicts. */
  readonly reference?: boolean;
  /** Empty text and bytes are stored as nulls: they add nothing to checksums. */
  readonly emptyIsNull?: boolean;
  /** Knobs of this engine alone; absent: none. */
  readonly options?: readonly EngineOption[];
  readonly config: readonly ConfigField[];
  /** A target that the app can start by itself, with nothing installed; its name in experiment files. */
  readonly embedded: { readonly target: string; readonly label: string; readonly about: string } | null;
}

/** A target's parsed, complete configuration; made by the engine's config.ts, opaque to everybody else. May hold secrets. */
export type EngineConfig = Readonly<Record<string, unknown>>;

/** What config.ts of each engine exports; runs in the host, without the driver. */
export interface ConfigParser {
  /** From an experiment's target (already with `${env:…}` resolved). Throws DynoError('badInput') naming the key. */
  parse(raw: Readonly<Record<string, unknown>>): EngineConfig;
  /** The configuration for showing and journalling: no secret in it. */
  describe(config: EngineConfig): { readonly address: string; readonly details: Readonly<Record<string, string>> };
  /** Hosts and TCP ports that must answer before the driver can; port null: found out by the driver. Empty: no network. */
  endpoints(config: EngineConfig): readonly { readonly host: string; readonly port: number | null }[];
  /**
   * A commented script, in the engine's own language, that a DBA runs to make a user for Dyno with the least rights it needs: own tables,
   * and each group of server counters. Names the config's user and database; never a password. Null: the engine has no rights.
   */
  grants(config: EngineConfig): string | null;
}

export interface Fingerprint {
  /** e.g. "PostgreSQL 18.4". */
  readonly product: string;
  readonly version: string;
  /** Where a stand-in answers for the product: what it is ("seerdb mirror over PostgreSQL 15"). Null: the product itself. */
  readonly standIn: string | null;
  /** Settings grouped for the like-for-like table; values with their unit as text. */
  readonly durability: Readonly<Record<string, string>>;
  readonly memory: Readonly<Record<string, string>>;
  readonly other: Readonly<Record<string, string>>;
  /** What could not be read and which right would allow it. */
  readonly unavailable: readonly string[];
}

/** Cumulative server counters at one moment. Names are the engine's own; differences are what gets shown. */
export interface ProbeSample {
  readonly counters: Readonly<Record<string, number>>;
  /** Moments, not totals (pool pages, active sessions…). `wait:CLASS:EVENT` are sessions that wait for it, named while there are some. */
  readonly gauges: Readonly<Record<string, number>>;
  readonly unavailable: readonly string[];
}

export interface ProbeInfo {
  readonly unit: 'bytes' | 'count' | 'ms' | 'us';
  readonly label: string;
}

/** Loaded lazily inside a worker: `export const engine: Engine` of each engine's index.ts. */
export interface Engine {
  readonly descriptor: EngineDescriptor;
  /** What each counter and gauge of probe() is. Those not listed are plain counts. */
  readonly probeInfo: Readonly<Record<string, ProbeInfo>>;
  /** Opens the control connection. `tag` marks every session (application_name…) so that a DBA can see whose it is. */
  open(config: EngineConfig, tag: string, signal: StopSignal): Promise<Database>;
  /** From anything a driver throws. Pure. */
  toError(thrown: unknown): ErrorData;
}

/** One open target. Not part of any timed region. */
export interface Database extends AsyncDisposable {
  fingerprint(): Promise<Fingerprint>;
  /** Round trip of the cheapest statement (`SELECT 1`); returns when the answer is there. */
  ping(): Promise<void>;
  /** Creates the table, marked as Dyno's. Throws 'notOurs' if that name exists and was not made by Dyno. */
  prepareSchema(table: TablePlan): Promise<void>;
  /** Fast initial fill, not measured. `onRows` reports progress. */
  load(table: TablePlan, batches: Iterable<Batch>, onRows: (rows: number) => void, signal: StopSignal): Promise<void>;
  /** Brings the server to rest before the clock: statistics, vacuum, checkpoint, as far as the engine has it. */
  settle(table: TablePlan): Promise<void>;
  probe(): Promise<ProbeSample>;
  /** Null where the engine keeps no rows (the null engine). */
  checksum(table: TablePlan): Promise<TableChecksum | null>;
  storedBytes(table: TablePlan): Promise<{ readonly tableBytes: number; readonly indexBytes: number } | null>;
  /** Drops the table if Dyno made it; nothing else, ever. No error if it is gone. */
  drop(table: TablePlan): Promise<void>;
  /** Drops every table that runs of Dyno have left behind under this tag prefix; returns their names. */
  dropLeftovers(namePrefix: string): Promise<readonly string[]>;
  /** `options`: this engine's own, complete with defaults (the same as in the TablePlan of the trial). */
  openSession(options: Options): Promise<Session>;
  /** Stops what runs on the control connection, at the server where the descriptor says so; the pending call then rejects as 'cancelled'. */
  cancel(): Promise<void>;
}

/** One physical connection, used by one virtual user. */
export interface Session extends AsyncDisposable {
  prepare(plan: OperationPlan): Promise<Operation>;
  begin(): Promise<void> | void;
  commit(): Promise<void> | void;
  rollback(): Promise<void> | void;
  /** Stops the statement that runs now, at the server where the descriptor says so; the pending run() then rejects as 'cancelled'. */
  cancel(): Promise<void>;
  /**
   * Makes the server count what this session has done so far, where sessions report their work late: or the warm-up would be in the
   * counters of the measured phase. Called between the two, outside any transaction.
   */
  reportWork?(): Promise<void>;
  /** Bytes on the wire since the session was opened, or null where there is no wire (or it cannot be seen). */
  wireBytes(): { readonly sent: number; readonly received: number } | null;
}

export interface OperationPlan {
  readonly table: TablePlan;
  readonly operation: OperationName;
  readonly method: MethodName;
  /** Rows of a full batch; the last one may be smaller. */
  readonly settings: Settings;
}

/** Driver-ready arguments of one call; opaque to the runner. */
export type Call = unknown;

export interface Operation {
  /** The wire layout the generator may fill directly, or null. */
  readonly layout: RowLayout | null;
  /**
   * Turns a batch into driver-ready arguments. Outside the timed call; its cost is accounted as "encode". Many calls are encoded before
   * the first runs, so buffers are not reused; a call is run by the operation that encoded it, once at most.
   */
  encode(batch: Batch): Call;
  /**
   * The only call inside the timed region: sends and waits. Returns rows touched — inserted, returned, changed — as the server reported
   * them, so that the runner can check. Synchronous engines return the number itself.
   */
  run(call: Call): Promise<number> | number;
}
