import type { ColumnType, IndexKind } from '#model/dataset/dataset.ts';
import type { UuidOrder } from '#model/dataset/uuid-order.ts';
import type { Isolation, MethodName, NullBinding, OperationName } from '#model/settings/vocabulary.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { ConfigField } from './config.ts';
import type { EngineOption } from './option.ts';
import type { Support } from './support.ts';
import type { UnsupportedReasons } from './unsupported.ts';

/** How an engine declares nulls with another type than their column's. */
export interface NullForm {
  /** How the driver sends it: "COM_STMT_EXECUTE: type byte DOUBLE, and the null’s bit". */
  readonly implementation: string;
  /** The methods that can do so; with the others the cell is empty. */
  readonly methods: readonly MethodName[];
  /** Columns to which the server converts such a null; nulls of other columns stay declared as their columns. */
  readonly converts: readonly ColumnType['kind'][];
}

/** A target that needs no connection: a library, or a managed server. */
export interface BuiltInTarget {
  /** The target's name in experiment files; for a managed server also the id of its ServerKind. */
  readonly target: string;
  /** The target's name for people, in lists and on cards. */
  readonly label: string;
  /** A sentence about the target and its needs of the machine. */
  readonly about: string;
  /**
   * A restart keeps the rows and empties the cache (Settings.cache). Default: a restart does not, or there is no
   * server.
   */
  readonly restartEmptiesCache?: boolean;
  /**
   * Its colour in every chart (model/hues.ts), which no other built-in target has. Default: one that a run has left.
   */
  readonly hue?: number;
}

/** Pure data about an engine: everything the app needs without loading the driver. */
export interface EngineDescriptor {
  /** The engine's key in experiment files, and the name of its folder: lower-case letters. */
  readonly id: string;
  /** The product's name for people. */
  readonly label: string;
  /** Driver package and protocol, e.g. "pg (protocol 3)". */
  readonly driver: string;
  /**
   * The npm packages of the driver, whose installed versions a run records. Default: the driver is part of the runtime.
   */
  readonly driverPackage?: string | readonly string[];
  /** The supported combinations of operation and method; an absent cell is shown as "cannot". */
  readonly support: { readonly [O in OperationName]?: { readonly [M in MethodName]?: Support } };
  /** Why a cell is empty or another feature is missing, where there is more to explain than "cannot". */
  readonly unsupportedReasons: UnsupportedReasons;
  /**
   * The type that stores a uuid, and the order in which the engine compares its bytes: the order decides where in an
   * index a new key goes.
   */
  readonly uuids: { readonly implementation: string; readonly order: UuidOrder };
  /**
   * The statement that adds the primary key to a loaded table. Default: the engine cannot; `unsupportedReasons`
   * explains it under `keyCreation.afterLoad`.
   */
  readonly keyAfterLoad?: string;
  /**
   * Several sessions can load rows of one table at the same time, and together load more a second than one, where each
   * has a processor. Default: one session loads them all.
   */
  readonly loadsInParallel?: true;
  /** The engine's hash partitions. Default: it has none; `unsupportedReasons` explains it under `partitions`. */
  readonly partitions?: string;
  /**
   * How a session sets the memory of a sort, with its bounds in KB. Default: it cannot; `unsupportedReasons` explains
   * it under `sortMemoryKb`.
   */
  readonly sortMemory?: { readonly implementation: string; readonly leastKb: number; readonly mostKb?: number };
  /** The command that Database.emptyCache sends. Default: the engine has no such command. */
  readonly emptyCache?: string;
  /**
   * A new session finds no data in memory: a trial without a warm-up begins cold with every value of the setting.
   * Default: false.
   */
  readonly newSessionsAreCold?: true;
  /** The type of a null that is declared as its column, for comparison with `nullBindings`. */
  readonly nullsAsColumn?: string;
  /** Other types to declare nulls with; for an absent binding `unsupportedReasons` explains it under `nullBinding`. */
  readonly nullBindings?: { readonly [B in Exclude<NullBinding, 'asColumn'>]?: NullForm };
  /**
   * The statement for each kind of index; for an absent kind `unsupportedReasons` explains it under `index.KIND`, for
   * unique indexes under `index.unique`.
   */
  readonly indexes?: { readonly [K in IndexKind]?: string };
  /** The engine's foreign keys (Settings.foreignKeys). Default: the engine checks none. */
  readonly foreignKeys?: string;
  /** The type of a natively stored document (Settings.documents). Default: the engine has none and stores JSON text. */
  readonly documents?: string;
  /** The language of custom statements. Default: the engine runs none. `support.statement` has their methods. */
  readonly statements?: StatementLanguage;
  /** The place where cancel() stops a running statement: at the server, only between calls, or not at all. */
  readonly cancel: 'server' | 'betweenCalls' | 'none';
  /** Why one transaction cannot hold several calls of an operation (callsPerCommit above 1). Default: it can. */
  readonly oneCallPerCommit?: string;
  /**
   * The engine sends changes of custom statements in a transaction with its commit: run() returns how many rows the
   * changes name, reads of the same transaction do not see them, and commit() fails as a whole where one of these rows
   * is missing or refused. Default: each statement sends its changes.
   */
  readonly changesAtCommit?: true;
  /**
   * Isolation levels that a session can have, each with the server's own name. Where several levels share a name, the
   * server gives the strongest of them. `default` is present only where a session that sets no level always has the
   * same one. For absent levels `unsupportedReasons` gives the reason.
   */
  readonly isolations?: { readonly [I in Isolation]?: string };
  /**
   * How a session is made in which the server refuses writes (ConfigParser.readOnly). Default: there is none;
   * `unsupportedReasons` explains it under `readOnlySessions`.
   */
  readonly readOnlySessions?: string;
  /** Null: the engine sets no limit. */
  readonly maxConnections: number | null;
  /**
   * The engine works inside the worker process, in synchronous calls: its CPU time is the client's, and sessions wait
   * for each other. Default: false.
   */
  readonly inProcess?: boolean;
  /** The engine does no work: it shows the overhead of the harness and takes no part in verdicts. Default: false. */
  readonly reference?: boolean;
  /** The engine stores empty text and bytes as nulls: they add nothing to checksums. Default: false. */
  readonly emptyIsNull?: boolean;
  /** Engine-specific options. Default: none. */
  readonly options?: readonly EngineOption[];
  /** Fields of the connection form. */
  readonly config: readonly ConfigField[];
  /**
   * Targets that the app starts itself; a file that names the engine and no address means the first one. Empty: none.
   */
  readonly builtIn: readonly BuiltInTarget[];
  /** A warning that is shown with the details of every target of this engine. Default: none. */
  readonly notice?: string;
}
