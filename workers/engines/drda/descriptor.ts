import type { ConfigField } from '#engine-api/config.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { caField, connectTimeoutField, field, passwordField, portField, tlsField } from '#engine-api/server-fields.ts';
import { copySupport } from '#engine-api/support/copy-support.ts';
import { cell, type Support } from '#engine-api/support.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { builtInVersion } from '../shared/built-in-version.ts';
import { options } from './options.ts';
import { reads as readRules } from './reads.ts';
import { setup } from './setup-rules.ts';

/** The limit of parameters follows from the 65,535 commands that correlation ids can number. */
const longestChain = 10_000;
/** Derby's compiler accepts 2,000, but not 3,000. */
const longestList = 500;
/** The most parameters of a statement. Both products accept 30,000; their real limits are unknown. */
export const maxParameters = 32_767;

/**
 * Without isolation, which is the default of SQLFire's family, rows are stored one by one, and stay if a later one
 * fails.
 */
const mayApplyPartially = true;
const multi = (implementation: string, more: Partial<Support> = {}): Support =>
  cell(implementation, {
    maxRowsPerCall: longestList,
    rowLimitReason: 'SQLFire refuses longer lists of values or keys, and Derby’s compiler runs out of stack.',
    maxParameters,
    ...more,
  });
const chain = (what: string): Support =>
  cell(`${what}: N times EXCSQLSTT with SQLDTA in one chain, then a commit; each row is a statement to the server`, {
    maxRowsPerCall: longestChain,
    rowLimitReason: 'The commands of a chain are numbered with 16 bits.',
    mayApplyPartially,
  });

const writes = (what: string) => ({
  literal: cell(`EXCSQLIMM: ${what} with literals in the text, compiled on every call`),
  bind: cell(`PRPSQLSTT, then EXCSQLSTT: ${what} with parameters, prepared for every call (a round trip more)`),
  prepared: cell(`EXCSQLSTT with SQLDTA: ${what}, prepared once`),
  pipelined: cell(`EXCSQLSTT with SQLDTA: ${what}, prepared once; several in flight`, { pipelines: true }),
});

const reads = (what: string, more: Partial<Support> = {}) => ({
  literal: cell(`PRPSQLSTT, then OPNQRY: ${what} with literals in the text, compiled on every call`, more),
  bind: cell(`PRPSQLSTT, then OPNQRY: ${what} with parameters, prepared for every call`, more),
  prepared: cell(`OPNQRY: ${what}, prepared once`, more),
});

const config: readonly ConfigField[] = [
  field('text', 'url', 'URL', {
    placeholder: 'drda://user@host:1527/database',
    help: 'The URL takes the place of the other fields. A field that is given as well has priority.',
    localUse: 'plain',
  }),
  field('text', 'host', 'Host', { placeholder: 'localhost', localUse: 'plain' }),
  portField('1527'),
  field('text', 'database', 'Database', {
    required: true,
    placeholder: 'dyno',
    help: 'Derby: the database’s folder below derby.system.home. SQLFire: sqlfire; GemFire XD: gemfirexd; SnappyData: snappydata.',
    localUse: 'plain',
  }),
  field('text', 'user', 'User', { placeholder: 'APP', localUse: 'plain' }),
  passwordField,
  field('choice', 'dialect', 'Dialect', {
    choices: ['auto', 'derby', 'sqlfire'],
    placeholder: 'auto',
    help: 'auto: the server’s catalog decides. sqlfire: SQLFire, GemFire XD and SnappyData’s row store.',
    advanced: true,
    localUse: 'plain',
  }),
  field('choice', 'security', 'Security mechanism', {
    choices: ['auto', 'userOnly', 'plain', 'substitute', 'encrypted'],
    placeholder: 'auto',
    help: 'The way in which user and password are sent. auto: the strongest mechanism that the server offers; no other choice is replaced by a weaker one. substitute: a hash of the password. encrypted: both are encrypted (Diffie-Hellman).',
    advanced: true,
    localUse: 'plain',
  }),
  field('text', 'diagnosticsUser', 'Database owner', {
    help: 'Derby shows transactions and sessions only to the database’s owner. If the owner is not the user above, Dyno logs in as this user for these server counters, and for nothing else.',
    advanced: true,
    localUse: 'plain',
  }),
  field('password', 'diagnosticsPassword', 'The owner’s password', { advanced: true }),
  tlsField,
  caField,
  connectTimeoutField(10_000),
];

