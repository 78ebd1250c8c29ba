import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { copySupport } from '#engine-api/support/copy-support.ts';
import { cell, many, type Support } from '#engine-api/support.ts';
import type { StatementBeginnings, StatementLanguage } from '#model/statements/statement-text.ts';
import { mayLeaveTurns } from '../shared/loop-commit.ts';
import { fields } from './config-fields.ts';
import { inOnePartition, options } from './options.ts';
import { reads } from './reads.ts';
import { serverParameters } from './server-parameters.ts';
import { sessionSettings } from './session-settings.ts';
import { setup } from './setup-rules.ts';

/**
 * A request has at most 2,100 parameters (manual, "Maximum capacity specifications"); sp_executesql itself uses two.
 */
const maxParameters = 2_098;
/** The most rows in a VALUES list (manual, "Table Value Constructor"). */
const maxValues = 1_000;

/** The single-row cells of every statement. */
const singleRow = (what: string) => ({
  literal: cell(`SQL batch: ${what} with literals in the text`),
  bind: cell(
    `sp_executesql: ${what} with parameters declared as their columns, nulls as nullBinding says; its plan found by text and declarations`,
  ),
  prepared: cell(
    `sp_execute: ${what}, parameters declared as with bind, a handle that sp_prepare made once; with mssql once a transaction`,
  ),
  batch: cell(
    `sp_execute of each call, all in one message: ${what}, the handle of prepared (with another nullBinding than asColumn, sp_executesql of each call); the server ends each call by itself, as those of SqlBatch and of Microsoft’s JDBC driver`,
    { batches: true, needs: { driver: 'tedious', path: 'lean' } },
  ),
});

const multi = (implementation: string, maxRowsPerCall: number): Support => ({
  implementation: `${implementation}, sp_execute (mssql: sp_executesql); the server’s limit of 2,100 parameters leaves 2,098`,
  maxRowsPerCall,
  maxParameters,
});

const tableValued = (implementation: string): Support =>
  many(`${implementation}, sp_executesql; the table type is Dyno’s own`);

const byKeys = (what: string) => ({
  multiRow: multi(`${what} … WHERE key IN (@P0, …)`, maxParameters),
  arrayBind: tableValued(`${what} … JOIN @P0, one table-valued parameter of keys`),
});

/** A batch needs no semicolons between its statements (Transact-SQL Reference, "Reserved Keywords"). */
const beginnings: StatementBeginnings = {
  words: [
    ...['select', 'insert', 'update', 'delete', 'merge', 'truncate', 'create', 'alter', 'drop', 'exec', 'execute'],
    ...['declare', 'if', 'while', 'begin', 'return', 'goto', 'print', 'raiserror', 'waitfor'],
    ...['commit', 'rollback', 'save'],
    ...['grant', 'revoke', 'deny', 'backup', 'restore', 'bulk', 'dbcc', 'kill', 'checkpoint', 'shutdown', 'use'],
  ],
  // These appear in UNION SELECT, WHEN MATCHED THEN UPDATE, CURSOR FOR SELECT, FOR UPDATE, INNER MERGE JOIN.
  notBehind: ['union', 'all', 'except', 'intersect', 'then', 'for', 'inner', 'left', 'right', 'full', 'outer'],
  within: {
    select: [],
    insert: ['select', 'exec', 'execute'],
    update: [],
    delete: [],
    merge: [],
    with: ['select', 'insert', 'update', 'delete', 'merge'],
    exec: [],
    execute: [],
    truncate: [],
    declare: [],
    set: [],
    begin: [],
    commit: [],
    rollback: [],
    save: [],
  },
};

