import { randomBytes } from 'node:crypto';
import type { MongoClient } from 'mongodb';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/support/isolation.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { parseAgain } from '../shared/connecting.ts';
import { noKeyAfterwards } from '../shared/no-key-afterwards.ts';
import { dropEach } from '../shared/own-tables.ts';
import { config, type MongoConfig } from './config.ts';
import { killOperations } from './connection/cancel.ts';
import { connect } from './connection/connect.ts';
import { limitOr } from './connection/connect-error.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { readTableFacts } from './import-tables/table-facts.ts';
import { tableQueries } from './import-tables/table-queries.ts';
import { readOptions } from './options.ts';
import { fingerprint } from './probe/fingerprint.ts';
import { freeSpace } from './probe/free-space.ts';
import { identities } from './probe/identities.ts';
import { sessionsOf } from './probe/own-sessions.ts';
import { createProbe } from './probe/probe.ts';
import { probeInfo } from './probe/probe-info.ts';
import { prove } from './probe/prove.ts';
import { mongodbRunningServer } from './probe/running-server.ts';
import { readServerParameters } from './probe/server-parameters.ts';
import { createWaits } from './probe/waits.ts';
import { checksum } from './schema/checksum.ts';
import { addIndex } from './schema/indexes.ts';
import { load } from './schema/load.ts';
import { pageUse } from './schema/page-use.ts';
import { settle } from './schema/settle.ts';
import { dropObject, objectsLeft, setUp } from './schema/setup.ts';
import { storedBytes } from './schema/stored-bytes.ts';
import { createCollection, dropCollection, leftovers } from './schema/tables.ts';
import { openSession } from './session.ts';
import { userTables } from './statements/custom-statement.ts';
import { readKeptStatements } from './statements/kept-statements.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, tag, signal) {
    const parsed = parseAgain(config, raw) as MongoConfig;
    // The client has two connections: one for its work, and one to stop that work.
    const ownName = `${tag} control ${randomBytes(4).toString('hex')}`;
    const { client } = await connect(parsed, { tag: ownName, signal, connections: 2, options: readOptions({}) });
    return openDatabase(client, parsed, tag, ownName);
  },
  toError,
};

function openDatabase(client: MongoClient, parsed: MongoConfig, tag: string, ownName: string): Database {
  const db = client.db(parsed.database, { readPreference: 'primary' });
  // cancel() stops the work of this session; probes and pings use another one.
  const work = client.startSession({ causalConsistency: false });
  const left = async (namePrefix: string) =>
    [...(await leftovers(db, work, namePrefix)), ...(await objectsLeft(db, work, namePrefix))].sort();
  const server = mongodbRunningServer(
    client,
    async (appName) => (await connect(parsed, { tag: appName, connections: 1, options: readOptions({}) })).client,
  );
  const ping = async () => {
    await db.command({ ping: 1 });
  };
  return {
    fingerprint: () => fingerprint(client, parsed),
    identities: () => identities(client),
    ping,
    prove: () => prove(client),
    prepareSchema: (table) => createCollection(db, work, table),
    addKey: noKeyAfterwards(descriptor),
    addIndex: (table, index) => addIndex(db, work, table, index),
    removeIndex: async (table, { name }) => void (await db.collection(table.name).dropIndex(name, { session: work })),
    load: (...what) => load(db, work, ...what),
    setUp: (plan) => setUp(db, work, plan),
    settle: () => settle(client, work),
    probe: createProbe(client, tag),
    waits: createWaits(client),
    checksum: (table, range) => checksum(db, work, table, range),
    storedBytes: (table) => storedBytes(db, work, table),
    pageUse: (table) => pageUse(db, work, table),
    drop: (table) => dropCollection(db, work, table.name),
    leftovers: left,
    dropLeftovers: (namePrefix) =>
      dropEach(left(namePrefix), (name) => (isObjectName(name) ? dropObject : dropCollection)(db, work, name), toError),
    async openSession(given, isolation) {
      const readsSnapshots = isolationWord(descriptor, isolation) !== null;
      const options = { ...readOptions(given), ...(readsSnapshots && { readConcern: 'snapshot' as const }) };
      const connected = await connect(parsed, { tag, connections: 1, options }).catch(async (error: unknown) => {
        throw await limitOr(error, ping);
      });
      return openSession(connected, client, parsed, options, readsSnapshots);
    },
    sessionsOf: (ofTag, of) => sessionsOf(client, ownName, ofTag, of),
    freeSpace: () => freeSpace(db),
    serverParameters: (asked) => readServerParameters(client.db('admin'), asked),
    runningServer: server,
    userTables: () => userTables(db, work),
    keptStatements: (since) => readKeptStatements(client, db, since ?? null),
    tableFacts: (asked) => readTableFacts(db, work, asked),
    tableQueries,
    cancel: () => killOperations(client, work),
    async [Symbol.asyncDispose]() {
      await work.endSession();
      await server[Symbol.asyncDispose]();
      await client.close();
    },
  };
}
