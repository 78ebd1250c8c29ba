import type { Reproducer } from '#engine-api/reproducer.ts';
import { collectionOptions } from './schema/collection-options.ts';

const code = `
// The calls, by the driver of MongoDB. Each connection is a client with a pool of one.
let bson;
async function open() {
  bson = await import('mongodb');
  const client = new bson.MongoClient(process.env.MONGODB_URI ?? 'mongodb://127.0.0.1:27017', { maxPoolSize: 1 });
  await client.connect();
  return client;
}
const collectionOf = (client) => client.db('dyno').collection(settings.collection);
const serverVersion = async (client) => 'MongoDB ' + (await client.db('dyno').command({ buildInfo: 1 })).version;
const close = (client) => client.close();
let isCreated = false;
async function create(client) {
  await client.db('dyno').createCollection(settings.collection, settings.options);
  isCreated = true;
}
const tableText = async () => null;
const drop = async (client) => void (isCreated && (await client.db('dyno').dropCollection(settings.collection)));
const begin = async () => {};
const commit = begin;
const load = async (client, rows) => void (await collectionOf(client).insertMany(rows.map((row) => documentOf(row, columns))));

function parameter(value, { kind, scale }) {
  if (value === null || kind === 'text' || kind === 'boolean') return value;
  if (kind === 'uuid') return new bson.Binary(value, bson.Binary.SUBTYPE_UUID);
  if (kind === 'bytes') return new bson.Binary(value);
  return kind === 'decimal' ? bson.Decimal128.fromString(decimalText(value, scale)) : bson.Long.fromBigInt(BigInt(value));
}
const fieldOf = (column) => (columns.indexOf(column) === work.key ? '_id' : column.name);
const documentOf = (row, types) => Object.fromEntries(row.map((value, c) => [fieldOf(types[c]), parameter(value, types[c])]));

const prepare = async () => {};
function encode(rows) {
  const documents = rows.map((row) => documentOf(row, sent));
  const ids = documents.map(({ _id }) => _id);
  const isBulk = work.method === 'bulk';
  switch (work.operation) {
    case 'insert':
      if (isBulk) return documents.map((document) => ({ insertOne: { document } }));
      return work.method === 'bind' ? documents[0] : documents;
    case 'update': {
      const updates = documents.map(({ _id, ...changed }) => ({ filter: { _id }, update: { $set: changed } }));
      return isBulk ? updates.map((updateOne) => ({ updateOne })) : updates[0];
    }
    default:
      if (isBulk) return ids.map((_id) => ({ deleteOne: { filter: { _id } } }));
      return { _id: work.method === 'bind' ? ids[0] : { $in: ids } };
  }
}
async function call(client, encoded, rows) {
  const collection = collectionOf(client);
  if (work.method === 'bulk') {
    const { insertedCount, matchedCount, deletedCount } = await collection.bulkWrite(encoded);
    return insertedCount + matchedCount + deletedCount;
  }
  const isOne = work.method === 'bind';
  switch (work.operation) {
    case 'insert':
      return isOne ? Number((await collection.insertOne(encoded)).acknowledged) : (await collection.insertMany(encoded)).insertedCount;
    case 'update':
      return (await collection.updateOne(encoded.filter, encoded.update)).matchedCount;
    case 'delete':
      return (await (isOne ? collection.deleteOne(encoded) : collection.deleteMany(encoded))).deletedCount;
    case 'scan': {
      let read = 0;
      for await (const _ of collection.find({}, { batchSize: work.fetchSize })) read++;
      return read;
    }
    default:
      return isOne ? Number((await collection.findOne(encoded)) !== null) : (await collection.find(encoded, { batchSize: rows }).toArray()).length;
  }
}
const closed = () => {};
`.trim();

export const reproducer: Reproducer = {
  jdbc: () => ({ cannot: 'MongoDB has no JDBC driver that sends its commands.' }),
  options: ['collection', 'compression', 'leafPageKb'],
  statement: null,
  objects: () => [],
  node({ table, settings }) {
    if (settings.callsPerCommit > 1) return { cannot: 'The script has no transactions of several commands.' };
    if ((table.indexes ?? []).length > 0) return { cannot: 'The script creates no indexes besides that of _id.' };
    return {
      packages: ['mongodb'],
      environment: ['MONGODB_URI: the server, as a connection string. Default: mongodb://127.0.0.1:27017.'],
      notes: [],
      constants: { settings: { collection: table.name, options: collectionOptions(table) } },
      code,
    };
  },
};