/** SQL as SQL Server writes it: T-SQL. */
export const statementLanguage: StatementLanguage = {
  language: 'sql',
  reads,
  quoting: ['bracket', 'nested'],
  // The body of a procedure is the rest of the batch.
  wholeTexts: '^(create|alter) (or alter )?(proc|procedure|function|trigger)\\b',
  blocks: { notBefore: ['tran', 'transaction', 'distributed', 'dialog', 'conversation'] },
  beginnings,
  batches: true,
  // The server itself does not support GO.
  scripts: {
    client: 'sqlcmd or Management Studio',
    signs: [
      '^[ \\t]*go(?:[ \\t]+\\d+)?[ \\t]*$',
      '\\[\\w+\\]',
      '\\bdbo\\.',
      '@@\\w|\\bdeclare\\s+@',
      '\\b(nvarchar|datetime2|uniqueidentifier|getdate|newid|scope_identity)\\b',
      '\\b(begin|commit|save)\\s+tran\\b|\\bset\\s+nocount\\b',
      '\\bselect\\s+top\\b|\\bwith\\s*\\(\\s*nolock\\s*\\)',
      '^[ \\t]*:(setvar|r|connect|on)\\b|\\$\\(\\w+\\)',
    ],
    batchEnd: '^[ \\t]*go(?:[ \\t]+(?<times>\\d+))?[ \\t]*$',
    variable: '@',
    command: '^(:[a-z!]|!!)',
    shows: '^:(on\\s+error|error|out|perftrace|xml|help|serverlist|list)\\b',
    sets: '^:setvar[ \\t]+(?<name>\\w+)[ \\t]+(?<value>.*)$',
    ends: '^:(exit|quit)\\b',
    places: '\\$\\((\\w+)\\)',
  },
  transactionControl: {
    // Dyno's transactions have no name, so a rollback with a name goes to a savepoint.
    within: '^save (tran|transaction)\\b|^rollback (tran|transaction) [^ ]',
    isolates: '^set transaction isolation\\b',
    ends: '^commit\\b',
    undoes: '^rollback\\b',
    begins: '^begin (distributed )?(tran|transaction)\\b',
    holds: '^set implicit_transactions\\b',
  },
  undoesDdl: true,
  callsByName: true,
  highlight: 'MSSQL',
  firstRows: 'SELECT TOP {rows} {columns} FROM {table}',
};

const insert = {
  ...singleRow('INSERT'),
  multiRow: multi('one INSERT with N VALUES lists, 1,000 at most', maxValues),
  arrayBind: tableValued('INSERT … SELECT FROM @P0, one table-valued parameter'),
  bulk: many('INSERT BULK and a bulk load message, as bcp, SqlBulkCopy and mssql’s bulk() send; two round trips'),
  serverLoop: many(
    'T-SQL WHILE with one INSERT a turn, NOCOUNT ON (option loopCounts: or OFF), one transaction (option loopCommit: or one a turn); the server makes the rows',
    { serverData: true, ...mayLeaveTurns },
  ),
};

