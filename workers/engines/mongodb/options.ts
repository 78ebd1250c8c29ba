import { type EngineOption, option } from '#engine-api/option.ts';
import { type OptionValues, optionReader } from '../shared/option-values.ts';

export const options = [
  option('writeConcern', 'Write concern', {
    help: 'The moment from which a write counts as done. w1: it is in the primary’s memory. journaled: it is in the primary’s journal on disk. majority: it is in the journals of most members. asTarget: the target or the server decides (majority by default since 5.0).',
    choices: ['asTarget', 'w1', 'journaled', 'majority'],
    defaultValue: 'asTarget',
    cells: ['insert', 'update', 'delete'],
  }),
  option('readConcern', 'Read concern', {
    help: 'The data that reads may see. local: the latest. majority and snapshot: data that most members have. linearizable: waits until most members have the latest. asTarget: the target or the server decides (local by default).',
    choices: ['asTarget', 'local', 'available', 'majority', 'linearizable', 'snapshot'],
    defaultValue: 'asTarget',
    cells: ['readByKey', 'readRange', 'scan'],
  }),
  option('retryWrites', 'Retry writes', {
    help: 'on: each write has a number by which the server recognises it, and is sent again after a lost connection (the driver’s default). asTarget: the target decides.',
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
    help: 'The compression of the collection’s pages on disk. default: the server’s configuration decides (snappy).',
    choices: ['default', 'snappy', 'zstd', 'zlib', 'none'],
    defaultValue: 'default',
  }),
  option('leafPageKb', 'Page size (KB)', {
    help: 'The largest size of a page with documents (WiredTiger’s leaf_page_max). default: 32 KB.',
    choices: ['default', '4', '8', '16', '32', '64', '128'],
    defaultValue: 'default',
  }),
  option('timestamps', 'Timestamps as', {
    help: 'int64: µs since 1970, which is exact. date: BSON dates, which have only milliseconds; the column’s checksum is then not compared.',
    choices: ['int64', 'date'],
    defaultValue: 'int64',
  }),
] satisfies readonly EngineOption[];

export type MongoOptions = OptionValues<typeof options>;

export const readOptions = optionReader(options);
