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

const maxParameters = 65_535; // the Bind message counts in 16 bits
const pipelined = (implementation: string): Support =>
  cell(`${implementation}; several in flight`, { pipelines: true });
const multi = (implementation: string): Support =>
  cell(implementation, { maxRowsPerCall: maxParameters, maxParameters });

/** The single-row cells of every statement. */
const singleRow = (what: string, more: Partial<Support> = {}) => ({
  literal: cell(`simple query: ${what} with literals in the text`),
  bind: cell(`extended protocol: ${what}, unnamed statement, parsed on every call`, more),
  prepared: cell(`extended protocol: ${what}, named statement, parsed once`, more),
  pipelined: pipelined(`named statement: ${what}`),
  batch: cell(
    `Bind and Execute of each call, in one message: ${what}, named statement; a Sync after each call, which commits it, or in a transaction (callsPerCommit) one Sync`,
    { batches: true, needs: { path: 'lean' } },
  ),
});

/** SQL as PostgreSQL writes it. */
export const statementLanguage: StatementLanguage = {
  language: 'sql',
  reads,
  quoting: ['eString', 'dollar', 'nested'],
  blocks: { onlyBefore: ['atomic'] },
  scripts: {
    client: 'psql or pgbench',
    signs: [
      '^[ \\t]*\\\\[a-z!?;]',
      '\\bcopy\\b[^;]*\\bfrom\\s+stdin\\b',
      '\\b(as|do)\\s+\\$\\w*\\$',
      '\\w::\\w',
      '\\b(big|small)?serial\\b|\\b(jsonb|bytea|timestamptz|ilike|plpgsql|pg_\\w+)\\b',
      '\\bon\\s+conflict\\b',
      "\\be'",
    ],
    command: '^\\\\',
    shows:
      '^\\\\(timing|pset|x|a|t|C|f|H|T|echo|qecho|warn|encoding|conninfo|prompt|restrict|unrestrict|errverbose|set\\s+(ON_ERROR_STOP|ON_ERROR_ROLLBACK|QUIET|ECHO\\w*|VERBOSITY|FETCH_COUNT|PROMPT\\d|HIST\\w*|COMP_KEYWORD_CASE|SHOW_\\w+))\\b',
    sets: '^\\\\(?:set\\s+(?<name>[A-Za-z_]\\w*)|setrandom\\s+(?<random>[A-Za-z_]\\w*))(?:\\s+(?<value>.*))?$',
    sleeps: '^\\\\sleep\\s+(?<time>\\d+)\\s*(?<unit>us|ms|s)?\\s*$',
    ends: '^\\\\q(uit)?\\b',
    sends: '\\\\(?:g|gx)(?=\\s|$)|\\\\(?<more>[a-z;]\\w*)',
    branches: '^\\\\(?:(?<opens>if)|(?<closes>endif)|elif|else)\\b',
    rowsFollow: '^copy\\b[\\s\\S]*\\bfrom\\s+stdin\\b',
  },
  ownParameters: '(?<![\\w$])\\$\\d+',
  firstRows: 'SELECT {columns} FROM {table} LIMIT {rows}',
  transactionControl: {
    within: '^(savepoint|release|rollback (work |transaction )?to|lock|set (local )?transaction|set constraints)\\b',
    isolates: '^set session characteristics\\b',
    ends: '^(commit|end|prepare transaction)\\b',
    undoes: '^(rollback|abort)\\b',
    begins: '^(begin|start transaction)\\b',
    holds: '^set (session |local )?autocommit\\b',
  },
  undoesDdl: true,
  highlight: 'PostgreSQL',
};

/** The options of every kind of index. */
const indexOptions = {
  where: 'WHERE (…): a partial index',
  expression: '((…))',
  path: "((doc::jsonb -> 'a' ->> 'b')): the last field as text",
} as const;

const insert = {
  ...singleRow('INSERT'),
  multiRow: multi('one INSERT with N VALUES lists, named statement'),
  arrayBind: many('INSERT … SELECT FROM unnest($1, $2, …): one binary array per column, named statement'),
  bulk: many('COPY FROM STDIN', { uses: ['bulkFormat'] }),
  serverLoop: many(
    'a PL/pgSQL function of Dyno’s with one INSERT per turn of a loop (option loopCommit: or a procedure that commits each turn); the server makes the rows',
    { serverData: true, ...mayLeaveTurns },
  ),
};

/** Scans, portals of several fetches and the rows of COPY go through the driver on both paths. */
const leanCells = (['insert', 'copy', 'readByKey', 'readRange', 'update', 'delete', 'statement'] as const).flatMap(
  (operation) =>
    (['literal', 'bind', 'prepared', 'pipelined', 'batch', 'multiRow', 'arrayBind'] as const).map(
      (method) => `${operation}.${method}` as const,
    ),
);

