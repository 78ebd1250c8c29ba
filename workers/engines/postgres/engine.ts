import type pg from 'pg';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/support/isolation.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { parseAgain, withTrialSettings } from '../shared/connecting.ts';
import { sqlTableQueries } from '../shared/import-tables/sql-queries.ts';
import { dropEach } from '../shared/own-tables.ts';
import { proveBySum } from '../shared/server-proof.ts';
import { config, type PostgresConfig } from './config.ts';
import { cancelRequest, connect } from './connection/connect.ts';
import { findPooler, notePooler, poolerOf } from './connection/pooler.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { readTableFacts } from './import-tables/table-facts.ts';
import { quote } from './names.ts';
import { fingerprint } from './probe/fingerprint.ts';
import { freeSpace } from './probe/free-space.ts';
import { identities } from './probe/identities.ts';
import { sessionsOf } from './probe/own-sessions.ts';
import { createProbe, probeInfo } from './probe/probe.ts';
import { postgresRunningServer } from './probe/running-server.ts';
import { readServerParameters } from './probe/server-parameters.ts';
import { checksum } from './schema/checksum.ts';
import { addIndex, addKeySql, removeIndexSql } from './schema/indexes.ts';
import { load } from './schema/load.ts';
import { pageUse } from './schema/page-use.ts';
import { settle } from './schema/settle.ts';
import { dropObject, objectsLeft, setUp } from './schema/setup.ts';
import { storedBytes } from './schema/stored-bytes.ts';
import { createTable, dropTable, leftovers } from './schema/tables.ts';
import { openSession } from './session.ts';
import { languageOf, userTables } from './statements/custom-statement.ts';
import { readKeptStatements } from './statements/kept-statements.ts';
import { literal } from './values/values.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, tag, signal) {
    const parsed = parseAgain(config, raw) as PostgresConfig;
    const { client } = await connect(parsed, tag, { signal });
    try {
      if (poolerOf(client))
        notePooler(client, await findPooler(client, async () => (await connect(parsed, tag, { signal })).client));
    } catch (error) {
      await client.end();
      throw error;
    }
    const { rows } = await client.query<{ version: string }>("SELECT current_setting('server_version_num') AS version");
    return openDatabase(client, parsed, tag, Math.floor(Number(rows[0]?.version) / 10_000));
  },
  toError,
};

function openDatabase(client: pg.Client, parsed: PostgresConfig, tag: string, version: number): Database {
  const pooler = poolerOf(client);
  const left = async (namePrefix: string) =>
    [...(await leftovers(client, namePrefix)), ...(await objectsLeft(client, namePrefix))].sort();
  return {
    fingerprint: async () => ({ ...(await fingerprint(client)), ...(pooler && { pooler }) }),
    identities: () => identities(client),
    async ping() {
      await client.query('SELECT 1');
    },
    prove: () =>
      proveBySum(descriptor.label, async (a, b) => {
        const { rows } = await client.query<{ sum: unknown }>(`SELECT ${a} + ${b} AS sum`);
        return rows?.[0]?.sum;
      }),
    prepareSchema: (table) => createTable(client, table),
    addKey: async (table) => void (await client.query(addKeySql(table))),
    addIndex: (table, index) => addIndex(client, table, index, version),
    removeIndex: async (_table, index) => void (await client.query(removeIndexSql(index))),
    load: (...what) => load(client, ...what),
    setUp: async (plan) => setUp(client, plan, await languageOf(client)),
    settle: (table) => settle(client, table),
    probe: createProbe(client, version, tag),
    checksum: (table, range) => checksum(client, table, range),
    storedBytes: (table) => storedBytes(client, table),
    pageUse: (table) => pageUse(client, table),
    drop: (table) => dropTable(client, table.name),
    leftovers: left,
    dropLeftovers: (namePrefix) =>
      dropEach(left(namePrefix), (name) => (isObjectName(name) ? dropObject : dropTable)(client, name), toError),
    async openSession({ path }, isolation, settings) {
      const level = isolationWord(descriptor, isolation);
      const connected = await connect(withTrialSettings(parsed, settings), tag, {
        ...(level !== null && { isolation: level }),
        lean: path !== 'driver',
        ...(pooler && { pooler }),
      });
      return openSession(connected, parsed, version);
    },
    // The pool's own connections have the name of their last user.
    sessionsOf: async (ofTag) => (pooler ? null : sessionsOf(client, ofTag)),
    freeSpace: () => freeSpace(client),
    serverParameters: (asked) => readServerParameters(client, asked),
    runningServer: postgresRunningServer(client),
    userTables: () => userTables(client),
    keptStatements: (since) => readKeptStatements(client, since ?? null),
    tableFacts: (asked) => readTableFacts(client, version, asked),
    tableQueries: sqlTableQueries({ quote, schema: null, literal, time: literal, length: 'octet_length' }),
    cancel: () => cancelRequest(client, parsed),
    [Symbol.asyncDispose]: () => client.end(),
  };
}
