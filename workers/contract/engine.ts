import type { Batch, RowLayout, TableChecksum } from './batch.ts';
import type { ColumnType, IndexKind, IndexPlan, Parameter, PlansByName, TablePlan } from './dataset.ts';
import type { Value } from './decode.ts';
import type { ErrorData } from './error.ts';
import type { ProbeRole, ResourceClass } from './resource.ts';
import type { Options, OptionValue } from './settings/options.ts';
import type { SettingName, Settings } from './settings/settings.ts';
import type { Isolation, MethodName, NullBinding, OperationName, TableOperation } from './settings/vocabulary.ts';
import type { StatementLanguage } from './statement-text.ts';
import type { ListType, OwnTable, ShownRows } from './statements.ts';
import type { UuidOrder } from './uuid-order.ts';

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
  /** A sentence; absent: the bound is Dyno's own, or `means` says it. */
  readonly whyNoMoreRows?: string;
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
  /**
   * A write that fails outside a transaction may have done some of its rows: what became of them is not known, and it is not tried again.
   * Absent: it does all or nothing.
   */
  readonly mayStopHalfway?: boolean;
  /** A row whose key is there already takes that row's place instead of being refused: counting them afterwards finds fewer than were sent. */
  readonly overwrites?: boolean;
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
  /** Values with which the server makes the keys itself, each after the one before. */
  readonly serverKeys?: readonly string[];
  /** Cells that heed it, as `operation`, `method` or `operation.method`; absent: all of them. */
  readonly cells?: readonly string[];
  /** Values with which cells are empty, and why: value → cell (written as in `cells`, or `keyBuild.afterLoad`, `keyBuild.none`, `keyKind.KIND`, `partitions`, `foreignKeys`, `orderBy`, `nullBinding`, `nullBinding.METHOD`) → reason. */
  readonly cannot?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** What declaring nulls as another type really is on an engine. */
export interface NullForm {
  readonly means: string;
  readonly methods: readonly MethodName[];
  /** Columns to which the server converts such a null; nulls of others stay declared as their columns. */
  readonly converts: readonly ColumnType['kind'][];
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
  /** A folder of this machine in which the engine makes files: a connection of the user's may name any, an experiment file one in Dyno's home. */
  readonly makesFiles?: true;
}

/** A target that needs no connection: a library, or a server that the lab starts. */
export interface BuiltInTarget {
  /** Its name in experiment files; also the id of the ServerKind that starts it, where it is a server. */
  readonly target: string;
  readonly label: string;
  readonly about: string;
  /** A restart leaves its rows where they are and its cache empty (Settings.cache). Absent: it does not, or there is no server. */
  readonly restartEmptiesCache?: boolean;
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
  /**
   * Why a cell is empty, or needs options, where there is more to say than "cannot". Key: `operation.method` or `method`; of what is built around
   * the rows: `keyBuild.afterLoad`, `keyBuild.none`, `partitions`, `partitions.KEYKIND`, `index.KIND`, `index.unique`; of sorted scans: `orderBy`, `sortMemoryKb`;
   * of the cache: `cache.cold`;
   * of isolation: `isolation`, `isolation.LEVEL`; of nulls: `nullBinding`, `nullBinding.BINDING`; of copies: `copy.KIND` of a column type.
   */
  readonly cannot: Readonly<Record<string, string>>;
  /** What a uuid is stored as, and by which of its bytes the engine orders it, on which depends where in an index a new key goes. */
  readonly uuids: { readonly means: string; readonly order: UuidOrder };
  /** What adding the primary key to a table full of rows really is; absent: impossible, and `cannot` says why under `keyBuild.afterLoad`. */
  readonly keyAfterLoad?: string;
  /** What hash partitions really are; absent: impossible, and `cannot` says why under `partitions`. */
  readonly partitions?: string;
  /** How a session is told what a sort may use, and the bounds of that; absent: it cannot be, and `cannot` says why under `sortMemoryKb`. */
  readonly sortMemory?: { readonly means: string; readonly leastKb: number; readonly mostKb?: number };
  /** What Database.emptyCache really does; absent: the engine has nothing of the kind. */
  readonly emptyCache?: string;
  /** New sessions find nothing in memory: a trial without a warm-up begins cold, whatever the setting says. */
  readonly newSessionsAreCold?: true;
  /** What a null that is declared as its column really is; where there are other ways, to compare these with. */
  readonly nullsAsColumn?: string;
  /** Ways of declaring nulls other than as their columns; of those absent `cannot` says why under `nullBinding`. */
  readonly nullBindings?: { readonly [B in Exclude<NullBinding, 'asColumn'>]?: NullForm };
  /** Kinds of indexes besides the key, and what each really is. Others: why not is in `cannot` under `index.KIND`, unique ones under `index.unique`. */
  readonly indexes?: { readonly [K in IndexKind]?: string };
  /** What a foreign key really is (Settings.foreignKeys); absent: the engine checks none. */
  readonly foreignKeys?: string;
  /** What a document is that is stored natively (Settings.documents); absent: the engine has no type for it, and keeps JSON text. */
  readonly documents?: string;
  /** How statements of the user's own are written; absent: the engine runs none. Methods: `support.statement`. */
  readonly statements?: StatementLanguage;
  /** How a running statement is stopped: at the server, between calls only, or not at all. */
  readonly cancel: 'server' | 'betweenCalls' | 'none';
  /** Why several calls of an operation cannot be committed together (callsPerCommit above 1): transactions are of own statements alone. Absent: they can. */
  readonly oneCallPerCommit?: string;
  /**
   * What own statements change in a transaction goes out with its commit, all in one: run() then answers how many rows they name, the
   * transaction's own reads do not see it, and commit() fails as a whole where one of these rows is not there, or is refused. Absent: at once.
   */
  readonly changesAtCommit?: true;
  /**
   * Levels that a session can have (Settings.isolation), each in the server's own word for it. Of those that have the same word the strongest
   * is what it is. `default`: only where a session that is told nothing always has the same. Of those absent `cannot` says why.
   */
  readonly isolations?: { readonly [I in Isolation]?: string };
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
  /** Targets that the app can start by itself; the first one is meant where a file names the engine and no address. Empty: none. */
  readonly builtIn: readonly BuiltInTarget[];
  /** What everybody who looks at a target of this engine has to know: said in its details everywhere. */
  readonly notice?: string;
}

