import type { ColumnType } from '#model/dataset/dataset.ts';
import type { IndexFeature, IndexKind } from '#model/dataset/indexes.ts';
import type { UuidOrder } from '#model/dataset/uuid-order.ts';
import type { Isolation, MethodName, NullBinding, OperationName } from '#model/settings/vocabulary.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { ConfigField } from './config.ts';
import type { EngineOption } from './option.ts';
import type { SetupRules } from './setup.ts';
import type { Support } from './support.ts';
import type { UnsupportedReasons } from './unsupported.ts';

/**
 * How an engine sends a null with another type than that of its column (Settings.nullBinding). PostgreSQL's for
 * `asText`:
 *
 * ```ts
 * { implementation: 'Parse names text', methods: ['bind', 'prepared', 'pipelined'], converts: ['text'] }
 * ```
 */
export interface NullForm {
  /**
   * The driver's way of sending the null, as the plan and the results show it. Example: `'COM_STMT_EXECUTE: type byte
   * DOUBLE, and the null’s bit'`.
   */
  readonly implementation: string;
  /** The methods that can send it. With all other methods the cell is empty. Example: `['bind', 'prepared']`. */
  readonly methods: readonly MethodName[];
  /**
   * The kinds of columns for which the server accepts the null. The nulls of all other columns keep the type of their
   * column. Example: `['bigint', 'decimal']`.
   */
  readonly converts: readonly ColumnType['kind'][];
}

/** The rules for settings of sessions, as regular expressions of whole names and values, without regard to case. */
export interface SessionSettingRules {
  /** The statement that makes a setting, as documentation shows it. Example: `'SET'`. */
  readonly implementation: string;
  /** The names that settings have. Example: `'[a-z_]+'`. */
  readonly names: string;
  /** The values that settings have. Default: any text. Example: `'-?\\w+'`. */
  readonly values?: string;
  /**
   * The settings that are never made, each with the reason as a sentence. The first that fits a name counts. Example:
   * `[{ names: 'role', why: 'It changes the rights of the session.' }]`.
   */
  readonly refused: readonly { readonly names: string; readonly why: string }[];
}

/** The parameters that Dyno sets of servers: of those that it manages, or of a running server of the user's. */
export interface ServerParameterRules {
  /**
   * How a managed server gets them, as documentation shows it. Default: Dyno starts no server of the engine. Example:
   * `'-c NAME=VALUE at its start'`.
   */
  readonly atStart?: string;
  /**
   * The parameters that Dyno changes while a server of the user's runs; `Database.runningServer` is present. Default:
   * none. Example: `{ implementation: 'SET GLOBAL', right: 'SUPER', names: ['sync_binlog'] }`.
   */
  readonly running?: RunningParameterRules;
  /**
   * The parameters, as the server writes their names; no other is set. None names a file, a program, a library, an
   * address or who may log in. Example: `['shared_buffers']`.
   */
  readonly names: readonly string[];
  /** The values that parameters have. Example: `'-?\\d+|[a-z]+'`. */
  readonly values: string;
  /** The parameters by which a server reserves memory, each with the bytes of one unit. Example: `{ cache: 1 }`. */
  readonly memory: Readonly<Record<string, number>>;
}

/** The parameters that take effect without a restart, and can be given back as they were. */
interface RunningParameterRules {
  /** The statement of a change, as documentation shows it. Example: `'SET GLOBAL'`. */
  readonly implementation: string;
  /** The right that the user needs, after "needs". Example: `'the privilege SYSTEM_VARIABLES_ADMIN'`. */
  readonly right: string;
  /** The names among `ServerParameterRules.names`. Example: `['work_mem']`. */
  readonly names: readonly string[];
  /**
   * Reasons, as sentences, why parameters are not changed, by name. Default: the others need a restart. Example: `{
   * fsync: 'A crash would damage the rows of all users.' }`.
   */
  readonly refused?: Readonly<Record<string, string>>;
}

/**
 * How an engine creates indexes of one kind. PostgreSQL's for `hash`:
 *
 * ```ts
 * { implementation: 'CREATE INDEX … USING hash', takes: { where: 'WHERE (…)' } }
 * ```
 */
