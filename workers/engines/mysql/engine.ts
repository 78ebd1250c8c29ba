import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/support/isolation.ts';
import { parseAgain, withTrialSettings } from '../shared/connecting.ts';
import { plainTime, sqlTableQueries } from '../shared/import-tables/sql-queries.ts';
import { proveBySum } from '../shared/server-proof.ts';
import { config, type MysqlConfig, ownDatabase } from './config.ts';
import { connect, killQuery } from './connection/connect.ts';
import type { MysqlConnection } from './connection/connection.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { readTableFacts } from './import-tables/table-facts.ts';
import { quote } from './names.ts';
import { fingerprint } from './probe/fingerprint.ts';
import { freeSpace } from './probe/free-space.ts';
import { identities } from './probe/identities.ts';
import { sessionsOf } from './probe/own-sessions.ts';
import { createProbe, probeInfo } from './probe/probe.ts';
import { mysqlRunningServer } from './probe/running-server.ts';
import { readServerParameters } from './probe/server-parameters.ts';
import { createWaits } from './probe/waits.ts';
import { checksum } from './schema/checksum.ts';
import { addIndex, addKeySql, removeIndexSql } from './schema/indexes.ts';
import { load } from './schema/load.ts';
import { pageUse } from './schema/page-use.ts';
import { settle } from './schema/settle.ts';
import { setUp } from './schema/setup.ts';
import { storedBytes } from './schema/stored-bytes.ts';
import { createTable, dropLeftovers, dropTable, ensureDatabase, leftovers } from './schema/tables.ts';
import { openSession } from './session.ts';
import { userTables } from './statements/custom-statement.ts';
import { readKeptStatements } from './statements/kept-statements.ts';
import { literal } from './values/values.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, tag, signal) {
    const parsed = parseAgain(config, raw) as MysqlConfig;
    const control = await connect(
      'mysql2',
      { config: parsed, tag, flavour: 'localFiles', examinesPooler: true },
      signal,
    );
    return openDatabase(control, parsed, tag);
  },
  toError,
};

function openDatabase(control: MysqlConnection, parsed: MysqlConfig, tag: string): Database {
  const { user } = parsed;
  const database = ownDatabase(parsed);
  return {
    fingerprint: async () => ({
      ...(await fingerprint(control, database)),
      ...(control.pooler && { pooler: control.pooler }),
    }),
    identities: () => identities(control),
    async ping() {
      await control.query('SELECT 1');
    },
    prove: () =>
      proveBySum(descriptor.label, async (a, b) => {
        const { rows } = await control.query(`SELECT ${a} + ${b}`);
        return rows?.[0]?.[0];
      }),
    prepareSchema: (table) => createTable(control, database, user, table),
    addKey: async (table) => void (await control.query(addKeySql(database, table))),
    addIndex: (table, index) => addIndex(control, database, table, index),
    removeIndex: async (table, index) => void (await control.query(removeIndexSql(database, table, index))),
    load: (...what) => load(control, database, ...what),
    async setUp(plan) {
      await ensureDatabase(control, database, user);
      await setUp(control, database, plan);
    },
    settle: (table) => settle(control, database, table),
    probe: createProbe(control, tag),
    waits: createWaits(control),
    checksum: (table, range) => checksum(control, database, table, range),
    storedBytes: (table) => storedBytes(control, database, table),
    pageUse: (table) => pageUse(control, database, table),
    drop: (table) => dropTable(control, database, table.name),
    leftovers: (namePrefix) => leftovers(control, database, namePrefix),
    dropLeftovers: (namePrefix) => dropLeftovers(control, database, namePrefix),
    openSession: async (options, isolation, settings) =>
      openSession(
        { config: withTrialSettings(parsed, settings), tag, isolation: isolationWord(descriptor, isolation) },
        options,
        control,
      ),
    sessionsOf: (ofTag, of) => sessionsOf(control, tag, ofTag, of),
    freeSpace: () => freeSpace(control),
    serverParameters: (asked) => readServerParameters(control, asked),
    runningServer: mysqlRunningServer(control),
    userTables: () => userTables(control, database),
    keptStatements: (since) => readKeptStatements(control, database, since ?? null),
    tableFacts: (asked) => readTableFacts(control, database, asked),
    tableQueries: sqlTableQueries({
      ...{ quote, schema: database, literal, length: 'char_length' },
      time: (value) => literal(plainTime(value)),
    }),
    cancel: () => killQuery(control, { config: parsed, tag, flavour: 'usual' }),
    [Symbol.asyncDispose]: () => control.end(),
  };
}
