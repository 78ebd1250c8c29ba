import type { ConfigField, LocalUse } from '#engine-api/config.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { type EngineOption, option } from '#engine-api/option.ts';
import { connectTimeoutField, field, passwordField, portField } from '#engine-api/server-fields.ts';
import { copySupport } from '#engine-api/support/copy-support.ts';
import { cell, many, type Support } from '#engine-api/support.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { loopCommit, mayLeaveTurns } from '../shared/loop-commit.ts';
import { reads } from './reads.ts';
import { serverParameters } from './server-parameters.ts';
import { sessionSettings } from './session-settings.ts';
import { setup } from './setup-rules.ts';

const million = 1_000_000;
const maxParameters = 65_535; // the execute message counts in 16 bits
const multi = (implementation: string): Support =>
  cell(implementation, { maxRowsPerCall: maxParameters, maxParameters });

/** The single-row cells that every statement has. */
const singleRow = (what: string, more: Partial<Support> = {}) => ({
  literal: cell(`execute: ${what} with literals in the text; a hard parse for every new text`, more),
  bind: cell(`execute, not kept in the statement cache: ${what}, a cursor opened and soft-parsed for every call`, more),
  prepared: cell(`execute from the statement cache: ${what}, parsed once, its cursor executed again`, more),
});

const pipelined = (what: string, more: Partial<Support> = {}) => ({
  pipelined: cell(
    `runPipeline (23ai and later): ${what}; what is in flight goes out as one pipeline, then all is read`,
    { pipelines: true, ...more },
  ),
});

const keyIsStorage = 'The rows are stored in the key’s index, so a table needs a key.';
const otherwise = 'Only heap tables have partitions here: use table: heap.';
const ofHeaps = 'It compresses rows in a heap, and the rows of an index-organised table are in its key.';
const keySpreads = 'Rows are spread over the partitions by their key.';

const options: readonly EngineOption[] = [
  option('table', 'Table organisation', {
    help: 'heap; iot: index-organised, rows within the primary key; hashPartitioned: table and key in hash partitions; reverseKey: heap, key bytes reversed in its index. All but heap need a key.',
    choices: ['heap', 'iot', 'hashPartitioned', 'reverseKey'],
    defaultValue: 'heap',
    unsupportedReasons: {
      iot: { 'keyCreation.afterLoad': keyIsStorage, 'keyCreation.none': keyIsStorage, partitions: otherwise },
      hashPartitioned: { 'keyCreation.afterLoad': keySpreads, 'keyCreation.none': keySpreads },
      reverseKey: { 'keyCreation.none': 'It is a kind of key.', partitions: otherwise },
    },
  }),
  option('compression', 'Compression', {
    help: 'none. basic: rows of direct path loads are compressed, and others are not. advanced: all rows; it needs the option Advanced Compression, a licence of its own.',
    choices: ['none', 'basic', 'advanced'],
    defaultValue: 'none',
    unsupportedReasons: { basic: { 'option.table.iot': ofHeaps }, advanced: { 'option.table.iot': ofHeaps } },
  }),
  option('partitions', 'Hash partitions', {
    help: 'The number of partitions for table: hashPartitioned. A power of two spreads rows evenly.',
    min: 2,
    max: 1_024,
    defaultValue: 16,
  }),
  option('commit', 'Commit', {
    help: 'COMMIT_WAIT and COMMIT_LOGGING of the session. wait: a commit waits until the redo is on disk. immediate: the redo is written at once. batch: it is buffered. asServer: the server and sessionSettings decide.',
    choices: ['asServer', 'waitImmediate', 'waitBatch', 'nowaitImmediate', 'nowaitBatch'],
    defaultValue: 'asServer',
    cells: ['insert', 'copy', 'update', 'delete'],
  }),
  option('prefetchRows', 'Prefetched rows', {
    help: 'The rows that come with the answer to execute. −1: as many as save the read another round trip, but at most fetchSize.',
    min: -1,
    max: million,
    defaultValue: -1,
    cells: ['readByKey', 'readRange', 'scan'],
  }),
  option('statementCacheSize', 'Statement cache', {
    help: 'The number of statements that the driver keeps open on a session. 0 makes prepared the same as bind.',
    min: 0,
    max: 10_000,
    defaultValue: 30,
  }),
  option('sdu', 'Session data unit', {
    help: 'The size of a network packet in bytes. The listener may reduce it.',
    min: 512,
    max: 2_097_152,
    defaultValue: 8_192,
  }),
  option('multiRow', 'Multi-row INSERT', {
    help: 'values: VALUES (…), (…), from 23ai on; insertAll: INSERT ALL, 999 values a call at most; auto: the first where the server has it.',
    choices: ['auto', 'values', 'insertAll'],
    defaultValue: 'auto',
    cells: ['insert.multiRow', 'copy.multiRow'],
  }),
  option('serverLoop', 'PL/SQL loop', {
    help: 'loop: one INSERT a turn; forall: keys made by a loop, then one FORALL for 1,000 rows.',
    choices: ['loop', 'forall'],
    defaultValue: 'loop',
    cells: ['serverLoop'],
  }),
  loopCommit(
    ' With serverLoop: forall a turn is one FORALL of 1,000 rows. PL/SQL waits for the log when the call ends, not with each COMMIT, unless option commit is waitImmediate.',
  ),
];

