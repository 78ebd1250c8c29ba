import type { Connection } from 'tedious';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/support/isolation.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { parseAgain, withTrialSettings } from '../shared/connecting.ts';
import { plainTime, sqlTableQueries } from '../shared/import-tables/sql-queries.ts';
import { proveBySum } from '../shared/server-proof.ts';
import { config, type SqlServerConfig } from './config.ts';
import { close, connect } from './connection/connect.ts';
import { setIsolation } from './connection/isolation.ts';
import { askServer, type Server } from './connection/server.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { readTableFacts } from './import-tables/table-facts.ts';
import { openPool } from './mssql/pool.ts';
import { openMssqlSession } from './mssql/session.ts';
import { quote, text } from './names.ts';
import { sessionOptions } from './options.ts';
import { fingerprint } from './probe/fingerprint.ts';
import { freeSpace } from './probe/free-space.ts';
import { identities } from './probe/identities.ts';
import { sessionsOf } from './probe/own-sessions.ts';
import { createProbe, probeInfo } from './probe/probe.ts';
import { readServerParameters, sqlserverRunningServer } from './probe/running-server.ts';
import { createWaits } from './probe/waits.ts';
import { checksum } from './schema/checksum.ts';
import { emptyCache } from './schema/empty-cache.ts';
import { untrustedForeignKeys } from './schema/foreign-keys.ts';
import { addIndex, addKey, removeIndexSql } from './schema/indexes.ts';
import { load } from './schema/load.ts';
import { pageUse } from './schema/page-use.ts';
import { settle } from './schema/settle.ts';
import { setUp } from './schema/setup.ts';
import { storedBytes } from './schema/stored-bytes.ts';
import { createTable, dropLeftovers, dropTable, ensureSchema, leftovers } from './schema/tables.ts';
import { openSession } from './session.ts';
import { userTables } from './statements/custom-statement.ts';
import { readKeptStatements } from './statements/kept-statements.ts';
import { literal } from './values/values.ts';
import { LeanPath } from './wire/lean-path.ts';
import { execute, query } from './wire/request.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, tag, signal) {
    const parsed = parseAgain(config, raw) as SqlServerConfig;
    const connection = await connect(parsed, tag, sessionOptions({}), signal);
    return openDatabase(connection, parsed, tag, await askServer(connection));
  },
  toError,
};

function openDatabase(connection: Connection, parsed: SqlServerConfig, tag: string, server: Server): Database {
  let current: TablePlan | null = null;
  return {
    fingerprint: () => fingerprint(connection, server),
    identities: () => identities(connection),
    async ping() {
      await execute(connection, 'SELECT 1');
    },
    prove: () =>
      proveBySum(descriptor.label, async (a, b) => {
        const [row] = await query<{ sum: unknown }>(connection, `SELECT ${a} + ${b} AS sum`);
        return row?.sum;
      }),
    prepareSchema(table) {
      current = table;
      return createTable(connection, table);
    },
    addKey(table) {
      current = table;
      return addKey(connection, table);
    },
    addIndex: (table, index) => addIndex(connection, table, index),
    removeIndex: async (table, index) => void (await execute(connection, removeIndexSql(table, index))),
    load: (...what) => load(connection, server, ...what),
    async setUp(plan) {
      await ensureSchema(connection);
      await setUp(connection, plan);
    },
    settle: (table) => settle(connection, table, server),
    emptyCache: () => emptyCache(connection, tag),
    probe: createProbe(connection, tag, () => current),
    waits: createWaits(connection),
    checksum: (table, range) => checksum(connection, table, server, range),
    storedBytes: (table) => storedBytes(connection, table, server),
    pageUse: (table) => pageUse(connection, table, server),
    untrustedForeignKeys: (table) => untrustedForeignKeys(connection, table),
    drop: (table) => dropTable(connection, table.name),
    leftovers: (namePrefix) => leftovers(connection, namePrefix),
    dropLeftovers: (namePrefix) => dropLeftovers(connection, namePrefix),
    async openSession(options, isolation, settings) {
      const trial = withTrialSettings(parsed, settings);
      const level = isolationWord(descriptor, isolation);
      const session = sessionOptions(options);
      if (options.driver === 'mssql') {
        const opened = await openPool(trial, tag, session);
        await setIsolation(opened.connection, level);
        return openMssqlSession(opened, server);
      }
      const isLean = options.path !== 'driver';
      const own = await connect(trial, tag, { ...session, isLean });
      await setIsolation(own, level);
      return openSession(own, server, isLean ? new LeanPath(own) : null);
    },
    sessionsOf: (ofTag) => sessionsOf(connection, ofTag),
    freeSpace: () => freeSpace(connection),
    serverParameters: (asked) => readServerParameters(connection, asked),
    runningServer: sqlserverRunningServer(connection),
    userTables: () => userTables(connection),
    keptStatements: (since) => readKeptStatements(connection, server, since ?? null),
    tableFacts: (asked) => readTableFacts(connection, server, asked),
    tableQueries: sqlTableQueries({
      ...{ quote, schema: 'dbo', length: 'LEN' },
      literal: (value) => (typeof value === 'string' ? text(value) : literal(value, { kind: 'bigint' })),
      time: (value) => text(plainTime(value)),
    }),
    cancel: async () => void connection.cancel(),
    [Symbol.asyncDispose]: () => close(connection),
  };
}
