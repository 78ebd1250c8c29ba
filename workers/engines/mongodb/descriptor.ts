import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { cell, type Support } from '#engine-api/support.ts';
import { builtInVersion } from '../shared/built-in-version.ts';
import { fields } from './config-fields.ts';
import { options } from './options.ts';
import { serverParameters } from './server-parameters.ts';
import { setup } from './setup-rules.ts';

/** The most documents of one command. */
const maxOperations = 100_000;
const many = (implementation: string, more: Partial<Support> = {}): Support =>
  cell(implementation, {
    maxRowsPerCall: maxOperations,
    rowLimitReason: 'That is the server’s maxWriteBatchSize.',
    ...more,
  });
/** Outside of transactions each document is written separately. */
const manyWrites = (implementation: string): Support => many(implementation, { mayApplyPartially: true });
const split = 'the driver cuts it at 16 MiB and at 99,999';
const ahead = `serialised before the call and sent as one; ${split}. Option bulkApi: client sends the bulkWrite command of 8.0 instead`;

/** The options of every kind of index. */
const indexOptions = {
  where: 'partialFilterExpression: a condition in JSON; the key of the dataset is the field _id',
  path: '"doc.a.b"',
  invisible: 'hidden: true, from MongoDB 4.4',
} as const;

export const descriptor: EngineDescriptor = {
  id: 'mongodb',
  label: 'MongoDB',
  driver: 'mongodb (OP_MSG)',
  driverPackage: 'mongodb',
  support: {
    insert: {
      bind: cell('insertOne: an insert command with one document'),
      multiRow: manyWrites(
        `insertMany: an insert command with N documents, which the driver serialises within the call; ${split}`,
      ),
      bulk: manyWrites(`bulk write of N inserts: an insert command with N documents, ${ahead}`),
    },
    statement: { bind: cell('runCommand: a command document with the values in it; cursors are read to their end') },
    readByKey: {
      bind: cell('findOne by _id (option read: aggregate with $match)'),
      multiRow: many('find with _id: {$in: […]} in one batch (option read: aggregate with $match)'),
    },
    readRange: {
      bind: cell(
        'find with _id: {$gte: key}, sort by _id, limit n (rangeColumn: find with field: {$gte, $lt}); a cursor, batches of fetchSize',
        { uses: ['fetchSize'] },
      ),
    },
    scan: {
      bind: cell('find of the whole collection (orderBy: with sort and allowDiskUse); a cursor, batches of fetchSize', {
        uses: ['fetchSize'],
      }),
    },
    update: {
      bind: cell('updateOne by _id with $set'),
      bulk: manyWrites(`bulk write of N updateOne: an update command with N statements, ${ahead}`),
    },
    delete: {
      bind: cell('deleteOne by _id'),
      multiRow: manyWrites('deleteMany with _id: {$in: […]}'),
      bulk: manyWrites(`bulk write of N deleteOne: a delete command with N statements, ${ahead}`),
    },
  },
  documents: 'nested BSON',
  statements: {
    language: 'json',
    answersOwnTypes: true,
    lookUp: '{ "find": "{table}", "filter": { "_id": "$key" } }',
    textMeetsNumber: { literal: 'findsNothing', bound: 'findsNothing' },
    transactionControl: {
      ends: '^(commitTransaction|fsyncUnlock|endSessions)\\b',
      undoes: '^(abortTransaction|killSessions)\\b',
      begins: ' startTransaction\\b|^startSession\\b',
      holds: ' (autocommit|txnNumber|lsid)\\b|^fsync\\b.* lock\\b',
    },
  },
  keptStatements: '$queryStats, or system.profile',
  setup,
  tableStatistics: 'a sample of documents ($sample)',
  tls: 'a TLS handshake from the first byte on, which preferTLS and allowTLS let a port take beside plain sessions',
  unsupportedReasons: {
    'pooler.session': 'MongoDB has no pooler between client and server: its drivers pool connections themselves.',
    'pooler.transaction': 'MongoDB has no pooler between client and server: its drivers pool connections themselves.',
    sessionSettings:
      'A session of MongoDB has no settings: read and write concern are options of this engine, and setParameter changes the server.',
    readOnlySessions:
      'The server has no read-only sessions. Dyno judges commands by their text; give it a user with the role read.',
    copy: 'Dyno reads documents of MongoDB only to count them, and does not copy their values.',
    nullBinding: 'Null is a BSON type of its own.',
    literal: 'A command is a BSON document, and not a text that could contain values.',
    prepared: 'The server keeps no statements that could be prepared; it caches query plans by itself.',
    pipelined: 'The driver sends one command at a time over a connection, and the next one after the answer.',
    batch:
      'The answer to a command has one count for all of its statements, and not one for each: insert by multiRow, update and delete by bulk send several in a message.',
    arrayBind: 'There is no form with an array for each column; an array of documents in one command is multiRow.',
    serverLoop:
      'There are no stored procedures, and a pipeline that makes and writes documents ($merge) is no loop of inserts.',
    'update.multiRow': 'An update of many documents gives all of them the same value; different values need bulk.',
    bulk: 'Reads have no bulk form; fetchSize sets the size of a cursor’s batches.',
    multiRow: 'Only calls with several rows or keys have this method.',
    'keyCreation.afterLoad': 'Documents have an _id, with its index, from the beginning.',
    'foreignKeys.true': 'MongoDB checks no references between documents.',
    'bulkFormat.text': 'Documents are BSON, which is binary.',
    partitions: 'Collections are spread over the shards of a cluster, but not within one server.',
    isolation:
      'Transactions always read from one snapshot. Other read concerns (mongodb.readConcern) decide which of the data can still be lost, and not which are seen.',
    sortMemoryKb:
      'The memory of sorts is a parameter of the whole server (internalQueryMaxBlockingSortMemoryUsageBytes), not of a session.',
    fillFactor:
      'WiredTiger has no fill factor: its split_pct is about pages that are written, and not about documents that grow.',
    'index.brin': 'MongoDB has no index over ranges of pages.',
    'index.gin': 'kind: wildcard has all fields of a document.',
    'index.gist': 'MongoDB has B-trees, and 2dsphere for positions.',
    'index.columnstore': 'MongoDB has given up columnstore indexes, which were a preview of version 6.',
    'index.bitmap': 'MongoDB has B-trees only.',
    'index.mapReduce': 'MongoDB keeps no sums; $merge writes them into another collection.',
    'index.include': 'MongoDB has no included columns: put them at the end of columns.',
    'index.expression': 'MongoDB indexes fields alone.',
    'index.documents.text':
      'With documents: text a document of the dataset is one string for MongoDB, without fields (documents: native).',
  },
  serverParameters,
  isolations: {
    snapshot:
      'readConcern snapshot, of transactions and of reads outside them; a write outside them is atomic by document',
  },
  dropIndex: '{ "dropIndexes": "{table}", "index": {index} }',
  indexes: {
    btree: {
      implementation: 'createIndex, ascending: a B-tree',
      takes: { ...indexOptions, unique: 'unique: true', order: '-1: descending' },
    },
    hash: { implementation: 'createIndex, hashed: a B-tree of hashes', takes: indexOptions },
    fulltext: { implementation: 'createIndex, text: words as they are', takes: indexOptions },
    wildcard: {
      implementation: 'createIndex of "doc.$**", from MongoDB 4.2: an entry for each field of the documents',
      takes: indexOptions,
    },
    '2dsphere': {
      implementation: 'createIndex, 2dsphere: of fields with longitude and latitude, or GeoJSON',
      takes: indexOptions,
    },
  },
  removesIndexes: 'dropIndexes',
  uuids: { implementation: 'BSON binary of subtype 4, compared from the first byte to the last', order: 'bytes' },
  cancel: 'server',
  maxConnections: null,
  mostDecimalDigits: 34,
  options,
  config: fields,
  builtIn: [
    {
      target: 'local-mongodb',
      hue: 3,
      label: 'MongoDB (on this machine)',
      about:
        'The mongod of this machine as a replica set of one member, with a cache of 256 MiB and otherwise its default settings; Dyno starts and stops it.',
      restartEmptiesCache: true,
    },
    ...['8.2', '8.0', '7', '6'].map((version) =>
      builtInVersion('mongodb', 'MongoDB', version, 'the settings of local-mongodb'),
    ),
  ],
};