/** SQL as Derby and SQLFire's family write it. The family commits before and after it defines a table. */
export const statementLanguage: StatementLanguage = {
  language: 'sql',
  reads: readRules,
  quoting: ['nested'],
  scripts: {
    client: 'ij',
    signs: [
      '\\bsysibm\\.',
      '\\bsyscs_util\\b',
      "^[ \\t]*connect\\s+'jdbc:",
      '\\bgenerated\\s+(always|by\\s+default)\\s+as\\s+identity\\s*\\(\\s*start\\b',
    ],
    command:
      '^(autocommit|connect|disconnect|driver|protocol|run|exit|quit|describe|show|elapsedtime|maximumdisplaywidth|localizeddisplay|readonly|async|wait|prepare|remove|execute|get|next|close|help)(?=[ \\t;]|$)',
    shows: '^(describe|show|elapsedtime|maximumdisplaywidth|localizeddisplay|help)\\b',
    ends: '^(exit|quit)\\b',
  },
  ownParameters: '\\?',
  firstRows: 'SELECT {columns} FROM {table} FETCH FIRST {rows} ROWS ONLY',
  transactionControl: {
    within: '^(savepoint|release (to )?savepoint|rollback (work )?to|lock table)\\b',
    isolates: '^set (current )?isolation\\b|^set transaction\\b',
    ends: '^commit\\b',
    undoes: '^rollback\\b',
    begins: '^(begin|start transaction)\\b',
    holds: '^(set )?autocommit\\b',
  },
  refusesSemicolon: true,
  textMeetsNumber: { literal: 'refuses', bound: 'converts' },
};

const insert = {
  ...writes('INSERT'),
  multiRow: multi('one INSERT with N VALUES lists, prepared once', { mayApplyPartially }),
  arrayBind: chain('INSERT'),
};

