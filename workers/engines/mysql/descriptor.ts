import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { option } from '#engine-api/option.ts';
import {
  caField,
  clientCertificateFields,
  connectTimeoutField,
  field,
  passwordField,
  portField,
  reachesSocket,
  tlsField,
} from '#engine-api/server-fields.ts';
import { copySupport } from '#engine-api/support/copy-support.ts';
import { cell, many, type Support } from '#engine-api/support.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { builtInVersion } from '../shared/built-in-version.ts';
import { loopCommit, mayLeaveTurns } from '../shared/loop-commit.ts';
import { reads } from './reads.ts';
import { serverParameters } from './server-parameters.ts';
import { sessionSettings } from './session-settings.ts';
import { setup } from './setup-rules.ts';

/** The answer to COM_STMT_PREPARE counts in 16 bits. */
const maxParameters = 65_535;
const multi = (implementation: string): Support =>
  cell(implementation, { maxRowsPerCall: maxParameters, maxParameters });
const array = (implementation: string, more: Partial<Support> = {}): Support =>
  many(`COM_STMT_BULK_EXECUTE: ${implementation}, one statement and an array of parameters; the connector’s batch()`, {
    needs: { driver: 'mariadb' },
    ...more,
  });
/** An INSERT is one statement at the server; the others are one statement for each row. */
const rowByRow = { mayApplyPartially: true };

/** The cells of every statement with a key or a row. */
const singleRow = (what: string) => ({
  literal: cell(`COM_QUERY: ${what} with literals in the text (what query() with values sends, too)`),
  bind: cell(
    `${what} with parameters, prepared and closed in every call: COM_STMT_PREPARE, EXECUTE and CLOSE; two round trips with mysql2, one with the mariadb connector on MariaDB`,
  ),
  prepared: cell(`COM_STMT_EXECUTE: ${what}, statement prepared once`),
  pipelined: cell(`COM_STMT_EXECUTE: ${what}, statement prepared once; several in flight`, {
    pipelines: true,
    needs: { driver: 'mariadb' },
  }),
  batch: cell(
    `COM_QUERY: one text of several statements, ${what} with literals; the server answers each, and runs none behind one that it refuses (as Connector/J with rewriteBatchedStatements)`,
    { batches: true, needs: { driver: 'mysql2', path: 'lean' } },
  ),
});

/** SQL as MySQL and MariaDB write it. */
export const statementLanguage: StatementLanguage = {
  language: 'sql',
  reads,
  quoting: ['backslash', 'backtick', 'hash'],
  // Neither driver allows several statements in a text, so the server refuses a second one.
  wholeTexts:
    '^(create|alter) (\\S+ )*(procedure|function|trigger|event|package)\\b|^begin not atomic\\b|^(if|case|while|loop|repeat|for)\\b',
  scripts: {
    client: 'the mysql client',
    signs: [
      '^[ \\t]*delimiter[ \\t]+\\S',
      '`\\w+`',
      '\\bengine\\s*=\\s*\\w',
      '\\bauto_increment\\b',
      '/\\*M?!',
      "\\\\'",
      '\\bon\\s+duplicate\\s+key\\b|\\b(straight_join|last_insert_id|unsigned)\\b',
      '^[ \\t]*#',
      '^[ \\t]*(source|tee|system)[ \\t]+\\S|\\\\G|\\bstart\\s+transaction\\b',
    ],
    delimiter: '^delimiter[ \\t]+(?<end>\\S+)[ \\t]*$',
    command:
      '^(\\\\[^gG]|(source|system|tee|notee|pager|nopager|prompt|charset|connect|edit|ego|exit|quit|go|help|print|rehash|resetconnection|status|warnings|nowarning|delimiter)(?=[ \\t]|;?[ \\t]*$))',
    shows: '^(tee|notee|pager|nopager|prompt|rehash|status|warnings|nowarning|\\\\[TtPnRs#WwC])(?=[ \\t;]|$)',
    ends: '^(exit|quit|\\\\q)\\b',
    sends: '\\\\[gG]',
    carriedOut: '^/\\*M?!',
  },
  ownParameters: '\\?',
  firstRows: 'SELECT {columns} FROM {table} LIMIT {rows}',
  transactionControl: {
    within: '^(savepoint|release savepoint|rollback (work )?to)\\b',
    isolates: '^set (session |global |local )?transaction\\b',
    ends: '^(commit|end|unlock (tables?|instance)|xa (end|prepare|commit))\\b|^backup (stage end|unlock)\\b',
    undoes: '^(rollback|xa rollback)\\b',
    // BEGIN NOT ATOMIC is a block of MariaDB's.
    begins: '^(begin(?! not\\b)|start transaction|xa (start|begin))\\b',
    holds:
      '^set (\\S+ )*(@@)?autocommit\\b|^lock (tables?|instance)\\b|^flush (\\S+ )*(with read lock|for export)\\b|^backup (stage|lock)\\b',
  },
  highlight: 'MySQL',
};

