import type { Batch, TableChecksum } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { IndexPlan } from '#model/dataset/indexes.ts';
import type { Options } from '#model/settings/options.ts';
import type {
  AskedParameters,
  ParameterChanges,
  ParameterState,
  ServerParameter,
  ServerParameters,
} from '#model/settings/server-parameters.ts';
import type { SessionSettings } from '#model/settings/session-settings.ts';
import type { Isolation } from '#model/settings/vocabulary.ts';
import type { UserTable } from '#model/statements/statements.ts';
import type { Fingerprint } from './fingerprint.ts';
import type { KeptStatements } from './kept-statements.ts';
import type { PageUse } from './page-use.ts';
import type { ProbeSample } from './probe.ts';
import type { Session } from './session.ts';
import type { SetupPlan } from './setup.ts';
import type { StopSignal } from './stop-signal.ts';
import type { AskedTable, TableFacts } from './table-facts.ts';
import type { TableQueries } from './table-queries.ts';
import type { WaitTotal } from './waits.ts';

/** Selects the rows whose value of a column is at or above `low` and below `high`. */
export interface RangeFilter {
  /** Index into the table's columns. */
  readonly column: number;
  /** A batch of one row: the low value and the high value, both of the column’s type. */
  readonly bounds: Batch;
}

/** The size of an index in bytes, or the reason why the server does not tell it. */
export type IndexBytes = number | { readonly why: string };

/** The size of a table. */
export interface StoredBytes {
  /** Bytes of the rows, including the index that stores them if there is one (a clustered key). */
  readonly tableBytes: number;
  /** Bytes of all other indexes. */
  readonly indexBytes: number;
  /**
   * Bytes of each index of `table.indexes` that is present, by IndexPlan.name, or the reason, as a sentence, why the
   * server does not tell them.
   */
  readonly eachIndex: Readonly<Record<string, IndexBytes>>;
  /** The medium of tables. Default: disk. */
  readonly medium?: 'disk' | 'memory';
}

/** Space that is left for tables, at this moment. */
export interface FreeSpace {
  /** Bytes that a table could still take. */
  readonly bytes: number;
  /** The place that was asked, as the server names it: "file system of /var/lib/mysql", "tablespace USERS". */
  readonly where: string;
}

/** A table of Dyno's that the server refuses to drop. */
export interface KeptTable {
  /** The name as in TablePlan. */
  readonly name: string;
  /** The reason, in sentences. */
  readonly why: string;
}

/** Names of tables that were dropped, and the tables that stay. */
export interface DroppedTables {
  /** Names of the tables that are gone. */
  readonly dropped: readonly string[];
  /** The tables that stay. */
  readonly kept: readonly KeptTable[];
}

/** Sessions of the connection's own user, which every user may see, or those of all users. */
export type SessionOwners = 'user' | 'everybody';

/** A running server of the user's, whose parameters Dyno changes and gives back. */
export interface RunningServer {
  /**
   * Takes the lock for changes of parameters, which the server keeps until the connection ends. False: another session
   * has it.
   * @throws DynoError 'unsupported' behind a pool, which gives the session to others.
   */
  hold(): Promise<boolean>;
  /**
   * The states of parameters. `asked`: values that may be set next. Example: `{ work_mem: { value: '4MB', entry: null,
   * refusal: null } }`.
   * @throws DynoError 'permission' where the user may not read them.
   */
  states(names: readonly string[], asked?: ServerParameters): Promise<Readonly<Record<string, ParameterState>>>;
  /**
   * Changes parameters, and returns when new sessions have the values. Returns the names of the parameters that it left
   * alone, because somebody else has changed them.
   * @throws DynoError 'permission' where the user may not change them, and 'unsupported' where the server needs a
   * restart. Some of the parameters may be changed then.
   */
  change(changes: ParameterChanges): Promise<readonly string[]>;
}