export const descriptor: EngineDescriptor = {
  id: 'drda',
  label: 'SQLFire family and Derby (DRDA)',
  systemName: 'derby',
  driver: 'Dyno’s DRDA client (SQLAM 7)',
  support: {
    insert,
    copy: copySupport('OPNQRY: SELECT of the whole table, a cursor fetched in blocks', insert),
    statement: {
      literal: cell('EXCSQLIMM, or OPNQRY of a text that is prepared anew: the text with its values as literals'),
      bind: cell('the text with parameters, prepared again for every call'),
      prepared: cell('the text with parameters, prepared once'),
    },
    readByKey: {
      ...reads('SELECT by key'),
      pipelined: cell('OPNQRY: SELECT by key, prepared once; several in flight', { pipelines: true }),
      multiRow: multi('OPNQRY: SELECT … WHERE key IN (?, …), prepared once'),
    },
    readRange: reads(
      'SELECT … WHERE key >= ? ORDER BY key FETCH FIRST n ROWS ONLY (rangeColumn: WHERE column >= ? AND column < ?), fetched in blocks',
      { uses: ['fetchSize'] },
    ),
    scan: reads('SELECT of the whole table, a cursor fetched in blocks', { uses: ['fetchSize'] }),
    update: { ...writes('UPDATE by key'), arrayBind: chain('UPDATE by key') },
    delete: {
      ...writes('DELETE by key'),
      multiRow: multi('DELETE … WHERE key IN (?, …), prepared once', { mayApplyPartially }),
      arrayBind: chain('DELETE by key'),
    },
  },
  statements: statementLanguage,
  setup,
  unsupportedReasons: {
    pageUse: 'Dyno reads sizes of tables from the catalogs of Derby and SQLFire’s family, and no pages.',
    tableStatistics:
      'Derby and SQLFire’s family keep no statistics of values, only the number of different keys of an index: write the tables as a script, and use dyno draft.',
    'pooler.session': 'Dyno knows no pooler for DRDA.',
    'pooler.transaction': 'Dyno knows no pooler for DRDA.',
    'tls.on': 'A network server takes TLS for all its sessions or for none (derby.drda.sslMode): compare two targets.',
    'tls.off': 'A network server takes TLS for all its sessions or for none (derby.drda.sslMode): compare two targets.',
    serverParameters: 'Dyno starts Derby and SnappyData with their default properties alone.',
    keptStatements:
      'Neither Derby nor SQLFire’s family shows counts of statements to SQL: SYSCS_DIAG.STATEMENT_CACHE of Derby has texts alone.',
    sessionSettings:
      'Derby has properties of a database and of the server, and SQLFire’s family likewise: Dyno knows no setting of one session beside its isolation.',
    readOnlySessions:
      'Neither SQLFire’s family nor Derby can make a session read-only. Dyno judges statements by their text; give it a user that may only read.',
    'statement.pipelined':
      'Custom statements are answered one by one, because a transaction continues with the answer of the previous step.',
    batch:
      'A chain of executions is arrayBind here: N times EXCSQLSTT in one message, as Derby’s JDBC driver sends executeBatch. Its calls are committed together.',
    bulk: 'SYSCS_UTIL.SYSCS_IMPORT_TABLE reads files of the server’s own machine; nothing takes rows from a client in bulk.',
    serverLoop:
      'Their SQL has no loop and no functions for random texts, bytes or UUIDs; Java procedures would have to be installed.',
    pipelined: 'Cursors that take several fetches are read one at a time.',
    multiRow: 'Only calls with several rows or keys have this method.',
    'update.multiRow':
      'An UPDATE cannot join: the rows of several keys get the same value, or need several statements.',
    arrayBind: 'A cursor is opened for one set of parameters.',
    'isolation.snapshot': 'Derby locks the rows that it reads; neither product has snapshots.',
    sortMemoryKb: 'Neither product lets a session set the memory of a sort; Derby’s setting counts rows, not bytes.',
    'documents.native': 'Neither product has a JSON type.',
    'cache.cold':
      'Only a restart empties Derby’s page cache, and Dyno restarts only servers that it has started itself; the row store has its rows in memory.',
    'nullBinding.untyped': 'The descriptor that goes with each row has a type for every parameter.',
    fillFactor:
      'Derby reserves room by a property of the whole database (derby.storage.pageReservedSpace), and the row store has its rows in memory.',
    'index.hash': 'Derby has B-trees only; the family’s global hash indexes are made for other members to find a row.',
    'index.brin': 'Neither product has an index over ranges of pages.',
    'index.fulltext': 'Neither product has a full-text index in SQL.',
    'index.gin': 'Neither product has an index of parts of documents.',
    'index.gist': 'Neither product has generalised search trees.',
    'index.columnstore': 'Derby stores rows; SnappyData’s column tables are tables of another kind.',
    'index.bitmap': 'Neither product has bitmap indexes.',
    'index.wildcard': 'Neither product has an index of parts of documents.',
    'index.2dsphere': 'Neither product has positions on the globe.',
    'index.mapReduce': 'Neither product keeps sums.',
    'index.include': 'Neither product has included columns: put them at the end of columns.',
    'index.where': 'Neither product has partial indexes.',
    'index.expression': 'Both products index columns alone; Derby’s generated columns are not in Dyno’s tables.',
    'index.path': 'Neither product has a JSON type.',
    'index.invisible': 'Neither product has invisible indexes.',
  },
  isolations: { readUncommitted: 'UR', readCommitted: 'CS', repeatableRead: 'RS', serializable: 'RR' },
  keyAfterLoad: 'ALTER TABLE ADD CONSTRAINT … PRIMARY KEY: a unique B-tree made over the rows',
  removesIndexes: 'DROP INDEX',
  partitions: 'SQLFire’s family: PARTITION BY PRIMARY KEY (or by that column) BUCKETS n',
  dropIndex: 'DROP INDEX {index}',
  indexes: {
    btree: {
      implementation: 'CREATE INDEX: a B-tree (SQLFire’s family: an ordered map in memory)',
      takes: { unique: 'CREATE UNIQUE INDEX', order: 'DESC' },
    },
  },
  nullsAsColumn: 'SQLDTA: the row’s descriptor has the type, precision and scale that the server gave the parameter',
  nullBindings: {
    asDecimal: {
      implementation:
        'SQLDTA: the row’s descriptor has DECIMAL(31, 0) for its nulls; other rows have descriptors of their own',
      methods: ['bind', 'prepared', 'pipelined', 'multiRow', 'arrayBind'],
      converts: ['decimal'],
    },
    asFloat: {
      implementation: 'SQLDTA: the row’s descriptor has DOUBLE for its nulls; other rows have descriptors of their own',
      methods: ['bind', 'prepared', 'pipelined', 'multiRow', 'arrayBind'],
      converts: ['bigint', 'decimal'],
    },
    asText: {
      implementation:
        'SQLDTA: the row’s descriptor has VARCHAR for its nulls; other rows have descriptors of their own',
      methods: ['bind', 'prepared', 'pipelined', 'multiRow', 'arrayBind'],
      converts: ['bigint', 'decimal', 'timestamp', 'text'],
    },
  },
  // Derby stops nothing over DRDA (INTRDBRQS is not supported), and the protocol has no other way for a family that
  // could.
  foreignKeys: 'FOREIGN KEY … REFERENCES, checked with each statement; the referring column gets an index by itself',
  uuids: { implementation: 'CHAR(16) FOR BIT DATA, compared from the first byte to the last', order: 'bytes' },
  cancel: 'betweenCalls',
  maxConnections: null,
  mostDecimalDigits: 31,
  notice:
    'SQLFire was discontinued; tested with its open-source descendant snappydata-store 1.6.5 and with Apache Derby',
  options,
  config,
  builtIn: [
    {
      target: 'local-derby',
      hue: 5,
      label: 'Apache Derby',
      about:
        'A real Apache Derby 10.16 network server that Dyno starts and stops by itself (dyno servers install derby).',
      restartEmptiesCache: true,
    },
    ...['10.17', '10.16', '10.15', '10.14'].map((version) => builtInVersion('derby', 'Apache Derby', version)),
    {
      target: 'local-snappydata',
      hue: 6,
      label: 'snappydata-store',
      about:
        'SQLFire’s open-source descendant, the row store of SnappyData 1.6.5: tables in memory, and on disk where an option says so (dyno servers install snappydata).',
      onlyVersion: 'Maven Central has the row store in the series 1.6 alone, which ended with 1.6.5.',
    },
    {
      target: 'local-snappydata-two',
      label: 'snappydata-store, two members',
      version: '1.6.5',
      products: ['snappydata'],
      about:
        'The same row store with two members, each a process with a heap and a disk store of its own on this machine (dyno servers install snappydata).',
    },
  ],
};