const insert = {
  ...singleRow('INSERT'),
  multiRow: multi('one INSERT with N VALUES lists, statement prepared once'),
  arrayBind: array('INSERT'),
  bulk: many('LOAD DATA LOCAL INFILE from a stream; rows that the server skips or changes are reported as errors'),
  serverLoop: many(
    'a stored procedure of Dyno’s with one INSERT per turn of a loop, in one transaction per call (option loopCommit: or one a turn); the server makes the rows',
    { serverData: true, ...mayLeaveTurns },
  ),
};

/**
 * Scans that stream their rows, and statements that are prepared for one call, use the driver's own call on both paths.
 */
const leanCells = (['insert', 'copy', 'readByKey', 'readRange', 'update', 'delete', 'statement'] as const).flatMap(
  (operation) =>
    (['literal', 'prepared', 'batch', 'multiRow'] as const).map((method) => `${operation}.${method}` as const),
);

const noTransactions = 'This storage engine has no transactions.';
const noForeignKeys = 'This storage engine checks no foreign keys (foreignKeys: false).';
/** Servers ignore these clauses for most other storage engines, and the table is not compressed. */
const innodbAlone = 'Only InnoDB compresses tables and pages in this way.';
const noCompression = { 'option.compression.table': innodbAlone, 'option.compression.page': innodbAlone } as const;
const blockSizes = ['1', '2', '4', '8', '16'] as const;
const serversPages = 'The table has the page size of the server.';
const onlyCompressed = { 'option.compression.none': serversPages, 'option.compression.page': serversPages } as const;