export const descriptor: EngineDescriptor = {
  id: 'postgres',
  label: 'PostgreSQL',
  systemName: 'postgresql',
  driver: 'pg (protocol 3); Dyno writes the messages of COPY, and those of calls with “path: lean”',
  driverPackage: 'pg',
  support: {
    insert,
    copy: copySupport('DECLARE CURSOR, and FETCH fetchSize rows at a time, in a transaction of its own', insert),
    readByKey: {
      ...singleRow('SELECT by key'),
      multiRow: multi('SELECT … WHERE key IN ($1, …), named statement'),
      arrayBind: many('SELECT … WHERE key = ANY($1), one binary array of keys, named statement'),
    },
    readRange: singleRow(
      'SELECT … WHERE key >= $1 ORDER BY key LIMIT n (rangeColumn: WHERE column >= $1 AND column < $2)',
      { uses: ['fetchSize'] },
    ),
    scan: {
      literal: cell('simple query: SELECT of the whole table in one answer'),
      bind: cell('extended protocol: unnamed statement, a portal fetched in pieces', { uses: ['fetchSize'] }),
      prepared: cell('extended protocol: named statement, a portal fetched in pieces', { uses: ['fetchSize'] }),
      bulk: cell('COPY TO STDOUT; rows are received, not decoded', { uses: ['bulkFormat'] }),
    },
    update: {
      ...singleRow('UPDATE by key'),
      multiRow: multi('UPDATE … FROM (VALUES ($1, $2), …), named statement'),
      arrayBind: many('UPDATE … FROM unnest($1, $2), one binary array per column, named statement'),
    },
    statement: {
      literal: cell('simple query: the text with its values as literals'),
      bind: cell('extended protocol: unnamed statement, parsed on every call'),
      prepared: cell('extended protocol: named statement, parsed once'),
    },
    delete: {
      ...singleRow('DELETE by key'),
      multiRow: multi('DELETE … WHERE key IN ($1, …), named statement'),
      arrayBind: many('DELETE … WHERE key = ANY($1), one binary array of keys, named statement'),
    },
  },
  statements: statementLanguage,
  tls: 'SSLRequest before the login',
  pooler: 'PgBouncer',
  unsupportedReasons: {
    'statement.pipelined':
      'Custom statements are answered one by one, because a transaction continues with the answer of the previous step.',
    bulk: 'COPY inserts or reads whole tables; it neither updates, deletes nor looks up keys.',
    serverLoop: 'Only for insert, where the server makes the rows itself.',
    'statement.batch':
      'Custom statements are answered one by one, because a transaction continues with the answer of the previous step.',
    'copy.batch': 'A copy inserts rows as it reads them, with a message for each call.',
    'scan.batch': 'One portal streams at a time on a connection.',
    batch: 'The driver itself sends each call as a message of its own: use path: lean.',
    'scan.pipelined': 'One portal streams at a time on a connection.',
    multiRow: 'Only calls with several rows or keys have this method.',
    arrayBind: 'Only calls with several rows or keys have this method.',
    fetchSize:
      'Only portals (bind and prepared) are fetched in pieces; simple queries, COPY and pipelined ranges are answered as a whole.',
    'isolation.readUncommitted': 'PostgreSQL accepts READ UNCOMMITTED and gives READ COMMITTED: use readCommitted.',
    'nullBinding.asDecimal':
      'Parse names a type without precision and scale, so numeric would be the same as asColumn for a decimal column.',
    'index.invisible':
      'PostgreSQL has no invisible indexes; an index that pg_index marks as not valid is not kept in the same way.',
    'index.columnstore': 'PostgreSQL has columnar storage only in extensions.',
    'index.bitmap': 'Bitmaps are made during a query (Bitmap Index Scan), and not stored.',
    'index.wildcard': 'kind: gin has all fields of a document.',
    'index.2dsphere': 'Positions on the globe need the extension PostGIS.',
    'index.mapReduce': 'A materialised view keeps sums, and is not an index.',
    'nullBinding.untyped':
      'This is the same as asColumn: the driver names no types in Parse (OID 0), and the server uses those of the columns.',
  },
  keyAfterLoad: 'ALTER TABLE ADD PRIMARY KEY: a unique B-tree made by sorting the rows; the table is a heap either way',
  removesIndexes: 'DROP INDEX',
  fillFactor: { implementation: 'CREATE TABLE … WITH (fillfactor = n); indexes keep their own (90)' },
  sortMemory: {
    implementation: 'SET work_mem; every worker of a parallel plan has as much',
    leastKb: 64,
    setting: { name: 'work_mem', unit: 'kB' },
  },
  dropIndex: 'DROP INDEX {index}',
  ownIndexes: `SELECT i.relname, a.attname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY AS k(number, place)
    LEFT JOIN pg_attribute a ON a.attrelid = x.indrelid AND a.attnum = k.number
    WHERE x.indrelid = to_regclass('"{table}"') AND x.indpred IS NULL ORDER BY i.relname, k.place`,
  isolations: {
    readCommitted: 'READ COMMITTED',
    // In PostgreSQL a transaction reads from one snapshot, and of two that change a row the later one is refused.
    repeatableRead: 'REPEATABLE READ',
    snapshot: 'REPEATABLE READ',
    serializable: 'SERIALIZABLE',
  },
  documents: 'jsonb',
  loadsInParallel: true,
  partitions: 'PARTITION BY HASH: tables of their own under a common name',
  indexes: {
    btree: {
      implementation: 'CREATE INDEX … USING btree',
      takes: {
        ...indexOptions,
        unique: 'CREATE UNIQUE INDEX',
        order: 'DESC',
        include: 'INCLUDE (…), from PostgreSQL 11',
      },
    },
    hash: { implementation: 'CREATE INDEX … USING hash', takes: indexOptions },
    gin: {
      implementation: 'CREATE INDEX … USING gin: a document as jsonb (jsonb_ops), or an expression',
      takes: indexOptions,
    },
    gist: {
      implementation: 'CREATE INDEX … USING gist',
      takes: { ...indexOptions, include: 'INCLUDE (…), from PostgreSQL 12' },
    },
    brin: { implementation: 'CREATE INDEX … USING brin, 128 pages a range', takes: indexOptions },
    fulltext: { implementation: "CREATE INDEX … USING gin (to_tsvector('simple', …))", takes: indexOptions },
  },
  nullsAsColumn: 'Parse names no types (OID 0), and the server takes those of the columns',
  nullBindings: {
    asFloat: {
      implementation:
        'Parse names float8 for the parameters that are null: every combination of nulls is a statement of its own; a batch has one statement, and parses it anew wherever the combination differs from the call before, as pgjdbc does',
      methods: ['bind', 'prepared', 'pipelined', 'batch'],
      converts: ['bigint', 'decimal', 'text'],
    },
    asText: {
      implementation:
        'Parse names text for the parameters that are null: every combination of nulls is a statement of its own; a batch has one statement, and parses it anew wherever the combination differs from the call before, as pgjdbc does',
      methods: ['bind', 'prepared', 'pipelined', 'batch'],
      converts: ['text'],
    },
  },
  foreignKeys:
    'FOREIGN KEY … REFERENCES, checked row by row at the end of each statement; the referring column gets no index by itself',
  uuids: { implementation: 'uuid, compared from the first byte to the last', order: 'bytes' },
  keptStatements: 'pg_stat_statements',
  tableStatistics: 'pg_stats and pg_stats_ext',
  cancel: 'server',
  readOnlySessions:
    'SET default_transaction_read_only = on, for every transaction of the session, which ends where something switches it off; before PostgreSQL 14, and behind a pooler, BEGIN READ ONLY in each',
  sessionSettings,
  serverParameters,
  setup,
  maxConnections: null,
  options: [
    option('path', 'Call path', {
      help: 'lean: Dyno writes the messages of a call to the driver’s connection, and counts the rows of the answer without decoding them. driver: a call is the driver’s own query(), which makes objects of rows, as in most programs.',
      choices: ['lean', 'driver'],
      defaultValue: 'lean',
      cells: leanCells,
    }),
    option('toastCompression', 'Compression of long values', {
      help: 'The compression of texts, bytes and documents that are too long for a page (TOAST). default: the server’s (pglz). lz4 needs PostgreSQL 14 and a server that is built with it. PostgreSQL compresses no pages.',
      choices: ['default', 'pglz', 'lz4'],
      defaultValue: 'default',
    }),
    loopCommit(' The procedure needs PostgreSQL 11.'),
  ],
  config: [
    field('text', 'url', 'URL', {
      placeholder: 'postgres://user@host:5432/database',
      help: 'The URL takes the place of the other fields. A field that is given as well has priority.',
      localUse: 'plain',
    }),
    field('text', 'host', 'Host', {
      placeholder: 'localhost',
      help: 'A path that starts with / is the folder of a Unix socket: /run/postgresql. The port is part of the socket’s name.',
      localUse: reachesSocket('^/'),
    }),
    portField('5432'),
    field('text', 'database', 'Database', { placeholder: 'as the user', localUse: 'plain' }),
    field('text', 'user', 'User', { placeholder: 'postgres', localUse: 'plain' }),
    passwordField,
    field('boolean', 'kerberos', 'Kerberos login', {
      help: 'Logs in by this account’s Kerberos ticket if the server asks for it. It needs npm’s package kerberos.',
      advanced: true,
      localUse: [{ kind: 'identity', does: 'proves to the server who you are by this account’s Kerberos ticket' }],
    }),
    tlsField,
    caField,
    ...clientCertificateFields,
    field('map', 'sessionSettings', 'Session settings', {
      help: 'SET on every session, e.g. synchronous_commit: off.',
      localUse: 'plain',
    }),
    connectTimeoutField(10_000),
  ],
  builtIn: [
    {
      target: 'embedded-postgres',
      hue: 0,
      label: 'PostgreSQL (built in)',
      about: 'A real PostgreSQL that Dyno starts and stops by itself, with the server’s default settings.',
      restartEmptiesCache: true,
    },
    ...['18', '17', '16', '15'].map((version) => builtInVersion('postgres', 'PostgreSQL', version)),
  ],
};