/** A connect string has parameters of its own, which the driver reads. */
const usesOfConnectString: readonly LocalUse[] = [
  { kind: 'file', does: 'names a wallet whose ewallet.pem Dyno reads', values: 'wallet' },
  {
    kind: 'file',
    does: 'is a name that the driver looks up in this machine’s tnsnames.ora',
    values: '^\\s*[^\\s:/?()=,;]+\\s*$',
  },
];

const config: readonly ConfigField[] = [
  field('text', 'url', 'URL', {
    placeholder: 'oracle://user@host:1521/service',
    help: 'The URL takes the place of the other fields. A field that is given as well has priority. oracles:// uses TLS.',
    localUse: 'plain',
  }),
  field('text', 'connectString', 'Connect string', {
    placeholder: 'host:1521/service',
    help: 'Easy Connect text or a full descriptor, which replaces host, port and service.',
    localUse: usesOfConnectString,
  }),
  field('text', 'host', 'Host', { placeholder: 'localhost', localUse: 'plain' }),
  portField('1521 (TLS: 2484)'),
  field('text', 'serviceName', 'Service name', { placeholder: 'FREEPDB1', localUse: 'plain' }),
  field('text', 'sid', 'SID', {
    help: 'The SID of an old database, which replaces the service name.',
    advanced: true,
    localUse: 'plain',
  }),
  field('text', 'user', 'User', { required: true, help: 'The owner of Dyno’s tables.', localUse: 'plain' }),
  passwordField,
  field('choice', 'protocol', 'Protocol', {
    choices: ['tcp', 'tcps'],
    placeholder: 'tcp',
    help: 'tcps is TLS; the server’s certificate is always checked.',
    localUse: 'plain',
  }),
  field('boolean', 'serverDnMatch', 'Check the host name', {
    help: 'With TLS the certificate must name the host. Default: yes.',
    advanced: true,
    localUse: 'plain',
  }),
  field('text', 'walletLocation', 'Wallet folder', {
    help: 'The folder with ewallet.pem: the CA’s certificate, and the client’s for mutual TLS.',
    advanced: true,
    localUse: [{ kind: 'file', does: 'is a folder whose ewallet.pem Dyno reads' }],
  }),
  field('password', 'walletPassword', 'Wallet password', { advanced: true }),
  field('choice', 'mode', 'Driver mode', {
    choices: ['thin', 'thick'],
    placeholder: 'thin',
    help: 'thick uses Oracle’s client libraries, which have to be installed, and has neither bulk nor pipelines.',
    advanced: true,
    localUse: [
      {
        kind: 'code',
        does: 'loads Oracle’s client libraries, native code, into the processes that connect',
        values: '^thick$',
      },
    ],
  }),
  field('text', 'libDir', 'Client libraries', {
    help: 'thick: folder of Oracle Instant Client; by default where the system looks for libraries.',
    advanced: true,
    localUse: [
      { kind: 'code', does: 'is a folder from which native libraries are loaded into the processes that connect' },
    ],
  }),
  field('map', 'sessionSettings', 'Session settings', {
    help: 'ALTER SESSION SET on every session, e.g. optimizer_mode: FIRST_ROWS.',
    localUse: 'plain',
  }),
  connectTimeoutField(10_000),
];