/** A target's parsed, complete configuration; made by the engine's config.ts, opaque to everybody else. May hold secrets. */
export type EngineConfig = Readonly<Record<string, unknown>>;

/** Where a TCP connection goes. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** How a server of an engine is known to who has not logged in. */
export interface Greeting {
  /** What makes it answer; null: it speaks first. */
  readonly ask: Uint8Array | null;
  /** Whether these are the first bytes that such a server says. */
  isAnswer(bytes: Uint8Array): boolean;
}

/** What config.ts of each engine exports; runs in the host, without the driver. */
export interface ConfigParser {
  /** From an experiment's target (already with `${env:…}` resolved). Throws DynoError('badInput') naming the key. */
  parse(raw: Readonly<Record<string, unknown>>): EngineConfig;
  /** The configuration for showing and journalling: no secret in it. */
  describe(config: EngineConfig): { readonly address: string; readonly details: Readonly<Record<string, string>> };
  /** Hosts and TCP ports that must answer before the driver can; port null: found out by the driver. Empty: no network. */
  endpoints(config: EngineConfig): readonly { readonly host: string; readonly port: number | null }[];
  /** Of a server at an endpoint, without TLS. Absent: there is no network. */
  readonly greeting?: Greeting;
  /**
   * The same target, with connections that go to other addresses: `relayed` says where instead of each of its endpoints that has a port.
   * Certificates are still checked against the target's own names, and messages still name it. Absent: there is no network.
   * @throws DynoError 'unsupported' where the driver would go elsewhere, or could not check what it is to check.
   */
  through?(config: EngineConfig, relayed: (endpoint: Endpoint) => Endpoint): EngineConfig;
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
  /** Memory in which the server keeps pages of data files, as it is set; absent: it is not set, or the server does not tell. */
  readonly cacheBytes?: number;
  /** Of the pages that it counts as read from files, the largest where they differ; absent: the server does not tell, or counts none. */
  readonly pageBytes?: number;
  /** What could not be read and which right would allow it. */
  readonly unavailable: readonly string[];
}

export interface StoredBytes {
  readonly tableBytes: number;
  readonly indexBytes: number;
  /** Where: files (by default), or the server's memory, where tables live there. */
  readonly medium?: 'disk' | 'memory';
}

/** Cumulative server counters at one moment. Names are the engine's own; differences are what gets shown. */
export interface ProbeSample {
  readonly counters: Readonly<Record<string, number>>;
  /** Moments, not totals (pool pages, active sessions…). `wait:CLASS:EVENT` are sessions that wait for it, named while there are some. */
  readonly gauges: Readonly<Record<string, number>>;
  /** What the server did since the last sample and timed itself; each event once. Absent: the engine tells of none. */
  readonly events?: readonly ServerEvent[];
  readonly unavailable: readonly string[];
  /** What the server would tell, too, if it were set up otherwise, and how: a DBA's choice, and no fault of the connection. */
  readonly optional?: readonly string[];
}

