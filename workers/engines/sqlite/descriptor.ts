import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { option } from '#engine-api/option.ts';
import { field } from '#engine-api/server-fields.ts';
import { copySupport } from '#engine-api/support/copy-support.ts';
import type { Support } from '#engine-api/support.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { reads } from './reads.ts';
import { sessionSettings } from './session-settings.ts';
import { setup } from './setup-rules.ts';

const maxParameters = 32_766; // SQLITE_MAX_VARIABLE_NUMBER
const cell = (implementation: string, maxRowsPerCall = 1): Support => ({ implementation, maxRowsPerCall });
const multi = (implementation: string): Support => ({ implementation, maxRowsPerCall: maxParameters, maxParameters });
const million = 1_000_000;
const range = (value: string) =>
  `SELECT … WHERE key >= ${value} ORDER BY key LIMIT n (rangeColumn: WHERE column >= ${value} AND column < ${value})`;

const keyIsStorage = 'The rows are stored in the key’s index, so a table needs a key.';

/** SQL as SQLite writes it. */
export const statementLanguage: StatementLanguage = {
  language: 'sql',
  reads,
  answersOwnTypes: true,
  quoting: ['backtick', 'bracket'],
  // The library finds the end of a statement; custom-statement.ts refuses text behind it.
  wholeTexts: '^create (temp |temporary )?trigger\\b',
  scripts: {
    client: 'the sqlite3 shell',
    signs: [
      '^\\.[a-z]',
      '\\bautoincrement\\b',
      '\\bpragma\\b',
      '\\bwithout\\s+rowid\\b',
      '\\b(sqlite_\\w+|randomblob|zeroblob)\\b',
    ],
    command: '^\\.',
    shows:
      '^\\.(mode|headers?|timer|echo|width|nullvalue|separator|print|show|stats|changes|bail|eqp|explain|prompt|scanstats)\\b',
    ends: '^\\.(quit|exit)\\b',
  },
  ownParameters: '\\?\\d*|(?<![\\w$])[@$][A-Za-z_]\\w*',
  firstRows: 'SELECT {columns} FROM {table} LIMIT {rows}',
  transactionControl: {
    within: '^(savepoint|release|rollback (transaction )?to)\\b',
    ends: '^(commit|end)\\b',
    undoes: '^rollback\\b',
    begins: '^begin\\b',
  },
  undoesDdl: true,
  highlight: 'SQLite',
};

const insert = {
  literal: cell('INSERT with literals in the text; compiled on every call'),
  bind: cell('INSERT with parameters; compiled on every call'),
  prepared: cell('INSERT with parameters; one prepared statement'),
  multiRow: multi('one prepared INSERT with N VALUES lists'),
  arrayBind: cell('INSERT … SELECT FROM json_each(?): all rows as one JSON text', million),
  serverLoop: {
    ...cell('INSERT … SELECT over a recursive CTE: the library makes the rows (randomblob, random)', million),
    serverData: true,
  },
};

