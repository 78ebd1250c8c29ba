import type { ClientSession, Db, MongoClient } from 'mongodb';
import type { Database, Engine, Session } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/isolation.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { parseAgain } from '../connecting.ts';
import { noKeyAfterwards } from '../no-key-afterwards.ts';
import { killOperations } from './cancel.ts';
import { checksum } from './checksum.ts';
import { transactionOptions } from './concerns.ts';
import { config, type MongoConfig } from './config.ts';
import { type Connected, connect } from './connect.ts';
import { limitOr } from './connect-error.ts';
import { probeInfo } from './counters.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { fingerprint } from './fingerprint.ts';
import { addIndex } from './indexes.ts';
import { load } from './load.ts';
import { prepareOperation } from './operations.ts';
import { type MongoOptions, readOptions } from './options.ts';
import { ownTables, prepareOwn } from './own-statement.ts';
import { createProbe } from './probe.ts';
import { createCollection, dropCollection, dropLeftovers } from './schema.ts';
import { socketsOf, wireBytes } from './wire.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, tag, signal) {
    const parsed = parseAgain(config, raw) as MongoConfig;
    // One for what it does, one for stopping that.
    const { client } = await connect(parsed, { tag, signal, connections: 2, options: readOptions({}) });
    return openDatabase(client, parsed, tag);
  },
  toError,
};

function openDatabase(client: MongoClient, parsed: MongoConfig, tag: string): Database {
  const db = client.db(parsed.database, { readPreference: 'primary' });
  // What cancel() stops. Probes and pings are not of it.
  const work = client.startSession({ causalConsistency: false });
  const ping = async () => {
    await db.command({ ping: 1 });
  };
  return {
    fingerprint: () => fingerprint(client, parsed),
    ping,
    prepareSchema: (table) => createCollection(db, work, table),
    addKey: noKeyAfterwards(descriptor),
    addIndex: (table, index) => addIndex(db, work, table, index),
    load: (table, batches, onRows, signal) => load(db, work, table, batches, onRows, signal),
    settle: () => settle(client, work),
    probe: createProbe(client, tag),
    checksum: (table, range) => checksum(db, work, table, range),
    storedBytes: (table) => storedBytes(db, work, table),
    drop: (table) => dropCollection(db, work, table.name),
    dropLeftovers: (namePrefix) => dropLeftovers(db, work, namePrefix),
    async openSession(given, isolation) {
      const readsSnapshots = isolationWord(descriptor, isolation) !== null;
      const options = { ...readOptions(given), ...(readsSnapshots && { readConcern: 'snapshot' as const }) };
      const connected = await connect(parsed, { tag, connections: 1, options }).catch(async (error: unknown) => {
        throw await limitOr(error, ping);
      });
      return openSession(connected, client, parsed, options, readsSnapshots);
    },
    ownTables: () => ownTables(db, work),
    cancel: () => killOperations(client, work),
    async [Symbol.asyncDispose]() {
      await work.endSession();
      await client.close();
    },
  };
}

/** A checkpoint: what was loaded is in the collection's files, whose sizes are known from then on. */
async function settle(client: MongoClient, session: ClientSession): Promise<void> {
  try {
    await client.db('admin').command({ fsync: 1 }, { session });
  } catch (error) {
    // The fingerprint lists it as unavailable. Routers of a cluster do not have it.
    if (!['permission', 'unsupported'].includes(toError(error).kind)) throw error;
  }
}

/** Sizes of files as of the last checkpoint. A clustered collection has no index on `_id`. */
async function storedBytes(db: Db, session: ClientSession, { name }: TablePlan) {
  const stages = [{ $collStats: { storageStats: {} } }];
  const shards = await db.collection(name).aggregate(stages, { session }).toArray();
  const sum = (field: string) => shards.reduce((total, { storageStats }) => total + Number(storageStats[field]), 0);
  return { tableBytes: sum('storageSize'), indexBytes: sum('totalIndexSize') };
}

function openSession(
  connected: Connected,
  control: MongoClient,
  parsed: MongoConfig,
  options: MongoOptions,
  readsSnapshots: boolean,
): Session {
  const { client, hasTransactions } = connected;
  const db = client.db(parsed.database);
  const session = client.startSession({
    // Or every read would carry the time of the session's last write, and wait for it.
    causalConsistency: false,
    defaultTransactionOptions: transactionOptions(options, parsed),
  });
  return {
    prepare: async (plan) => prepareOperation(connected, db, session, plan),
    prepareStatement: async (plan) => prepareOwn(db, session, plan, readsSnapshots),
    begin() {
      if (!hasTransactions)
        throw new DynoError('unsupported', 'This server is no member of a replica set: it has no transactions.', {
          hint: 'callsPerCommit: 1, or start the server with --replSet and run rs.initiate() (one member will do).',
        });
      session.startTransaction();
    },
    commit: () => session.commitTransaction(),
    rollback: () => session.abortTransaction(),
    cancel: () => killOperations(control, session),
    wireBytes: () => wireBytes(socketsOf(client)),
    async [Symbol.asyncDispose]() {
      await session.endSession();
      await client.close();
    },
  };
}