/** SQL as Oracle writes it. DDL commits before and after itself. */
export const statementLanguage: StatementLanguage = {
  language: 'sql',
  reads,
  quoting: ['qString'],
  // A block of PL/SQL, perhaps behind a label. The server accepts one statement at a time.
  wholeTexts:
    '^create (or replace )?((non)?editionable )?(function|procedure|package|trigger|type|library|java|mle)\\b|^(\\S+ )?(declare|begin)\\b|^with (function|procedure)\\b',
  scripts: {
    client: 'SQL*Plus',
    signs: [
      '^[ \\t]*/[ \\t]*$',
      '\\b(varchar2|nvl|sysdate|rownum|dbms_\\w+|plsql)\\b',
      '\\bfrom\\s+dual\\b',
      ':=',
      '^[ \\t]*(prompt|spool|whenever|variable|define|exec|execute|rem|set[ \\t]+(echo|feedback|heading|serveroutput|timing|pagesize|linesize|define|verify|termout))\\b',
      '&&?[a-z]\\w*',
    ],
    batchEnd: '^[ \\t]*/[ \\t]*$',
    command:
      '^(@|!|\\$|(accept|append|archive|attribute|break|btitle|change|clear|column|col|compute|connect|conn|copy|def|define|del|describe|desc|disconnect|edit|exec|execute|exit|get|help|host|input|list|password|pause|print|prompt|quit|recover|rem|remark|repfooter|repheader|run|save|show|shutdown|spool|start(?![ \\t]+transaction)|startup|store|timing|ttitle|undef|undefine|var|variable|whenever|xquery)(?=[ \\t;]|$)|set[ \\t]+(?!role\\b|transaction\\b|constraints?\\b))',
    shows:
      '^(break|btitle|clear|column|col|compute|prompt|pause|print|rem|remark|repfooter|repheader|show|spool|timing|ttitle|whenever|describe|desc|var|variable|help|set[ \\t]+(?!autocommit|define|escape|sqlblanklines|sqlterminator|cmdsep|auto\\b))(?=[ \\t;]|\\w|$)',
    sets: '^def(?:ine)?[ \\t]+(?<name>\\w+)[ \\t]*=[ \\t]*(?<value>.*)$',
    ends: '^(exit|quit)\\b',
    runs: '^exec(?:ute)?[ \\t]+(?<call>.*?);?[ \\t]*$',
    places: '&&?([A-Za-z]\\w*)\\.?',
  },
  ownParameters: '(?<![\\w:]):\\d+',
  firstRows: 'SELECT {columns} FROM {table} FETCH FIRST {rows} ROWS ONLY',
  transactionControl: {
    within: '^(savepoint|rollback (work )?to|lock table|set transaction|set constraints?)\\b',
    ends: '^commit\\b',
    undoes: '^rollback\\b',
    holds: '^set autocommit\\b',
  },
  refusesSemicolon: true,
  highlight: 'PLSQL',
};

const range = 'SELECT … WHERE key >= :1 ORDER BY key, first n rows (rangeColumn: WHERE column >= :1 AND column < :2)';

const insert = {
  ...singleRow('INSERT'),
  ...pipelined('INSERT'),
  multiRow: multi('one INSERT with N VALUES lists (23ai), or INSERT ALL with N INTO clauses (at most 999 values)'),
  arrayBind: many('executeMany with bindDefs: array DML, one execute for N rows'),
  bulk: many('directPathLoad: blocks written past SQL; every call commits and has the table to itself', {
    direct: true,
  }),
  serverLoop: many('a PL/SQL block with one INSERT per turn of a loop, or FORALL; the server makes the rows', {
    serverData: true,
    ...mayLeaveTurns,
  }),
};