export const descriptor: EngineDescriptor = {
  id: 'sqlserver',
  label: 'SQL Server',
  systemName: 'microsoft.sql_server',
  driver:
    'tedious with message bodies by Dyno, and with “path: lean” packets by Dyno, or mssql (option driver); TDS 7.4',
  driverPackage: ['tedious', 'mssql'],
  support: {
    insert,
    copy: copySupport('sp_execute: SELECT of the whole table, streamed, fetchSize rows buffered', insert, {
      driver: 'tedious',
    }),
    statement: {
      literal: cell('a batch: the text with its values as literals'),
      bind: cell('sp_executesql: the text with parameters'),
      prepared: cell('sp_execute: a statement prepared once; mssql prepares it anew after another request'),
    },
    readByKey: { ...singleRow('SELECT by key'), ...byKeys('SELECT') },
    readRange: singleRow(
      'SELECT TOP (n) … WHERE key >= @P0 ORDER BY key (rangeColumn: WHERE column >= @P0 AND column < @P1), streamed',
    ),
    scan: {
      literal: cell('SQL batch: SELECT of the whole table, streamed'),
      bind: cell('sp_executesql: SELECT of the whole table, streamed'),
      prepared: cell('sp_execute: SELECT of the whole table, streamed'),
    },
    update: {
      ...singleRow('UPDATE by key'),
      multiRow: multi('UPDATE … FROM t JOIN (VALUES (@P0, @P1), …), 1,000 rows at most', maxValues),
      arrayBind: tableValued('UPDATE … FROM t JOIN @P0, one table-valued parameter'),
    },
    delete: { ...singleRow('DELETE by key'), ...byKeys('DELETE') },
  },
  statements: statementLanguage,
  keptStatements: 'the Query Store, or sys.dm_exec_query_stats',
  tableStatistics: 'sys.dm_db_stats_histogram',
  serverParameters,
  tls: 'ENCRYPT_ON or ENCRYPT_OFF in the PRELOGIN message; the login itself is always encrypted',
  unsupportedReasons: {
    'pooler.session': 'SQL Server has no pooler between client and server: its drivers pool connections themselves.',
    'pooler.transaction':
      'SQL Server has no pooler between client and server: its drivers pool connections themselves.',
    readOnlySessions:
      'SQL Server has no read-only sessions: ApplicationIntent=ReadOnly only chooses a replica and refuses nothing on a primary. Dyno judges statements by their text; give it a user that may only read.',
    pipelined: 'TDS carries one request at a time on a connection, and the driver has no MARS.',
    'statement.batch':
      'Custom statements are answered one by one, because a transaction continues with the answer of the previous step.',
    'copy.batch': 'A copy inserts rows as it reads them, with a message for each call.',
    'scan.batch':
      'The answers of a connection come one after the other, so several scans in a message would only wait.',
    batch: 'The drivers send each call as a message of its own: use driver: tedious and path: lean.',
    bulk: 'A bulk load inserts; it neither reads, updates nor deletes.',
    serverLoop: 'Only for insert, where the server makes the rows itself.',
    multiRow: 'Only calls with several rows or keys have this method.',
    arrayBind: 'Only calls with several rows or keys have this method.',
    fetchSize:
      'Dyno opens no cursor: the server streams all rows of an answer, and only a copy buffers this many rows.',
    'bulkFormat.text': 'INSERT BULK only has the binary form of TDS.',
    'documents.native': 'Up to SQL Server 2022 there is no JSON type: a document is text (nvarchar).',
    sortMemoryKb:
      'The server grants a sort the memory that it estimates; a statement can limit it in per cent (MAX_GRANT_PERCENT), not in KB.',
    'foreignKeys.partitions':
      'The primary key of a partitioned table includes the partition, so no foreign key can refer to the key alone (foreignKeys: false).',
    'partitions.uuidSequential': inOnePartition,
    'index.hash': 'Only memory-optimised tables have hash indexes.',
    'index.brin': 'SQL Server has no index over ranges of pages; a columnstore stores rows in another form.',
    'index.gin': 'SQL Server has no inverted index besides full-text search.',
    'index.gist': 'SQL Server has spatial indexes of geometries, and Dyno’s tables have none.',
    'index.bitmap': 'Bitmaps are made during a query, and not stored.',
    'index.wildcard': 'SQL Server 2025 alone has an index of JSON documents.',
    'index.2dsphere': 'SQL Server has spatial indexes of geometries, and Dyno’s tables have none.',
    'index.mapReduce': 'An indexed view keeps sums, and is not an index.',
    'index.expression': 'SQL Server indexes computed columns, which Dyno’s tables do not have.',
    'index.path': 'SQL Server indexes computed columns, which Dyno’s tables do not have.',
    'index.invisible': 'A disabled index of SQL Server loses its entries, so that no write keeps it up to date.',
    'index.partitions':
      'A unique index of a partitioned table has to contain the partition, so that it would not be unique by its columns alone.',
    'index.fulltext': 'Full-text search is a separate feature, with catalogs of its own.',
  },
  isolations: {
    readUncommitted: 'READ UNCOMMITTED',
    readCommitted: 'READ COMMITTED',
    repeatableRead: 'REPEATABLE READ',
    snapshot: 'SNAPSHOT',
    serializable: 'SERIALIZABLE',
  },
  fillFactor: {
    implementation: 'ALTER TABLE ADD PRIMARY KEY … WITH (FILLFACTOR = n)',
    onlyOverRows:
      'SQL Server fills pages by the fill factor when it builds an index over rows, and not when rows are inserted: use keyCreation: afterLoad.',
  },
  emptyCache: 'CHECKPOINT, then DBCC DROPCLEANBUFFERS',
  keyAfterLoad:
    'ALTER TABLE ADD PRIMARY KEY: clustered, it sorts the heap into the order of the key; nonclustered, it is made beside it',
  removesIndexes: 'DROP INDEX … ON',
  partitions:
    'a partition function over the last bytes of a uuid, or over a computed column with the remainder of an integer',
  dropIndex: 'DROP INDEX {index} ON {table}',
  ownIndexes: `SELECT i.name, c.name FROM sys.indexes i
    JOIN sys.index_columns k ON k.object_id = i.object_id AND k.index_id = i.index_id
    JOIN sys.columns c ON c.object_id = k.object_id AND c.column_id = k.column_id
    WHERE i.object_id = OBJECT_ID('{table}') AND i.has_filter = 0
    ORDER BY i.name, k.is_included_column, k.key_ordinal, k.index_column_id`,
  indexes: {
    btree: {
      implementation: 'CREATE NONCLUSTERED INDEX: a B-tree',
      takes: {
        unique: 'CREATE UNIQUE NONCLUSTERED INDEX',
        order: 'DESC',
        include: 'INCLUDE (…)',
        where: 'WHERE (…): a filtered index, with simple comparisons alone',
      },
    },
    columnstore: {
      implementation: 'CREATE NONCLUSTERED COLUMNSTORE INDEX, from SQL Server 2012; writable from 2016',
      takes: { where: 'WHERE (…), from SQL Server 2016' },
    },
  },
  nullsAsColumn:
    'a parameter declared exactly as its column, decimal(12, 2) as decimal(12, 2): nothing to convert, and one statement whatever is null',
  nullBindings: {
    asDecimal: {
      implementation:
        'a parameter declared decimal(38, 0), with a value decimal(p, s) as its column; each combination of nulls so declared is a statement and a plan of its own',
      methods: ['bind', 'prepared', 'batch'],
      converts: ['decimal'],
    },
    asFloat: {
      implementation:
        'a parameter declared float, with a value as its column; each combination of nulls so declared is a statement and a plan of its own',
      methods: ['bind', 'prepared', 'batch'],
      converts: ['bigint', 'decimal', 'boolean', 'text', 'bytes'],
    },
    asText: {
      implementation:
        'a parameter declared nvarchar(4000), with a value as its column; each combination of nulls so declared is a statement and a plan of its own',
      methods: ['bind', 'prepared', 'batch'],
      converts: ['uuid', 'bigint', 'decimal', 'timestamp', 'boolean', 'text'],
    },
    untyped: {
      implementation:
        'NULL in the text and no parameter; each combination of nulls is a statement and a plan of its own',
      methods: ['bind', 'prepared', 'batch'],
      converts: ['uuid', 'bigint', 'decimal', 'timestamp', 'boolean', 'text', 'bytes'],
    },
  },
  foreignKeys:
    'FOREIGN KEY … REFERENCES, checked within the plan of each statement; the referring column gets no index by itself',
  uuids: {
    implementation:
      'uniqueidentifier, compared by its last six bytes first, in uuid7 at random; sqlserver.table: newSequentialId has the server make keys that ascend',
    order: 'lastSixBytesFirst',
  },
  cancel: 'server',
  sessionSettings,
  setup,
  maxConnections: null,
  options,
  config: fields,
  builtIn: [],
};
