import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { cell, type Support } from '#engine-api/support.ts';
import { fields } from './config-fields.ts';
import { options } from './options.ts';

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
    textMeetsNumber: { literal: 'findsNothing', bound: 'findsNothing' },
    transactionControl: {
      ends: '^(commitTransaction|fsyncUnlock|endSessions)\\b',
      undoes: '^(abortTransaction|killSessions)\\b',
      begins: ' startTransaction\\b|^startSession\\b',
      holds: ' (autocommit|txnNumber|lsid)\\b|^fsync\\b.* lock\\b',
    },
  },
  unsupportedReasons: {
    readOnlySessions:
      'The server has no such sessions. Commands are judged by their text; give Dyno a user with the role read.',
    copy: 'Dyno reads documents of MongoDB only to count them: it has no copy that takes values out of them and stores them again.',
    nullBinding: 'Null is a BSON type of its own.',
    literal: 'A command is a BSON document: there is no text with values in it.',
    prepared: 'The server keeps no statements that could be prepared; it caches query plans by itself.',
    pipelined: 'The driver sends one command at a time over a connection: the next when the answer is there.',
    arrayBind: 'There is no form by column; the array of documents of one command is multiRow.',
    serverLoop:
      'There are no stored procedures; a pipeline that makes documents and writes them ($merge) is no loop of inserts.',
    'update.multiRow': 'An update of many documents gives all of them the same value; of different ones it is bulk.',
    bulk: 'Reads have no bulk form; a cursor’s batches are as large as fetchSize says.',
    multiRow: 'Only where a call names several rows or keys.',
    'keyCreation.afterLoad': 'Documents have their _id, and its index, from the beginning.',
    'foreignKeys.true': 'MongoDB checks no references between documents.',
    'bulkFormat.text': 'Documents are BSON, which is binary.',
    partitions: 'A collection is spread over the shards of a cluster, not within one server.',
    isolation:
      'Transactions read from one snapshot, whatever is asked of them; other read concerns (mongodb.readConcern) say what may be lost again, not what is seen.',
    sortMemoryKb:
      'What a sort may use is a parameter of the whole server (internalQueryMaxBlockingSortMemoryUsageBytes), not of a session.',
    'index.brin': 'MongoDB has no index over ranges of pages.',
  },
  isolations: {
    snapshot:
      'readConcern snapshot, of transactions and of reads outside them; a write outside them is atomic by document',
  },
  indexes: {
    default: 'createIndex, ascending: a B-tree',
    hash: 'createIndex, hashed: a B-tree of hashes',
    fulltext: 'createIndex, text: words as they are',
  },
  uuids: { implementation: 'BSON binary of subtype 4, compared from the first byte to the last', order: 'bytes' },
  cancel: 'server',
  maxConnections: null,
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
  ],
};