export const descriptor: EngineDescriptor = {
  id: 'sqlite',
  label: 'SQLite',
  driver: 'node:sqlite (in process, synchronous)',
  support: {
    insert,
    copy: copySupport('SELECT of the whole table, stepped, fetchSize rows at a time', insert),
    readByKey: {
      literal: cell('SELECT by a literal key; compiled on every call'),
      bind: cell('SELECT by a bound key; compiled on every call'),
      prepared: cell('SELECT by key; one prepared statement'),
      multiRow: multi('SELECT … WHERE key IN (?, …); prepared'),
      arrayBind: cell('SELECT … WHERE key IN (SELECT … FROM json_each(?)): all keys as one JSON text', million),
    },
    readRange: {
      literal: cell(`${range('literal')}; compiled on every call`),
      bind: cell(`${range('?')}; compiled on every call`),
      prepared: cell(`${range('?')}; prepared`),
    },
    scan: {
      literal: cell('SELECT of the whole table, stepped row by row; compiled on every call'),
      prepared: cell('SELECT of the whole table, stepped row by row; prepared'),
    },
    update: {
      literal: cell('UPDATE by key with literals; compiled on every call'),
      bind: cell('UPDATE by key with parameters; compiled on every call'),
      prepared: cell('UPDATE by key; one prepared statement'),
      multiRow: multi('UPDATE … FROM (VALUES …); prepared'),
      arrayBind: cell('UPDATE … FROM json_each(?): all keys and values as one JSON text', million),
    },
    statement: {
      literal: cell('the text with its values as literals; compiled on every call'),
      bind: cell('the text with parameters; compiled on every call'),
      prepared: cell('the text with parameters; one prepared statement'),
    },
    delete: {
      literal: cell('DELETE by a literal key; compiled on every call'),
      bind: cell('DELETE by a bound key; compiled on every call'),
      prepared: cell('DELETE by key; one prepared statement'),
      multiRow: multi('DELETE … WHERE key IN (?, …); prepared'),
      arrayBind: cell('DELETE … WHERE key IN (SELECT … FROM json_each(?)): all keys as one JSON text', million),
    },
  },
  statements: statementLanguage,
  tableStatistics: 'the schema, and sqlite_stat1',
  unsupportedReasons: {
    'pooler.session': 'SQLite is a library inside the process, and has no connections to pool.',
    'pooler.transaction': 'SQLite is a library inside the process, and has no connections to pool.',
    'tls.on': 'SQLite is a library inside the process: there is no network to encrypt.',
    'tls.off': 'SQLite is a library inside the process: there is no network to encrypt.',
    serverParameters:
      'SQLite is a library inside the process and has no server: its parameters are settings of a session (`session`), and journalMode, synchronous and pageSize of the target.',
    keptStatements: 'SQLite counts no statements.',
    isolation: 'All transactions are serializable, because sessions share no cache.',
    nullBinding: 'sqlite3_bind_null has no type: types belong to values, not to columns.',
    pipelined: 'SQLite is a library in this process, without a connection on which several calls could be in flight.',
    batch: 'SQLite is a library in this process: no message is sent, so there is none to save.',
    bulk: 'SQLite has no bulk loader; its shell’s .import runs prepared INSERTs.',
    'scan.bind': 'A scan has no parameters to bind.',
    serverLoop: 'Only for insert, where the library makes the rows itself.',
    multiRow: 'Only calls with several rows or keys have this method.',
    arrayBind: 'Only calls with several rows or keys have this method.',
    fetchSize:
      'A statement is stepped row by row, so nothing is fetched in pieces; only a copy reads this many rows at a time.',
    'documents.native': 'SQLite stores JSON as text, or as its own BLOB (jsonb), which is no column type.',
    partitions: 'A table is in one file, without partitions.',
    fillFactor: 'SQLite has no fill factor.',
    'index.hash': 'SQLite has B-trees only.',
    'index.brin': 'SQLite has B-trees only.',
    'index.gin': 'SQLite has B-trees only.',
    'index.gist': 'SQLite’s R-trees are separate tables, which triggers would have to keep up to date.',
    'index.columnstore': 'SQLite stores rows.',
    'index.bitmap': 'SQLite has B-trees only.',
    'index.wildcard': 'SQLite indexes single fields of documents (path).',
    'index.2dsphere': 'SQLite has no positions on the globe.',
    'index.mapReduce': 'SQLite keeps no sums.',
    'index.include': 'SQLite has no included columns: put them at the end of columns.',
    'index.invisible': 'SQLite has no invisible indexes.',
    'index.fulltext': 'SQLite’s full text is a separate table (FTS5), which triggers would have to keep up to date.',
  },
  keyAfterLoad:
    'CREATE UNIQUE INDEX, which equals a primary key of SQLite’s, unless that is an INTEGER and so the rowid',
  removesIndexes: 'DROP INDEX',
  emptyCache: 'new sessions, each with an empty page cache of its own',
  newSessionsAreCold: true,
  // A transaction reads one state of the file, and may not write if that state is old.
  isolations: { default: 'serializable', serializable: 'serializable' },
  sortMemory: {
    implementation:
      'PRAGMA cache_size: a sort may use as much memory as the page cache, and at least 250 pages (of 4 KB unless the target has another size)',
    leastKb: 1_000,
    mostKb: 524_288,
  },
  dropIndex: 'DROP INDEX {index}',
  ownIndexes: `SELECT l.name, i.name FROM pragma_index_list('{table}') l JOIN pragma_index_info(l.name) i
    WHERE l.partial = 0 ORDER BY l.name, i.seqno`,
  indexes: {
    btree: {
      implementation: 'CREATE INDEX: a B-tree, each entry with the rowid or the key',
      takes: {
        unique: 'CREATE UNIQUE INDEX',
        order: 'DESC',
        where: 'WHERE (…): a partial index',
        expression: '(…)',
        path: "json_extract(doc, '$.a.b')",
      },
    },
  },
  foreignKeys:
    'FOREIGN KEY … REFERENCES with PRAGMA foreign_keys = ON, checked at the end of each statement; the referring column gets no index by itself',
  uuids: { implementation: 'BLOB, compared from the first byte to the last', order: 'bytes' },
  cancel: 'betweenCalls',
  /**
   * In WAL mode any number of connections may read, but one may write at a time: the others wait up to the busy
   * time-out.
   */
  readOnlySessions: 'a connection that opens the file for reading alone, and PRAGMA query_only = ON',
  sessionSettings,
  setup,
  maxConnections: 64,
  mostDecimalDigits: 18,
  inProcess: true,
  storesWhole: true,
  config: [
    field('text', 'path', 'Folder', {
      help: 'Absolute path of the folder with Dyno’s own database file (dyno.sqlite), or with its copy of your file.',
      makesFiles: true,
      localUse: [{ kind: 'file', does: 'is a folder in which Dyno makes a database file' }],
    }),
    field('text', 'file', 'File of your own', {
      help: 'Absolute path of an SQLite database that exists: statements read and write its tables, and Dyno’s tables are made beside them and dropped again. Together with a folder, Dyno works on a copy of the file in this folder.',
      makesFiles: true,
      localUse: [{ kind: 'file', does: 'is a database file that statements read and write' }],
    }),
    field('choice', 'journalMode', 'Journal mode', {
      choices: ['wal', 'delete', 'truncate', 'persist', 'memory', 'off'],
      placeholder: 'wal',
      help: 'Only for Dyno’s own file: a file of your own keeps its mode.',
      localUse: 'plain',
    }),
    field('choice', 'synchronous', 'Synchronous', {
      choices: ['full', 'normal', 'off', 'extra'],
      placeholder: 'full',
      help: 'full: a commit is on disk when it returns, like a server’s default. normal in WAL mode may lose the last commits.',
      localUse: 'plain',
    }),
    field('number', 'cacheKib', 'Page cache (KiB)', {
      placeholder: '65536',
      min: 1,
      max: 1_073_741_824,
      help: 'Per connection.',
    }),
    field('number', 'pageSize', 'Page size (bytes)', {
      placeholder: '4096',
      min: 512,
      max: 65_536,
      help: 'A power of two from 512 to 65,536; fixed when the file is created. Only for Dyno’s own file.',
    }),
    field('number', 'busyTimeoutMs', 'Busy time-out (ms)', { placeholder: '5000', max: 3_600_000, advanced: true }),
  ],
  options: [
    option('table', 'Table organisation', {
      help: 'rowid: rows are stored in the order of a number of SQLite’s own (an INTEGER primary key is that number), and any other key is in a separate index. withoutRowid: rows are stored in the order of the primary key.',
      choices: ['rowid', 'withoutRowid'],
      defaultValue: 'rowid',
      unsupportedReasons: { withoutRowid: { 'keyCreation.afterLoad': keyIsStorage, 'keyCreation.none': keyIsStorage } },
    }),
  ],
  builtIn: [
    {
      target: 'sqlite',
      hue: 1,
      label: 'SQLite (built in)',
      about: 'A library inside the worker process; no server. WAL, synchronous=FULL.',
    },
  ],
};
