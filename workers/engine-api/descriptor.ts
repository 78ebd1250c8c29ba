import type { ColumnType, IndexKind } from '#model/dataset/dataset.ts';
import type { UuidOrder } from '#model/dataset/uuid-order.ts';
import type { Isolation, MethodName, NullBinding, OperationName } from '#model/settings/vocabulary.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { ConfigField } from './config.ts';
import type { EngineOption } from './option.ts';
import type { Support } from './support.ts';
import type { UnsupportedReasons } from './unsupported.ts';

/** What it is on an engine to declare nulls as another type than their column's. */
export interface NullForm {
  readonly implementation: string;
  readonly methods: readonly MethodName[];
  /** Columns to which the server converts such a null; nulls of other columns stay declared as their columns. */
  readonly converts: readonly ColumnType['kind'][];
}

/** A target that needs no connection: a library, or a managed server. */
export interface BuiltInTarget {
  /** Its name in experiment files; for a managed server also the id of its ServerKind. */
  readonly target: string;
  readonly label: string;
  readonly about: string;
  /** A restart keeps the rows and empties the cache (Settings.cache). Default: it does not, or there is no server. */
  readonly restartEmptiesCache?: boolean;
}

/** Pure data about an engine: what the app knows without loading a driver. */
export interface EngineDescriptor {
  readonly id: string;
  readonly label: string;
  /** Driver package and protocol, e.g. "pg (protocol 3)". */
  readonly driver: string;
  /**
   * The npm package of the driver, or several, whose installed versions a run records. Default: the driver is part of
   * the runtime.
   */
  readonly driverPackage?: string | readonly string[];
  /** What the engine can do; an absent cell is shown as "cannot". */
  readonly support: { readonly [O in OperationName]?: { readonly [M in MethodName]?: Support } };
  /** Why a cell is empty, or something else is impossible, where there is more to say than "cannot". */
  readonly unsupportedReasons: UnsupportedReasons;
  /**
   * What a uuid is stored as, and by which bytes the engine compares it: this decides where in an index a new key goes.
   */
  readonly uuids: { readonly implementation: string; readonly order: UuidOrder };
  /**
   * What adding the primary key to a loaded table is. Default: it is impossible; `unsupportedReasons` says why under
   * `keyCreation.afterLoad`.
   */
  readonly keyAfterLoad?: string;
  /** What hash partitions are. Default: there are none; `unsupportedReasons` says why under `partitions`. */
  readonly partitions?: string;
  /**
   * How a session sets the memory of a sort, with its bounds in KB. Default: it cannot; `unsupportedReasons` says why
   * under `sortMemoryKb`.
   */
  readonly sortMemory?: { readonly implementation: string; readonly leastKb: number; readonly mostKb?: number };
  /** What Database.emptyCache does. Default: the engine has no such command. */
  readonly emptyCache?: string;
  /**
   * New sessions find nothing in memory: a trial without a warm-up begins cold, whatever the setting says. Default:
   * false.
   */
  readonly newSessionsAreCold?: true;
  /** What a null is that is declared as its column, for comparison with `nullBindings`. */
  readonly nullsAsColumn?: string;
  /**
   * How nulls are declared other than as their columns; for absent bindings `unsupportedReasons` says why under
   * `nullBinding`.
   */
  readonly nullBindings?: { readonly [B in Exclude<NullBinding, 'asColumn'>]?: NullForm };
  /**
   * What each kind of index is; for absent kinds `unsupportedReasons` says why under `index.KIND`, for unique indexes
   * under `index.unique`.
   */
  readonly indexes?: { readonly [K in IndexKind]?: string };
  /** What a foreign key is (Settings.foreignKeys). Default: the engine checks none. */
  readonly foreignKeys?: string;
  /**
   * What a natively stored document is (Settings.documents). Default: the engine has no type for it, and stores JSON
   * text.
   */
  readonly documents?: string;
  /** How custom statements are written. Default: the engine runs none. `support.statement` has their methods. */
  readonly statements?: StatementLanguage;
  /** Where a running statement is stopped: at the server, between calls only, or not at all. */
  readonly cancel: 'server' | 'betweenCalls' | 'none';
  /** Why several calls of an operation cannot be committed together (callsPerCommit above 1). Default: they can. */
  readonly oneCallPerCommit?: string;
  /**
   * Changes of custom statements in a transaction are sent with its commit: run() returns how many rows they name, the
   * transaction's own reads do not see them, and commit() fails as a whole where one of these rows is missing or
   * refused. Default: each statement sends its changes.
   */
  readonly changesAtCommit?: true;
  /**
   * Isolation levels that a session can have, each in the server's own word. Several levels with one word are the
   * strongest of them. `default` only where a session that sets no level always has the same one. For absent levels
   * `unsupportedReasons` says why.
   */
  readonly isolations?: { readonly [I in Isolation]?: string };
  /** Null: no limit of the engine's own. */
  readonly maxConnections: number | null;
  /**
   * The engine works inside the worker process, in synchronous calls: its CPU time is the client's, and sessions wait
   * for each other. Default: false.
   */
  readonly inProcess?: boolean;
  /** The engine does no work: it shows the floor of the harness and takes no part in verdicts. Default: false. */
  readonly reference?: boolean;
  /** Empty text and bytes are stored as nulls: they add nothing to checksums. Default: false. */
  readonly emptyIsNull?: boolean;
  /** Engine-specific options. Default: none. */
  readonly options?: readonly EngineOption[];
  /** Fields of the connection form. */
  readonly config: readonly ConfigField[];
  /**
   * Targets that the app starts by itself; the first one is meant where a file names the engine and no address. Empty:
   * none.
   */
  readonly builtIn: readonly BuiltInTarget[];
  /**
   * What everybody who looks at a target of this engine has to know: its details say it everywhere. Default: nothing.
   */
  readonly notice?: string;
}
