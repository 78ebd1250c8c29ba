import type oracledb from 'oracledb';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import type { Pooler } from '#engine-api/fingerprint.ts';
import { isolationWord } from '#engine-api/support/isolation.ts';
import { DynoError } from '#model/error.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { parseAgain, withTrialSettings } from '../shared/connecting.ts';
import { plainTime, sqlTableQueries } from '../shared/import-tables/sql-queries.ts';
import { dropEach } from '../shared/own-tables.ts';
import { proveBySum } from '../shared/server-proof.ts';
import { config, type OracleConfig } from './config.ts';
import { clientIdOf, connect, dialectOf, isPooled } from './connection/connect.ts';
import type { Dialect } from './connection/dialect.ts';
import { counted } from './connection/session-state.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { readTableFacts } from './import-tables/table-facts.ts';
import { quote } from './names.ts';
import { fingerprint } from './probe/fingerprint.ts';
import { freeSpace } from './probe/free-space.ts';
import { identities } from './probe/identities.ts';
import { sessionsOf } from './probe/own-sessions.ts';
import { createProbe } from './probe/probe.ts';
import { probeInfo } from './probe/probe-info.ts';
import { oracleRunningServer, readServerParameters } from './probe/running-server.ts';
import { createWaits } from './probe/waits.ts';
import { checksum } from './schema/checksum.ts';
import { emptyCache } from './schema/empty-cache.ts';
import { addIndexSql, addKeySql, removeIndexSql } from './schema/indexes.ts';
import { load } from './schema/load.ts';
import { settle } from './schema/settle.ts';
import { dropObject, objectsLeft, setUp } from './schema/setup.ts';
import { storedBytes } from './schema/stored-bytes.ts';
import { createTable, dropTable, leftovers, untrustedForeignKeys } from './schema/tables.ts';
import { cancel, openSession, stateOf } from './session.ts';
import { userTables } from './statements/custom-statement.ts';
import { readKeptStatements } from './statements/kept-statements.ts';
import { literal, textLiteral } from './values/values.ts';

/** DDL waits so many seconds for others' locks on the table before it gives up (ORA-00054). */
const ddlLockTimeoutS = 10;

/** Database Resident Connection Pooling: a session has a process of the server for itself until it ends. */
const drcp: Pooler = { name: 'DRCP', shares: 'sessions', keepsStatements: true };

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, tag, signal) {
    const parsed = parseAgain(config, raw) as OracleConfig;
    const connection = await connect(parsed, tag, {}, signal);
    try {
      const dialect = await dialectOf(connection);
      await connection.execute(`ALTER SESSION SET DDL_LOCK_TIMEOUT = ${ddlLockTimeoutS}`);
      return openDatabase(connection, parsed, tag, dialect);
    } catch (error) {
      await connection.close().catch(() => {});
      throw error;
    }
  },
  toError,
};

function openDatabase(connection: oracledb.Connection, parsed: OracleConfig, tag: string, dialect: Dialect): Database {
  const state = stateOf(connection, dialect);
  const left = async (namePrefix: string) =>
    [...(await leftovers(connection, namePrefix)), ...(await objectsLeft(connection, namePrefix, dialect))].sort();
  const dropNamed = (name: string) =>
    isObjectName(name) ? dropObject(connection, name, dialect) : dropTable(connection, name);
  const probe = createProbe(connection, dialect.owner, tag);
  const waits = createWaits(connection);
  const ask = (sql: string, binds: readonly string[] = []) =>
    counted(state, async () => (await connection.execute<readonly unknown[]>(sql, [...binds])).rows ?? []);
  return {
    fingerprint: () =>
      counted(state, async () => ({
        ...(await fingerprint(connection, dialect)),
        ...(isPooled(parsed) && { pooler: drcp }),
      })),
    identities: () => counted(state, () => identities(connection)),
    ping: () =>
      counted(state, async () => {
        await connection.execute('SELECT 1 FROM DUAL');
      }),
    prove: () =>
      counted(state, () =>
        proveBySum(descriptor.label, async (a, b) => {
          const { rows } = await connection.execute<readonly unknown[]>(`SELECT ${a} + ${b} FROM DUAL`);
          return rows?.[0]?.[0];
        }),
      ),
    prepareSchema: (table) => counted(state, () => createTable(connection, table, dialect)),
    addKey: async (table) => void (await counted(state, () => connection.execute(addKeySql(table)))),
    addIndex: async (table, index) => void (await counted(state, () => connection.execute(addIndexSql(table, index)))),
    removeIndex: async (_table, index) => void (await counted(state, () => connection.execute(removeIndexSql(index)))),
    load: (...what) => load(state, ...what),
    setUp: (plan) => counted(state, () => setUp(connection, plan, dialect)),
    settle: (table) => counted(state, () => settle(connection, table)),
    emptyCache: () => counted(state, () => emptyCache(connection, clientIdOf(tag), dialect)),
    probe: () => counted(state, probe),
    waits: () => counted(state, waits),
    checksum: (table, range) => counted(state, () => checksum(connection, table, dialect, range)),
    storedBytes: (table) => counted(state, () => storedBytes(connection, table)),
    untrustedForeignKeys: (table) => counted(state, () => untrustedForeignKeys(connection, table, dialect)),
    drop: (table) => counted(state, () => dropTable(connection, table.name)),
    leftovers: (namePrefix) => counted(state, () => left(namePrefix)),
    dropLeftovers: (namePrefix) => counted(state, () => dropEach(left(namePrefix), dropNamed, toError)),
    async openSession(options, isolation, settings) {
      const level = isolationWord(descriptor, isolation);
      if (level === 'SERIALIZABLE' && dialect.emulator !== null)
        throw new DynoError(
          'unsupported',
          `isolation: ${isolation} — the emulator (${dialect.emulator}) takes it and stays at READ COMMITTED; Oracle has it.`,
        );
      if (settings && Object.keys(settings).length > 0 && isPooled(parsed))
        throw new DynoError(
          'unsupported',
          'session: the pool of the database (DRCP) would hand a session on with its settings, also to trials of other variants.',
          { hint: 'Take a dedicated server process: leave POOLED out of the connect string.' },
        );
      const own = await connect(withTrialSettings(parsed, settings), tag, options);
      try {
        if (level !== null) await own.execute(`ALTER SESSION SET ISOLATION_LEVEL = ${level}`);
      } catch (error) {
        await own.close().catch(() => {});
        throw error;
      }
      return openSession(stateOf(own, dialect));
    },
    sessionsOf: (ofTag) => counted(state, () => sessionsOf(connection, ofTag)),
    freeSpace: () => counted(state, () => freeSpace(connection)),
    serverParameters: (asked) => readServerParameters(ask, asked),
    runningServer: oracleRunningServer(ask, isPooled(parsed)),
    userTables: () => counted(state, () => userTables(state)),
    keptStatements: (since) => counted(state, () => readKeptStatements(connection, dialect, since ?? null)),
    tableFacts: (asked) => counted(state, () => readTableFacts(connection, dialect, asked)),
    tableQueries: sqlTableQueries({
      ...{ quote, schema: null },
      literal: (value, { type }) => literal(value, type ?? { kind: 'float' }),
      time: (value) => `TIMESTAMP ${textLiteral(plainTime(value))}`,
    }),
    cancel: () => cancel(state),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