export interface IndexForm {
  /**
   * The statement, and the index that it creates, as documentation and results show them. Example: `'CREATE INDEX …
   * USING hash'`.
   */
  readonly implementation: string;
  /**
   * The options that an index of this kind can have, each with the server's words for it and the first version that has
   * it; `Database.addIndex` throws 'unsupported' on an older one. Default, also of each single one: the kind does not
   * have the option. Example: `{ include: 'INCLUDE (…), from PostgreSQL 11' }`.
   */
  readonly takes?: { readonly [F in IndexFeature]?: string };
}

/**
 * A target that needs no connection: a library, or a server that Dyno starts. PostgreSQL's:
 *
 * ```ts
 * { target: 'embedded-postgres', label: 'PostgreSQL (built in)', about: 'A real PostgreSQL.', hue: 0 }
 * ```
 */
export interface BuiltInTarget {
  /**
   * The target's name in experiment files. For a managed server it is also the id of its ServerKind. Example:
   * `'embedded-postgres'`.
   */
  readonly target: string;
  /** The target's name in lists and on cards. Example: `'PostgreSQL (built in)'`. */
  readonly label: string;
  /**
   * A sentence about the target and what it needs on this machine; connections and docs show it. Example: `'A real
   * PostgreSQL that Dyno starts and stops by itself.'`.
   */
  readonly about: string;
  /**
   * The version of this target's product. Lists show a target with a version after the usual targets. Default: the
   * target is the usual one of its product. Example: `'10.11'`.
   */
  readonly version?: string;
  /**
   * The products that the target may start, if this machine decides it: each as targets of one version begin. Default:
   * the product in the target's name. Example: `['mariadb', 'mysql']`.
   */
  readonly products?: readonly string[];
  /**
   * The reason, as a sentence, why there are no targets of other versions of the product. A target `ravendb@6.2` is
   * refused with the reason of `local-ravendb`. Default: other versions are unknown names. Example: `'Maven Central has
   * 1.6 alone.'`.
   */
  readonly onlyVersion?: string;
  /**
   * A restart of the server keeps the rows and empties its cache, so that `cache: cold` restarts it. Default: a restart
   * does not, and `cache: cold` needs `emptyCache` of the descriptor. Example: `true`.
   */
  readonly restartEmptiesCache?: boolean;
  /**
   * The target's colour in every chart, as an index into model/hues.ts; no other built-in target may have it. Default:
   * a colour that the run does not use otherwise. Example: `0`.
   */
  readonly hue?: number;
}

/**
 * Everything that Dyno has to know of an engine before it loads the driver. It is plain data, because the window gets
 * it too: the planner, the form for connections, `dyno test`, the report and docs/engines.md derive from it. A feature
 * that the descriptor does not declare is never asked for: its cells stay empty, with the reason that
 * `unsupportedReasons` gives. workers/engines/conformance/toy/toy-engine.fixture.ts has the smallest descriptor.
 */