/** One piece of a server's own work, timed by the server: a journal write, a flush, a checkpoint. */
export interface ServerEvent {
  /** The engine's own name ("JournalWrite"); its words are in Engine.probeInfo. */
  readonly kind: string;
  /** When it began: this long before the sample was taken, by the server's clock. */
  readonly agoMs: number;
  /** Of several in a sum: the longest one's, or what none exceeds. */
  readonly durationMs: number;
  /** Null where the server does not say how much was written or read. */
  readonly bytes: number | null;
  /** Absent: one piece of work. A server that has more of it than it lists tells of the others together. */
  readonly sum?: EventSum;
}

/** Several pieces of work of one kind, of which the server tells no more than this; `bytes` are of all of them. */
export interface EventSum {
  readonly count: number;
  readonly totalMs: number;
  /** From the first one's begin (agoMs) to the last one's end. */
  readonly spanMs: number;
}

export interface ProbeInfo {
  readonly unit: 'bytes' | 'count' | 'ms' | 'us';
  readonly label: string;
  /**
   * Of counters in ms or us, of `running` and `wait:…` gauges (sessions), and of kinds of events: what the server's time went into. Absent: not a
   * time, contained in another one, or spent beside the sessions' work.
   */
  readonly class?: ResourceClass;
  /** What this counter means on every engine; of a kind of event, its bytes. Absent: it is this engine's own. */
  readonly role?: ProbeRole;
}

/** Loaded lazily inside a worker: `export const engine: Engine` of each engine's index.ts. */
export interface Engine {
  readonly descriptor: EngineDescriptor;
  /**
   * What each counter, gauge and kind of event of probe() is; a name that ends in `*` stands for all that begin so (the longest counts). Those
   * not listed are plain counts.
   */
  readonly probeInfo: Readonly<Record<string, ProbeInfo>>;
  /** Opens the control connection. `tag` marks every session (application_name…) so that a DBA can see whose it is. */
  open(config: EngineConfig, tag: string, signal: StopSignal): Promise<Database>;
  /** From anything a driver throws. Pure. */
  toError(thrown: unknown): ErrorData;
}

/** Rows whose value of a column is from a low one to below a high one. */
export interface RangeFilter {
  /** Index into the table's columns. */
  readonly column: number;
  /** One row: the low value, and the high one, both of the column's type. */
  readonly bounds: Batch;
}

/** One open target. Not part of any timed region. */
export interface Database extends AsyncDisposable {
  fingerprint(): Promise<Fingerprint>;
  /** Round trip of the cheapest statement (`SELECT 1`); returns when the answer is there. */
  ping(): Promise<void>;
  /** Creates the table, marked as Dyno's, with its foreign keys: the tables they lead to are there, with their keys. Throws 'notOurs' if that name exists and was not made by Dyno. */
  prepareSchema(table: TablePlan): Promise<void>;
  /** Adds the primary key to a table that was made without one; `table` names it. Its time is measured. */
  addKey(table: TablePlan): Promise<void>;
  /** Makes an index of `table.indexes`, and returns when it is of use. Its time is measured. */
  addIndex(table: TablePlan, index: IndexPlan): Promise<void>;
  /** Fast initial fill, not measured. `onRows` reports progress. */
  load(table: TablePlan, batches: Iterable<Batch>, onRows: (rows: number) => void, signal: StopSignal): Promise<void>;
  /** Brings the server to rest before the clock: statistics, vacuum, checkpoint, as far as the engine has it. */
  settle(table: TablePlan): Promise<void>;
  /** Empties the server's own cache of data, and not the system's. Absent where descriptor.emptyCache is. */
  emptyCache?(): Promise<void>;
  probe(): Promise<ProbeSample>;
  /** Of all rows, or of those in a range. Null where the engine keeps no rows (the null engine). */
  checksum(table: TablePlan, range?: RangeFilter): Promise<TableChecksum | null>;
  /** What the table takes; null where the server does not tell. */
  storedBytes(table: TablePlan): Promise<StoredBytes | null>;
  /** How many of its foreign keys the server does not vouch for, as rows came in past them. Absent, or null: it does not tell. */
  untrustedForeignKeys?(table: TablePlan): Promise<number | null>;
  /** Drops the table if Dyno made it; nothing else, ever. No error if it is gone. */
  drop(table: TablePlan): Promise<void>;
  /** Drops every table that runs of Dyno have left behind under this tag prefix, in the order of their names (see tableName() of the host); returns these. */
  dropLeftovers(namePrefix: string): Promise<readonly string[]>;
  /**
   * `options`: this engine's own, complete with defaults (the same as in the TablePlan of the trial). `isolation`: of all that the session does;
   * absent: default. Throws 'unsupported' where engine or server has no such level.
   */
  openSession(options: Options, isolation?: Isolation): Promise<Session>;
  /** Tables of the user's own and their columns, those of the system left out; a thousand columns or so at most. Absent: the engine has none. */
  ownTables?(): Promise<readonly OwnTable[]>;
  /** Stops what runs on the control connection, at the server where the descriptor says so; the pending call then rejects as 'cancelled'. */
  cancel(): Promise<void>;
}