export const descriptor: EngineDescriptor = {
  id: 'mysql',
  label: 'MySQL / MariaDB',
  driver: 'mysql2, or the mariadb connector (option driver)',
  driverPackage: ['mysql2', 'mariadb'],
  support: {
    insert,
    copy: copySupport('COM_STMT_EXECUTE: SELECT, rows streamed, fetchSize of them buffered', insert, {
      driver: 'mysql2',
    }),
    readByKey: {
      ...singleRow('SELECT by key'),
      multiRow: multi('SELECT … WHERE key IN (?, …), statement prepared once'),
    },
    readRange: singleRow(
      'SELECT … WHERE key >= ? ORDER BY key LIMIT n (rangeColumn: WHERE column >= ? AND column < ?)',
    ),
    scan: {
      literal: cell('COM_QUERY: SELECT of the whole table, rows streamed as text'),
      bind: cell('SELECT of the whole table, prepared and closed in every call, rows streamed in binary'),
      prepared: cell('COM_STMT_EXECUTE: SELECT of the whole table, rows streamed in binary'),
    },
    update: {
      ...singleRow('UPDATE by key'),
      multiRow: multi('UPDATE … JOIN (SELECT ?, ? UNION ALL SELECT ?, ? …), statement prepared once'),
      arrayBind: array('UPDATE by key', rowByRow),
    },
    statement: {
      literal: cell('COM_QUERY: the text with its values as literals'),
      bind: cell('the text with parameters, prepared and closed in every call'),
      prepared: cell('COM_STMT_EXECUTE: statement prepared once'),
    },
    delete: {
      ...singleRow('DELETE by key'),
      multiRow: multi('DELETE … WHERE key IN (?, …), statement prepared once'),
      arrayBind: array('DELETE by key', rowByRow),
    },
  },
  documents: 'JSON (of MariaDB: LONGTEXT with a check that it is JSON)',
  statements: statementLanguage,
  tls: 'CLIENT_SSL in the answer to the greeting',
  unsupportedReasons: {
    'pooler.session':
      'Dyno starts no pooler for MySQL and MariaDB: give one of your own, such as ProxySQL, as a target.',
    'pooler.transaction':
      'Dyno starts no pooler for MySQL and MariaDB: give one of your own, such as ProxySQL, as a target.',
    'statement.pipelined':
      'Custom statements are answered one by one, because a transaction continues with the answer of the previous step.',
    'statement.batch':
      'Custom statements are answered one by one, because a transaction continues with the answer of the previous step.',
    'copy.batch': 'A copy inserts rows as it reads them, with a message for each call.',
    'scan.batch':
      'The answers of a connection come one after the other, so several scans in a message would only wait.',
    batch:
      'mysql2’s own query() returns one answer for all statements, and the mariadb connector has pipelined and arrayBind: use driver: mysql2 and path: lean.',
    pipelined: 'mysql2 sends a statement when the one before it has been answered.',
    'scan.pipelined':
      'The answers of a connection come one after the other, so several scans in flight would only wait.',
    arrayBind: 'mysql2 has no array binding; the server has to be MariaDB 10.2 or later.',
    'readByKey.arrayBind': 'COM_STMT_BULK_EXECUTE inserts, updates and deletes; it returns no rows.',
    'readRange.arrayBind': 'COM_STMT_BULK_EXECUTE inserts, updates and deletes; it returns no rows.',
    'scan.arrayBind': 'A scan has no parameters.',
    bulk: 'LOAD DATA inserts; it neither reads, updates nor deletes.',
    serverLoop: 'Only for insert, where the server makes the rows itself.',
    multiRow: 'Only calls with several rows or keys have this method.',
    fetchSize:
      'mysql2 opens no cursor: the server streams all rows of an answer, and only a copy buffers so many of them.',
    'bulkFormat.binary': 'LOAD DATA has text alone.',
    'foreignKeys.partitions': 'InnoDB has no foreign keys on partitioned tables, nor to them (foreignKeys: false).',
    'isolation.snapshot':
      'InnoDB reads from a snapshot at REPEATABLE READ, but can change rows that others have committed since, unless MariaDB’s innodb_snapshot_isolation is on: use repeatableRead.',
    'nullBinding.asDecimal':
      'The type byte has neither precision nor scale, so a null cannot be declared as another decimal.',
    'nullBinding.asText':
      'This is the same as asColumn: drivers send a null without a declared type with the type byte VAR_STRING, as they send decimals.',
    fillFactor: 'innodb_fill_factor is a variable of the whole server, and has no effect on single inserts.',
    'index.hash': 'InnoDB makes a B-tree when a hash index is requested.',
    'index.brin': 'InnoDB has no index over ranges of pages.',
    'index.gin': 'InnoDB has multi-valued indexes of JSON arrays, which this is not.',
    'index.gist': 'InnoDB has R-trees for geometries alone, and Dyno’s tables have none.',
    'index.columnstore': 'InnoDB stores rows; MariaDB ColumnStore is a storage engine of its own.',
    'index.bitmap': 'InnoDB has B-trees only.',
    'index.wildcard': 'InnoDB indexes single fields of documents (path).',
    'index.2dsphere': 'InnoDB has R-trees for geometries alone, and Dyno’s tables have none.',
    'index.mapReduce': 'InnoDB keeps no sums.',
    'index.include':
      'Entries of InnoDB have the columns of the index and the primary key: put further columns at the end of columns.',
    'index.where': 'InnoDB has no partial indexes: an entry is made for every row.',
  },
  keyAfterLoad:
    'ALTER TABLE ADD PRIMARY KEY: InnoDB sorts the rows and writes the whole table anew, in the order of the key',
  removesIndexes: 'DROP INDEX … ON',
  isolations: {
    readUncommitted: 'READ UNCOMMITTED',
    readCommitted: 'READ COMMITTED',
    repeatableRead: 'REPEATABLE READ',
    serializable: 'SERIALIZABLE',
  },
  sortMemory: {
    implementation: 'SET SESSION sort_buffer_size',
    leastKb: 32,
    setting: { name: 'sort_buffer_size', unit: 'bytes' },
  },
  dropIndex: 'DROP INDEX {index} ON {table}',
  ownIndexes: `SELECT index_name, column_name FROM information_schema.statistics
    WHERE table_schema = DATABASE() AND table_name = '{table}' ORDER BY index_name, seq_in_index`,
  loadsInParallel: true,
  partitions: 'PARTITION BY KEY: tablespaces of their own',
  indexes: {
    btree: {
      implementation: 'CREATE INDEX: a B-tree, each entry with the primary key',
      takes: {
        unique: 'CREATE UNIQUE INDEX',
        order: 'DESC, from MySQL 8.0 and MariaDB 10.8',
        expression: '((…)), from MySQL 8.0.13; MariaDB has none',
        path: "((CAST(doc ->> '$.a.b' AS CHAR(191)) COLLATE utf8mb4_bin)), from MySQL 8.0.13; MariaDB has none",
        invisible: 'INVISIBLE, from MySQL 8.0; IGNORED, from MariaDB 10.6',
      },
    },
    fulltext: {
      implementation: 'CREATE FULLTEXT INDEX: InnoDB’s inverted lists',
      takes: { invisible: 'INVISIBLE, from MySQL 8.0; IGNORED, from MariaDB 10.6' },
    },
  },
  nullsAsColumn: 'COM_STMT_EXECUTE: type byte VAR_STRING, and the null’s bit, whatever the column is',
  nullBindings: {
    asFloat: {
      implementation: 'COM_STMT_EXECUTE: type byte DOUBLE, and the null’s bit (TypedParameter.DOUBLE(null))',
      methods: ['bind', 'prepared', 'multiRow'],
      converts: ['uuid', 'bigint', 'decimal', 'timestamp', 'boolean', 'text', 'bytes'],
    },
    untyped: {
      implementation: 'COM_STMT_EXECUTE: type byte NULL, and the null’s bit (TypedParameter.NULL())',
      methods: ['bind', 'prepared', 'multiRow'],
      converts: ['uuid', 'bigint', 'decimal', 'timestamp', 'boolean', 'text', 'bytes'],
    },
  },
  foreignKeys: 'InnoDB FOREIGN KEY … REFERENCES, checked with each row; the referring column gets an index by itself',
  uuids: {
    implementation:
      'BINARY(16), compared from the first byte to the last; as CHAR(36) (mysql.uuid: text) in the same order',
    order: 'bytes',
  },
  keptStatements: 'performance_schema.events_statements_summary_by_digest',
  tableStatistics:
    'mysql.column_stats (MariaDB) or information_schema.column_statistics (MySQL), and statistics of indexes',
  cancel: 'server',
  readOnlySessions:
    'SET SESSION TRANSACTION READ ONLY, and START TRANSACTION READ ONLY before each call: it is sent when the call before it has been answered, outside of what is measured',
  sessionSettings,
  serverParameters,
  setup,
  maxConnections: null,
  options: [
    option('driver', 'Driver', {
      help: 'The client library of all measured calls. Schema, loading and probes always use mysql2.',
      choices: ['mysql2', 'mariadb'],
      defaultValue: 'mysql2',
      unsupportedReasons: { mariadb: { nullBinding: 'The connector sends every null with the type byte VAR_STRING.' } },
    }),
    option('path', 'Call path', {
      help: 'lean: Dyno writes the packet of a call to mysql2’s connection, and counts the rows of the answer without decoding them. driver: a call is mysql2’s own query() or execute(), which makes arrays of rows, as in most programs. The mariadb connector has only its own path.',
      choices: ['lean', 'driver'],
      defaultValue: 'lean',
      cells: leanCells,
    }),
    option('uuid', 'UUID columns', {
      help: 'binary: BINARY(16), sent as 16 bytes. text: CHAR(36), sent as text.',
      choices: ['binary', 'text'],
      defaultValue: 'binary',
    }),
    option('storageEngine', 'Storage engine', {
      help: 'InnoDB; MyISAM and Aria (MariaDB’s) without transactions, so that a commit keeps nothing together; RocksDB, where the server has it. A server without the engine leaves the cell empty.',
      choices: ['InnoDB', 'MyISAM', 'Aria', 'RocksDB'],
      defaultValue: 'InnoDB',
      unsupportedReasons: {
        MyISAM: { callsPerCommit: noTransactions, foreignKeys: noForeignKeys, ...noCompression },
        Aria: { callsPerCommit: noTransactions, foreignKeys: noForeignKeys, ...noCompression },
        RocksDB: { foreignKeys: noForeignKeys, ...noCompression },
      },
    }),
    option('compression', 'Compression', {
      help: 'none. table: ROW_FORMAT=COMPRESSED, pages of the size keyBlockSize compressed by zlib. page: each page is compressed when it is written, and the file system frees the rest (MySQL: COMPRESSION=zlib; MariaDB: PAGE_COMPRESSED=1 by the server’s algorithm). Both are of InnoDB alone.',
      choices: ['none', 'table', 'page'],
      defaultValue: 'none',
    }),
    option('keyBlockSize', 'Page size of compressed tables (KB)', {
      help: 'KEY_BLOCK_SIZE of compression: table. default: half of the server’s page size.',
      choices: ['default', ...blockSizes],
      defaultValue: 'default',
      unsupportedReasons: Object.fromEntries(blockSizes.map((size) => [size, onlyCompressed])),
    }),
    loopCommit(),
  ],
  config: [
    field('text', 'url', 'URL', {
      placeholder: 'mysql://user@host:3306/database',
      help: 'The URL takes the place of the other fields (mariadb:// is also accepted). A field that is given as well has priority.',
      localUse: 'plain',
    }),
    field('text', 'host', 'Host', {
      placeholder: 'localhost',
      help: 'A path starting with / is a Unix socket: /run/mysqld/mysqld.sock.',
      localUse: reachesSocket('^/'),
    }),
    portField('3306'),
    field('text', 'database', 'Database', {
      placeholder: 'dyno',
      help: 'The default database of every session. Dyno also makes its tables there, each marked by its comment, and creates the database if it is missing, which needs CREATE on it. Empty: the tables go to dyno.',
      localUse: 'plain',
    }),
    field('text', 'user', 'User', { placeholder: 'root', localUse: 'plain' }),
    passwordField,
    tlsField,
    caField,
    ...clientCertificateFields,
    field('map', 'sessionSettings', 'Session settings', {
      help: 'SET SESSION on every session, e.g. transaction_isolation: READ-COMMITTED.',
      localUse: 'plain',
    }),
    connectTimeoutField(10_000),
  ],
  builtIn: [
    {
      target: 'local-mariadb',
      hue: 2,
      label: 'MariaDB (on this machine)',
      about:
        'The MariaDB (or MySQL) server installed here, started by Dyno with data of its own and the server’s default settings.',
      restartEmptiesCache: true,
      products: ['mariadb', 'mysql'],
    },
    ...(
      [
        ['mariadb', 'MariaDB', ['11.8', '11.4', '10.11', '10.6']],
        ['mysql', 'MySQL', ['9', '8.4', '8.0']],
      ] as const
    ).flatMap(([name, product, versions]) => versions.map((version) => builtInVersion(name, product, version))),
  ],
};