export interface EngineDescriptor {
  /**
   * The engine's key in experiment files, the prefix of its options and the name of its folder; lower-case letters. A
   * change breaks the files that name it. Example: `'postgres'`.
   */
  readonly id: string;
  /** The product's name in texts. Example: `'PostgreSQL'`. */
  readonly label: string;
  /**
   * The value of `db.system.name` by OpenTelemetry's conventions, for live series. Default: the id. Example:
   * `'postgresql'`.
   */
  readonly systemName?: string;
  /** The package of the driver and the protocol, for docs and reports. Example: `'pg (protocol 3)'`. */
  readonly driver: string;
  /**
   * The npm packages of the driver; a run records their installed versions. Default: none is recorded, because the
   * driver is a part of Node or of Dyno. Example: `['mysql2', 'mariadb']`.
   */
  readonly driverPackage?: string | readonly string[];
  /**
   * The implemented combinations of operation and method (cells). A variant with an absent cell does not run, and the
   * plan shows the reason. `Session.prepare` throws 'unsupported' for it. Example: `{ insert: { prepared: cell('INSERT
   * of one row, prepared') } }`.
   */
  readonly support: { readonly [O in OperationName]?: { readonly [M in MethodName]?: Support } };
  /**
   * Sentences that say why a cell is empty or a feature is missing. Without an entry the plan says only that the engine
   * cannot. workers/engines/settings.test.ts asks for an entry for each setting that changes the work. Example: `{
   * bulk: 'COPY only inserts.', 'isolation.snapshot': 'It has no snapshots.' }`.
   */
  readonly unsupportedReasons: UnsupportedReasons;
  /**
   * The type that stores a uuid, and the order in which the server compares its bytes. The order decides which uuids
   * the generator makes for `keyKind: uuidSequential`, and so where in an index a new key goes. Example: `{
   * implementation: 'uniqueidentifier', order: 'lastSixBytesFirst' }`.
   */
  readonly uuids: { readonly implementation: string; readonly order: UuidOrder };
  /**
   * The statement by which `Database.addKey` adds the primary key to a loaded table. Default: the engine cannot, and
   * `keyCreation: afterLoad` is an empty cell (reason: `unsupportedReasons['keyCreation.afterLoad']`). Example: `'ALTER
   * TABLE ADD PRIMARY KEY'`.
   */
  readonly keyAfterLoad?: string;
  /**
   * The statement by which `Database.removeIndex` drops an index from a loaded table. Variants that only read, and
   * differ in nothing but indexes that are created after the load, then share one load. Default: the engine cannot, and
   * each trial loads its own tables. Example: `'DROP INDEX'`.
   */
  readonly removesIndexes?: string;
  /**
   * Several sessions can load the same table at the same time, and are together faster than one if each has a
   * processor. A large load then uses several worker processes. Default: one process loads all rows. Example: `true`.
   */
  readonly loadsInParallel?: true;
  /**
   * The statement that makes hash partitions. Default: the engine has none, and `partitions` above 1 is an empty cell
   * (reason: `unsupportedReasons.partitions`). Example: `'PARTITION BY HASH'`.
   */
  readonly partitions?: string;
  /**
   * The clause that sets the fill factor of a table. `onlyOverRows`: a sentence that says why the fill factor has an
   * effect only where the key is created over the rows; default: it has an effect wherever rows are inserted. Default:
   * the engine has none, and `fillFactor` above 0 is an empty cell (reason: `unsupportedReasons.fillFactor`). Example:
   * `{ implementation: 'WITH (fillfactor = n)' }`.
   */
  readonly fillFactor?: { readonly implementation: string; readonly onlyOverRows?: string };
  /**
   * The way in which a session sets the memory of a sort, and its bounds in KB. Default: it cannot, and `sortMemoryKb`
   * is an empty cell (reason: `unsupportedReasons.sortMemoryKb`). Default of `mostKb`: no upper bound. `setting`: the
   * setting of a session with this memory, and the unit of its values; default: no single setting has it. Example: `{
   * implementation: 'SET work_mem', leastKb: 64, setting: { name: 'work_mem', unit: 'kB' } }`.
   */
  readonly sortMemory?: {
    readonly implementation: string;
    readonly leastKb: number;
    readonly mostKb?: number;
    readonly setting?: { readonly name: string; readonly unit: 'kB' | 'bytes' };
  };
  /**
   * The command that `Database.emptyCache` sends. Default: the engine has none, and `cache: cold` needs a built-in
   * target with `restartEmptiesCache`. Example: `'CHECKPOINT, then DBCC DROPCLEANBUFFERS'`.
   */
  readonly emptyCache?: string;
  /**
   * A new session finds none of the data in memory, so that a trial without a warm-up begins cold with every value of
   * `cache`. Default: a new session finds what the server has in its cache. Example: `true`.
   */
  readonly newSessionsAreCold?: true;
  /**
   * The type with which a null of the usual kind (`nullBinding: asColumn`) is sent, for comparison with `nullBindings`.
   * Default: nothing is shown. Example: `'sp_executesql names the type of the column'`.
   */
  readonly nullsAsColumn?: string;
  /**
   * The other types with which nulls can be sent. Default, also of each single one: the engine cannot, and that value
   * of `nullBinding` is an empty cell (reason: `unsupportedReasons['nullBinding.asText']` and so on). Example: `{
   * asText: { implementation: 'VARCHAR', methods: ['bind'], converts: ['text'] } }`.
   */
  readonly nullBindings?: { readonly [B in Exclude<NullBinding, 'asColumn'>]?: NullForm };
  /**
   * The kinds of indexes. Default, also of each single one: the engine cannot, and datasets with that kind do not run
   * (reasons: `unsupportedReasons['index.hash']` and so on; for an option of an index `index.include`, or
   * `index.hash.include` where other kinds have it). Example: `{ btree: { implementation: 'CREATE INDEX', takes: {
   * unique: 'UNIQUE' } } }`.
   */
  readonly indexes?: { readonly [K in IndexKind]?: IndexForm };
  /**
   * The statement that drops an index, with `{index}` and `{table}` in the place of the names. Default: it is dropped
   * otherwise than by a statement. Example: `'DROP INDEX {index}'`.
   */
  readonly dropIndex?: string;
  /**
   * The query for the indexes of the user's own table with the name `{table}`: rows of an index's name and one of its
   * columns, in the order of the columns. Default: their names are not looked up. Example:
   * `"SELECT index_name, column_name FROM user_ind_columns WHERE table_name = '{table}'"`.
   */
  readonly ownIndexes?: string;
  /**
   * The statement that makes foreign keys, and when the server checks them. Default: the server checks none, and
   * `foreignKeys: true` is an empty cell. Example: `'FOREIGN KEY … REFERENCES, checked at the end of each statement'`.
   */
  readonly foreignKeys?: string;
  /**
   * The type that stores a document natively. Default: the engine has none, and stores documents as JSON text;
   * `documents: native` is an empty cell. Example: `'jsonb'`.
   */
  readonly documents?: string;
  /**
   * The language of custom statements; `support.statement` has their methods, and `Session.prepareStatement` is
   * present. Default: experiments with statements of the user's own do not run on the engine. Example: `{ language:
   * 'sql' }`.
   */
  readonly statements?: StatementLanguage;
  /**
   * The view in which the server counts statements; `Database.keptStatements` reads it. Default: the engine has none,
   * or Dyno does not read it (reason: `unsupportedReasons.keptStatements`). Example: `'pg_stat_statements'`.
   */
  readonly keptStatements?: string;
  /**
   * The views in which the server keeps statistics of columns; `Database.tableFacts` reads them. Default: Dyno reads no
   * definitions of tables there (reason: `unsupportedReasons.tableStatistics`). Example: `'pg_stats and pg_stats_ext'`.
   */
  readonly tableStatistics?: string;
  /**
   * The place where `cancel()` stops a running call. server: the server stops its work. betweenCalls: the call ends
   * first. none: nothing is stopped. A conformance test proves it. Example: `'server'`.
   */
  readonly cancel: 'server' | 'betweenCalls' | 'none';
  /**
   * A sentence that says why a transaction cannot hold several calls. `callsPerCommit` above 1 is then an empty cell,
   * and the runner never calls `begin()`. Default: a transaction holds any number of calls. Example: `'A bulk insert
   * commits by itself.'`.
   */
  readonly oneCallPerCommit?: string;
  /**
   * A transaction sends the changes of its custom statements with its commit. `run()` then returns how many rows the
   * changes name, reads of the same transaction do not see the changes, and `commit()` fails as a whole if one of the
   * rows is missing or refused. Default: each statement sends its changes. Example: `true`.
   */
  readonly changesAtCommit?: true;
  /**
   * The isolation levels that a session can have, each with the server's own name. Levels with the same name are one
   * level: the server gives the strongest of them. `default` is present only if a session that sets no level always has
   * the same one. Default, also of each single level: `Database.openSession` throws 'unsupported', and the level is an
   * empty cell (reason: `unsupportedReasons['isolation.snapshot']` and so on). Example: `{ repeatableRead: 'REPEATABLE
   * READ', snapshot: 'REPEATABLE READ' }`.
   */
  readonly isolations?: { readonly [I in Isolation]?: string };
  /**
   * The pooler that Dyno starts before the engine's managed servers (the setting `pooler`). Default: none (reasons:
   * `unsupportedReasons['pooler.session']` and `['pooler.transaction']`). Example: `'PgBouncer'`.
   */
  readonly pooler?: string;
  /**
   * The way in which a session asks for TLS on a port that also takes sessions without it (the setting `tls`);
   * `ConfigParser.withTls` and `Session.readTls` are present. Default: a session has no choice (reasons:
   * `unsupportedReasons['tls.on']` and `['tls.off']`). Example: `'SSLRequest before the login'`.
   */
  readonly tls?: string;
  /**
   * The way in which a session is opened whose writes the server refuses; `ConfigParser.readOnly` is present.
   * Connections that are marked as production use it. Default: there is none, and such connections depend on the user's
   * rights (reason: `unsupportedReasons.readOnlySessions`). Example: `'SET default_transaction_read_only = on'`.
   */
  readonly readOnlySessions?: string;
  /**
   * The settings that a session can make for itself after its login; `Database.openSession` takes them, and
   * `Session.readSettings` is present. Default: there are none, and `session` of an experiment is an empty cell
   * (reason: `unsupportedReasons.sessionSettings`). Example: `{ implementation: 'SET', names: '[a-z]+', refused: [] }`.
   */
  readonly sessionSettings?: SessionSettingRules;
  /**
   * The parameters that Dyno sets of servers; `Database.serverParameters` is present. Default: there are none, and
   * `server` of an experiment is an empty cell (reason: `unsupportedReasons.serverParameters`). Example:
   * `{ atStart: '-c', names: ['work_mem'], values: '\\w+', memory: {} }`.
   */
  readonly serverParameters?: ServerParameterRules;
  /**
   * The statements that `setup` of an experiment may have; `Database.setUp` runs them, and `leftovers` and
   * `dropLeftovers` find their objects. Default: there are none, and experiments with a text of `setup` for the engine
   * are empty cells (reason: `unsupportedReasons.setup`). Example: `{ forms: [{ implementation: 'ANALYZE {table}',
   * shape: 'analyze \\{\\}' }] }`.
   */
  readonly setup?: SetupRules;
  /**
   * The highest number of sessions of a trial; a variant with more is an empty cell. Null: the engine sets no limit.
   * Example: `1`.
   */
  readonly maxConnections: number | null;
  /**
   * The most digits of a decimal column. A table with a longer one is an empty cell. Default: 38, which is also the
   * most that a file may say. Example: `18`.
   */
  readonly mostDecimalDigits?: number;
  /**
   * The engine works inside the worker process, in synchronous calls: its processor time counts as the client's, and
   * sessions wait for each other. Default: the engine is a server of its own. Example: `true`.
   */
  readonly inProcess?: boolean;
  /**
   * The engine does no work and shows the overhead of Dyno itself, so it takes no part in verdicts and checksums.
   * Default: it is an engine like the others. Example: `true`.
   */
  readonly reference?: boolean;
  /**
   * The server stores empty text and empty bytes as nulls, so that they add nothing to checksums. Default: an empty
   * text stays an empty text. Example: `true` (Oracle).
   */
  readonly emptyIsNull?: boolean;
  /**
   * Dyno's tables hold decimals and times as whole numbers, so that calculated ones come back as whole numbers.
   * Default: the engine has types for them. Example: `true` (SQLite).
   */
  readonly storesWhole?: boolean;
  /**
   * The options that this engine alone has; experiments set them as `<id>.<name>`. Default: none. Example:
   * `[option('path', 'Call path', { help: '…', choices: ['lean', 'driver'], defaultValue: 'lean' })]`.
   */
  readonly options?: readonly EngineOption[];
  /**
   * The fields of the connection form, which are also the keys of a target in experiment files. `ConfigParser.parse`
   * refuses other keys. Empty: the engine needs no connection. Example: `[portField('5432'), passwordField]`.
   */
  readonly config: readonly ConfigField[];
  /**
   * The targets that Dyno starts itself. A target that names the engine and no address is the first of them. Empty: the
   * engine needs a server of the user's. Example: `[{ target: 'sqlite', label: 'SQLite', about: 'A file of Dyno’s.'
   * }]`.
   */
  readonly builtIn: readonly BuiltInTarget[];
  /**
   * A sentence that is shown with the details of every target of the engine. Default: none. Example: `'Support for this
   * product has ended.'`.
   */
  readonly notice?: string;
}
