import { Long } from 'mongodb';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import type { Alternative } from '../conformance/conformance.ts';
import { makeRows } from '../conformance/rows.ts';
import type { StartTestServer } from '../conformance/test-server.ts';
import { config, type MongoConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import { readOptions } from './options.ts';
import { listedValues, typedValues } from './typed-values.fixture.ts';

export const alternatives: readonly Alternative[] = [
  {
    options: {
      collection: 'clustered',
      compression: 'zstd',
      read: 'aggregate',
      bulkApi: 'client',
      ordered: false,
      retryWrites: 'off',
      writeConcern: 'majority',
      readConcern: 'majority',
    },
    unchanged: [
      'cancel',
      'foreignKeys',
      'injection',
      'capturedValues',
      'parameterValues',
      'readOnlySessions',
      'probes',
      'cells',
    ],
  },
];

/** DYNO_TEST_MONGODB=mongodb://user:password@host:port/ names a server (a replica set); without it one is started. */
export const startTestServer: StartTestServer = async () => {
  const server = await givenOrTestServer(mongodb);
  const parsed = config.parse(server.raw) as MongoConfig;
  const { client } = await connect(parsed, { tag: 'test-fixture', connections: 5, options: readOptions({}) });
  const collection = (name: string) => client.db(parsed.database).collection(name);
  return {
    raw: server.raw,
    values: typedValues,
    listed: listedValues,
    indexes: {
      async list(name) {
        const found = await client.db(parsed.database).listCollections({ name }).toArray();
        const all = found.length === 0 ? [] : await collection(name).listIndexes().toArray();
        const own = all.filter((index) => index.name !== '_id_' && index.name !== '_id');
        return Object.fromEntries(own.map((index) => [String(index.name), JSON.stringify(index)]));
      },
      samples: {
        unique: { change: () => ({ unique: true }), shown: /"unique":true/ },
        order: { change: (part) => ({ parts: [{ ...part, descending: true }] }), shown: /"code":-1/ },
        where: {
          change: () => ({ where: '{ "price": { "$gt": 5 } }' }),
          shown: /"partialFilterExpression":\{"price":/,
        },
        path: { change: () => ({ parts: [{ column: 8, path: ['text', 'b'] }] }), shown: /details\.text\.b/ },
        invisible: { change: () => ({ invisible: true }), shown: /"hidden":true/ },
      },
    },
    slow: {
      raw: server.raw,
      method: 'bind',
      rows: 1,
      /** An insert of the same key waits until the transaction that holds it is over. */
      async hold(name) {
        const session = client.startSession();
        session.startTransaction();
        await collection(name).insertOne({ _id: Long.fromNumber(makeRows(0, 60)[0]!.id) as never }, { session });
        return async () => {
          await session.abortTransaction();
          await session.endSession();
        };
      },
    },
    foreign: {
      create: async (name) => void (await collection(name).insertOne({ x: 1 })),
      async copy(original, name) {
        const [made] = await client.db(parsed.database).listCollections({ name: original }).toArray();
        await client.db(parsed.database).createCollection(name, made && 'options' in made ? made.options : {});
      },
      count: (name) => collection(name).countDocuments(),
      drop: async (name) => void (await collection(name).drop()),
    },
    async [Symbol.asyncDispose]() {
      await client.close();
      await server[Symbol.asyncDispose]();
    },
  };
};