export const descriptor: EngineDescriptor = {
  id: 'oracle',
  label: 'Oracle Database',
  systemName: 'oracle.db',
  driver: 'oracledb Thin (TNS/TTC); Thick with Oracle’s client libraries',
  driverPackage: 'oracledb',
  support: {
    insert,
    copy: copySupport('execute: a result set, fetchSize rows at a time', insert),
    statement: {
      literal: cell('execute: the text with its values as literals'),
      bind: cell('execute with binds; the cursor is closed after every call'),
      prepared: cell('execute with binds; the cursor stays in the statement cache'),
    },
    readByKey: {
      ...singleRow('SELECT by key'),
      ...pipelined('SELECT by key'),
      multiRow: multi('SELECT … WHERE key IN (:1, …), 1,000 keys a list'),
      arrayBind: cell('SELECT … WHERE key IN (SELECT … FROM TABLE(:1)): one collection bind of SYS.ODCI…LIST', {
        maxRowsPerCall: 32_767,
      }),
    },
    readRange: {
      ...singleRow(range, { uses: ['fetchSize'] }),
      ...pipelined(range, { uses: ['fetchSize'] }),
    },
    scan: singleRow('SELECT of the whole table, a ResultSet read fetchSize rows a round trip', { uses: ['fetchSize'] }),
    update: {
      ...singleRow('UPDATE by key'),
      ...pipelined('UPDATE by key'),
      multiRow: multi('MERGE … USING (SELECT … FROM DUAL UNION ALL …) WHEN MATCHED THEN UPDATE'),
      arrayBind: many('executeMany with bindDefs: array DML of UPDATE by key'),
    },
    delete: {
      ...singleRow('DELETE by key'),
      ...pipelined('DELETE by key'),
      multiRow: multi('DELETE … WHERE key IN (:1, …), 1,000 keys a list'),
      arrayBind: many('executeMany with bindDefs: array DML of DELETE by key'),
    },
  },
  statements: statementLanguage,
  keptStatements: 'V$SQL',
  tableStatistics: 'USER_TAB_COL_STATISTICS and USER_TAB_HISTOGRAMS',
  serverParameters,
  unsupportedReasons: {
    pageUse: 'Dyno does not analyse the structure of indexes, which locks their table.',
    'pooler.session': 'Dyno starts no pooler for Oracle: DRCP and CMAN belong to the server.',
    'pooler.transaction': 'Dyno starts no pooler for Oracle: DRCP and CMAN belong to the server.',
    'tls.on': 'A listener of Oracle has one port with TLS (TCPS) and another without: compare two targets.',
    'tls.off': 'A listener of Oracle has one port with TLS (TCPS) and another without: compare two targets.',
    readOnlySessions:
      'SET TRANSACTION READ ONLY holds for one transaction: with autocommit it would cost a measured round trip before each call. Dyno judges statements by their text; give it a user that may only read.',
    bulk: 'A direct path load inserts rows; it neither reads, updates nor deletes.',
    serverLoop: 'Only for insert, where the server makes the rows itself.',
    batch:
      'executeMany is arrayBind: one execution of the statement over an array of values, with one result. A pipeline (pipelined) has an execution and a result for each call, and waits for no end of a batch.',
    pipelined: 'One result set streams at a time on a session.',
    multiRow: 'Only calls with several rows or keys have this method.',
    arrayBind: 'Only calls with several rows or keys have this method.',
    'copy.timestamp': 'The driver reads timestamps only to the millisecond, so a copy would lose digits.',
    'bulkFormat.text': 'A direct path load only has the binary form of the blocks.',
    'documents.native': 'Before Oracle 21c there is no JSON type; Dyno stores documents as text.',
    'isolation.readUncommitted': 'Readers never see uncommitted rows.',
    'isolation.repeatableRead': 'Oracle has READ COMMITTED, and snapshots for a whole transaction: use snapshot.',
    'isolation.serializable':
      'Oracle’s SERIALIZABLE is snapshot isolation, in which two transactions may each change rows that the other has read: use snapshot.',
    'nullBinding.asDecimal':
      'A bind of type DB_TYPE_NUMBER has neither precision nor scale, so it would be the same as asColumn for a decimal column.',
    'nullBinding.untyped':
      'The driver has no null without a type: if none is declared, it binds VARCHAR2(1), which is asText.',
    'index.hash': 'Oracle has hash clusters and hash partitions, and no hash index.',
    'index.brin': 'Zone maps, which are similar, exist only on certain machines and editions.',
    'index.gin': 'A search index of JSON is a part of Oracle Text, which is a separate component.',
    'index.gist': 'Spatial indexes are of geometries, and Dyno’s tables have none.',
    'index.columnstore': 'The In-Memory column store is a licensed option of the whole server.',
    'index.wildcard': 'A search index of JSON is a part of Oracle Text, which is a separate component.',
    'index.2dsphere': 'Spatial indexes are of geometries, and Dyno’s tables have none.',
    'index.mapReduce': 'A materialised view keeps sums, and is not an index.',
    'index.include': 'Oracle has no included columns: put them at the end of columns.',
    'index.where':
      'Oracle has no partial indexes, but no entries for nulls either: use an expression such as CASE WHEN amount > 100 THEN amount END.',
    'index.fulltext': 'Oracle Text is a separate component.',
  },
  keyAfterLoad: 'ALTER TABLE ADD PRIMARY KEY: a unique B-tree made by sorting the rows of the heap',
  removesIndexes: 'DROP INDEX',
  isolations: { readCommitted: 'READ COMMITTED', snapshot: 'SERIALIZABLE' },
  emptyCache: 'ALTER SYSTEM CHECKPOINT, then FLUSH BUFFER_CACHE',
  fillFactor: { implementation: 'CREATE TABLE … PCTFREE 100 − n' },
  sortMemory: {
    implementation: 'ALTER SESSION SET workarea_size_policy = MANUAL, sort_area_size',
    leastKb: 64,
    mostKb: 2_097_151,
  },
  partitions: 'PARTITION BY HASH, the key’s index LOCAL',
  dropIndex: 'DROP INDEX {index}',
  ownIndexes: `SELECT index_name, column_name FROM user_ind_columns WHERE table_name = UPPER('{table}')
    ORDER BY index_name, column_position`,
  indexes: {
    btree: {
      implementation: 'CREATE INDEX: a B-tree, without entries for rows in which all its columns are null',
      takes: {
        unique: 'CREATE UNIQUE INDEX',
        order: 'DESC: kept as a function-based index',
        expression: '(…): a function-based index',
        path: "JSON_VALUE(doc, '$.a.b'), from Oracle 12.1",
        invisible: 'INVISIBLE, from Oracle 11.1',
      },
    },
    bitmap: {
      implementation: 'CREATE BITMAP INDEX, in the Enterprise Edition; one change locks all rows of a value',
      takes: { expression: '(…)', path: "JSON_VALUE(doc, '$.a.b')", invisible: 'INVISIBLE' },
    },
  },
  nullsAsColumn: 'a bind of the column’s type and length; NUMBER without precision and scale',
  nullBindings: {
    asFloat: {
      implementation:
        'a bind of type DB_TYPE_BINARY_DOUBLE; the server makes a child cursor for every combination of nulls',
      methods: ['bind', 'prepared', 'pipelined', 'multiRow'],
      converts: ['bigint', 'decimal', 'text'],
    },
    asText: {
      implementation:
        'a bind of type DB_TYPE_VARCHAR, 1 byte long; the server makes a child cursor for every combination of nulls',
      methods: ['bind', 'prepared', 'pipelined', 'multiRow'],
      converts: ['bigint', 'decimal', 'text', 'timestamp'],
    },
  },
  foreignKeys:
    'FOREIGN KEY … REFERENCES, checked at the end of each statement; the referring column gets no index by itself, and without one a deleted key locks the referring table',
  uuids: { implementation: 'RAW(16), compared from the first byte to the last', order: 'bytes' },
  cancel: 'server',
  sessionSettings,
  setup,
  maxConnections: null,
  emptyIsNull: true,
  options,
  config,
  builtIn: [],
};