/** One open target, through its control connection. The workload's measurements contain none of its calls. */
export interface Database extends AsyncDisposable {
  /** Reads version and settings anew; what may not be read is listed in it, and is no error. */
  fingerprint(): Promise<Fingerprint>;
  /**
   * Texts that identify this server, whatever name, pooler or tunnel it is reached by; servers that hold the same data
   * for each other (a replica set, a cluster) have some in common. None is a secret. Empty: the user may read none.
   * Absent: the engine's servers cannot be told from one another.
   */
  identities?(): Promise<readonly string[]>;
  /** Sends the cheapest statement (`SELECT 1`) once; resolves when the answer has arrived. */
  ping(): Promise<void>;
  /**
   * Asks the server to calculate something unpredictable, such as the sum of two random numbers. Called once, before
   * any other answer is trusted.
   * @throws DynoError 'other' if the answer is wrong: a program that accepts every request is no database.
   */
  prove(): Promise<void>;
  /**
   * Creates the table, marked as Dyno's, with its foreign keys; the tables that they refer to exist, with their keys.
   * @throws DynoError 'notOurs' if the name exists and Dyno did not create it.
   */
  prepareSchema(table: TablePlan): Promise<void>;
  /** Adds the primary key, which `table` names, to a table that was created without it. Its time is measured. */
  addKey(table: TablePlan): Promise<void>;
  /**
   * Creates an index of `table.indexes`; resolves when queries can use it, or, if it is invisible, when they could. Its
   * time is measured.
   * @throws DynoError 'unsupported' where this version of the server has no such index.
   */
  addIndex(table: TablePlan, index: IndexPlan): Promise<void>;
  /**
   * Drops an index of `table.indexes` from the loaded table, so that the table is as if it had never had the index.
   * Present if the descriptor says how (`removesIndexes`).
   */
  removeIndex?(table: TablePlan, index: IndexPlan): Promise<void>;
  /**
   * Fills the table as fast as the engine can; not measured. `onRows` reports the rows so far. An abort rejects it as
   * 'cancelled', between two batches, and takes back the rows that are not yet committed.
   */
  load(table: TablePlan, batches: Iterable<Batch>, onRows: (rows: number) => void, signal: StopSignal): Promise<void>;
  /**
   * Waits for the server's background work before the measurement starts: statistics, vacuum, checkpoint, as far as the
   * engine has them.
   */
  settle(table: TablePlan): Promise<void>;
  /**
   * Empties the server's own data cache, but not the operating system's. Present exactly where descriptor.emptyCache
   * is.
   */
  emptyCache?(): Promise<void>;
  /**
   * Reads the server's counters now, before and after the measured phase and each second of it. What may not be read is
   * listed in the sample, and is no error.
   */
  probe(): Promise<ProbeSample>;
  /**
   * Reads the totals of all waits of the server, without those of its idle classes, before and after the measured
   * phase. Null: the user may not read them, or the server does not count them now; `probe` says so. Absent: the engine
   * counts no waits.
   */
  waits?(): Promise<readonly WaitTotal[] | null>;
  /** Checksum of all rows, or of the rows in a range. Null where the engine keeps no rows. */
  checksum(table: TablePlan, range?: RangeFilter): Promise<TableChecksum | null>;
  /** Size of the stored table in bytes; null where the server does not report it. */
  storedBytes(table: TablePlan): Promise<StoredBytes | null>;
  /**
   * The fill and order of the pages of a table and its indexes, and their free space. It may read the whole table.
   * Absent: the engine does not tell them (reason: `unsupportedReasons.pageUse`).
   */
  pageUse?(table: TablePlan): Promise<PageUse>;
  /**
   * Number of foreign keys that the server does not trust because rows were loaded unchecked. Absent, or null: the
   * server does not report it.
   */
  untrustedForeignKeys?(table: TablePlan): Promise<number | null>;
  /**
   * Runs a statement of `setup`, which makes at most the object of this name, or of `teardown`, which makes none.
   * Present exactly where descriptor.setup is.
   * @throws DynoError 'badInput' for a text that is more than one statement.
   */
  setUp?(plan: SetupPlan): Promise<void>;
  /** Drops the table if Dyno created it, and never anything else. A missing table is not an error. */
  drop(table: TablePlan): Promise<void>;
  /**
   * Names of all tables with Dyno's mark under this prefix, and of the objects that setUp() has made, sorted. Empty:
   * every prefix. Nothing is dropped.
   */
  leftovers(namePrefix: string): Promise<readonly string[]>;
  /**
   * Drops every table and every object of `setup` that runs of Dyno left under this prefix, in the order of their
   * names. A table that the server refuses to drop stays, for example if a view of another user depends on it; the
   * others are dropped all the same.
   */
  dropLeftovers(namePrefix: string): Promise<DroppedTables>;
  /**
   * Opens a session. `options`: this engine's own, complete with defaults, the same as in the TablePlan of the trial.
   * `isolation`: the level of everything that the session does; absent: default. `settings`: made after the login, and
   * gone with the session; the runner has checked them (descriptor.sessionSettings). Absent: none.
   * @throws DynoError 'unsupported' where engine or server has no such level, or where a pool would keep the settings;
   * 'badInput', with the server's words, where the server refuses a setting.
   */
  openSession(options: Options, isolation?: Isolation, settings?: SessionSettings): Promise<Session>;
  /**
   * Reads the values that the server has for parameters, and decides if they are the values that were asked for.
   * Present exactly where `descriptor.serverParameters` is.
   */
  serverParameters?(asked: AskedParameters): Promise<Readonly<Record<string, ServerParameter>>>;
  /**
   * The server whose parameters change while it runs. Present exactly where `descriptor.serverParameters.running` is.
   */
  readonly runningServer?: RunningServer;
  /**
   * Number of sessions at the server that are marked by `tag`, or by a tag that begins with it, without those of this
   * connection itself. `of`: those of this connection's user, or of everybody. Null: the user may not see them. Absent:
   * the server knows no marked sessions.
   */
  sessionsOf?(tag: string, of: SessionOwners): Promise<number | null>;
  /** Free space where the server keeps its tables. Null: the user may not see it. Absent: the server cannot tell. */
  freeSpace?(): Promise<FreeSpace | null>;
  /**
   * The user's own tables with their columns, without the system's tables; about a thousand columns at most. Absent:
   * the engine has none.
   */
  userTables?(): Promise<readonly UserTable[]>;
  /**
   * The statements of the user's database that the server has counted, without the values in them. Present exactly
   * where descriptor.keptStatements is. `since`: leaves out what was not called since then, as far as the server tells
   * it (`KeptStatements.countsSince`); null or absent: all.
   * @throws DynoError 'unsupported' where the server does not count, or does not tell times, with a hint.
   */
  keptStatements?(since?: Date | null): Promise<KeptStatements>;
  /**
   * Definitions and statistics of the user's tables, without a row of them. `asked`: these tables alone; empty: all.
   * Present exactly where descriptor.tableStatistics is.
   */
  tableFacts?(asked: readonly AskedTable[]): Promise<readonly TableFacts[]>;
  /** The texts that compare tables with those of their statistics. Present exactly where `tableFacts` is. */
  readonly tableQueries?: TableQueries;
  /**
   * Cancels the running call of the control connection, at the server where the descriptor says so; the pending call
   * then rejects as 'cancelled'.
   */
  cancel(): Promise<void>;
}