/** One physical connection, used by one virtual user. */
export interface Session extends AsyncDisposable {
  prepare(plan: OperationPlan): Promise<Operation>;
  /** A statement of the user's own, prepared before any begin(). Absent where descriptor.statements is. Throws 'badInput' for a text that cannot be understood. */
  prepareStatement?(plan: StatementPlan): Promise<OwnStatement>;
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
  readonly operation: TableOperation;
  readonly method: MethodName;
  /** Rows of a full batch; the last one may be smaller. */
  readonly settings: Settings;
}

/** A statement of the user's own, as one session is to run it. */
export interface StatementPlan {
  /** As it is written for this engine; see descriptor.statements. */
  readonly text: string;
  /** In the order in which a batch has their values. */
  readonly parameters: readonly Parameter[];
  readonly method: MethodName;
  /** What {name} stands for, by name. */
  readonly tables: PlansByName;
  /** The session's. */
  readonly options: Options;
  /** It changes nothing: outside a transaction there is nothing to commit. */
  readonly isRead: boolean;
}

/** Why a value cannot be captured exactly; `only`: as this. */
export interface Inexact {
  readonly why: string;
  readonly only?: ListType;
}

/** Rows of an answer whose values steps behind it may use. */
export interface AnsweredRows extends ShownRows {
  /** What a step after it takes from the first row, where that is not what the server's own client would show. Absent: what is shown. */
  readonly first?: readonly (string | null)[];
  /** Columns, by their places, whose values a step after it must not use: what it would get is not what the server has. Absent: none. */
  readonly inexact?: Readonly<Record<number, Inexact>>;
  /** What a value of each column is declared as, in the engine's words, where it becomes a parameter. Absent, and null: as any of its kind. */
  readonly declared?: readonly (string | null)[];
}

export interface OwnStatement<C = Call> {
  /**
   * Driver-ready arguments: the only row of the batch has a value for each parameter. `declared`: of captured values, what the answer that they are
   * from said (AnsweredRows).
   */
  encode(batch: Batch, declared?: readonly (string | null)[]): C;
  /**
   * Sends, waits, fetches all rows; returns how many were returned or changed, null where the server does not say (a procedure, DDL). Commits by
   * itself outside a transaction.
   */
  run(call: C): Promise<number | null> | number | null;
  /** The very same, and as fast: the first row as text (of `rows`), every digit of it, so that a step after it can use its values. */
  first(call: C): Promise<AnsweredRows>;
  /** The same for reading: the first `most` rows as text. */
  show(call: C, most: number): Promise<AnsweredRows>;
  /** The server's plan for it, in its own words. Throws 'unsupported' where it gives none. */
  explain(call: C): Promise<string>;
  /** Why a rollback would not undo what it changes, in words; null (and absent): it would. */
  whyNotUndone?(): Promise<string | null>;
}

/**
 * Driver-ready arguments of one call; opaque to the runner. An engine names what it encodes (`Operation<Buffer>`), so that the compiler compares
 * encode() with run(): a cast in run() would take whatever comes.
 */
export type Call = unknown;

export interface Operation<C = Call> {
  /** The wire layout the generator may fill directly, or null. */
  readonly layout: RowLayout | null;
  /**
   * Turns a batch into driver-ready arguments. Outside the timed call; its cost is accounted as "encode". Many calls are encoded before
   * the first runs, so buffers are not reused; a call is run by the operation that encoded it, once at most.
   */
  encode(batch: Batch): C;
  /**
   * The only call inside the timed region: sends and waits. Returns rows touched — inserted, returned, changed — as the server reported
   * them, so that the runner can check. Synchronous engines return the number itself.
   */
  run(call: C): Promise<number> | number;
  /**
   * Of a scan that is prepared: all its rows, their values as decode.ts has them, in blocks of fetchSize as far as the engine heeds it; the next is
   * fetched when it is asked for. Absent: rows are counted and not handed out, and the engine copies none.
   */
  blocks?(): AsyncIterable<readonly (readonly Value[])[]>;
}
