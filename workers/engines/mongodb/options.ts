import { type EngineOption, option } from '#engine-api/option.ts';
import { type OptionValues, optionReader } from '../shared/option-values.ts';

export const options = [
  option('writeConcern', 'Write concern', {
    help: 'When a write counts as done: w1 in the primary’s memory, journaled in its journal on disk, majority in the journals of most members. asTarget: as the target or the server says (majority by default since 5.0).',
    choices: ['asTarget', 'w1', 'journaled', 'majority'],
    defaultValue: 'asTarget',
    cells: ['insert', 'update', 'delete'],
  }),
  option('readConcern', 'Read concern', {
    help: 'Which data reads may see: local the latest, majority and snapshot what most members have, linearizable waits until that is so. asTarget: as the target or the server says (local by default).',
    choices: ['asTarget', 'local', 'available', 'majority', 'linearizable', 'snapshot'],
    defaultValue: 'asTarget',
    cells: ['readByKey', 'readRange', 'scan'],
  }),
  option('retryWrites', 'Retry writes', {
    help: 'on: each write carries a number by which the server knows it again, and is sent once more after a lost connection (the driver’s default). asTarget: as the target says.',
    choices: ['asTarget', 'on', 'off'],
    defaultValue: 'asTarget',
    cells: ['insert', 'update', 'delete'],
  }),
  option('ordered', 'Ordered', {
    help: 'true: documents of a call are written one after the other, and the first error ends it. false: errors do not keep others from being written.',
    defaultValue: true,
    cells: ['insert.multiRow', 'insert.bulk', 'update.bulk', 'delete.bulk'],
  }),
  option('bulkApi', 'Bulk API', {
    help: 'collection: insert, update and delete commands with many documents. client: the bulkWrite command of MongoDB 8.0 and later, serialised within the call.',
    choices: ['collection', 'client'],
    defaultValue: 'collection',
    cells: ['bulk'],
  }),
  option('read', 'Read by', {
    help: 'find, or an aggregation pipeline that asks for the same.',
    choices: ['find', 'aggregate'],
    defaultValue: 'find',
    cells: ['readByKey', 'readRange', 'scan'],
  }),
  option('collection', 'Collection', {
    help: 'plain: documents in order of insertion and an index on _id. clustered: documents are kept in the order of _id, without an index (5.3 and later).',
    choices: ['plain', 'clustered'],
    defaultValue: 'plain',
  }),
  option('compression', 'Block compression', {
    help: 'Of the collection’s pages on disk. default: as the server is configured (snappy).',
    choices: ['default', 'snappy', 'zstd', 'zlib', 'none'],
    defaultValue: 'default',
  }),
  option('timestamps', 'Timestamps as', {
    help: 'int64: exact, µs since 1970. date: BSON dates, which have milliseconds only; the column’s checksum is then not compared.',
    choices: ['int64', 'date'],
    defaultValue: 'int64',
  }),
] satisfies readonly EngineOption[];

export type MongoOptions = OptionValues<typeof options>;

export const readOptions = optionReader(options);
