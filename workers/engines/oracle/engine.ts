import type oracledb from 'oracledb';
import type { Batch } from '#contract/batch.ts';
import type { TablePlan } from '#contract/dataset.ts';
import type { Database, Engine, Session, StopSignal } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import { isolationWord } from '#contract/isolation.ts';
import { parseAgain } from '../shared/connecting.ts';
import { sendBatches } from '../shared/send-batches.ts';
import { config, type OracleConfig } from './config.ts';
import { clientIdOf, connect, dialectOf } from './connection/connect.ts';
import type { Dialect } from './connection/dialect.ts';
import { socketOf } from './connection/driver.ts';
import { counted, type SessionState } from './connection/session-state.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { fingerprint } from './probe/fingerprint.ts';
import { createProbe } from './probe/probe.ts';
import { probeInfo } from './probe/probe-info.ts';
import { checksum } from './schema/checksum.ts';
import { emptyCache } from './schema/empty-cache.ts';
import { addIndex, addKey } from './schema/indexes.ts';
import { createTable, dropLeftovers, dropTable, settle, storedBytes, untrustedForeignKeys } from './schema/tables.ts';
import { prepareArrayDml } from './statements/array-dml.ts';
import { ownTables, prepareOwn } from './statements/custom-statement.ts';
import { prepareOperation } from './statements/operations.ts';
import { statementsOf } from './statements/statements.ts';

/** DDL waits so many seconds for others' locks on the table before it gives up (ORA-00054). */
const ddlLockTimeoutS = 10;

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
  const probe = createProbe(connection, dialect.owner, tag);
  return {
    fingerprint: () => counted(state, () => fingerprint(connection, dialect)),
    ping: () =>
      counted(state, async () => {
        await connection.execute('SELECT 1 FROM DUAL');
      }),
    prepareSchema: (table) => counted(state, () => createTable(connection, table, dialect)),
    addKey: (table) => counted(state, () => addKey(connection, table)),
    addIndex: (table, index) => counted(state, () => addIndex(connection, table, index)),
    load: (table, batches, onRows, signal) => load(state, table, batches, onRows, signal),
    settle: (table) => counted(state, () => settle(connection, table)),
    emptyCache: () => counted(state, () => emptyCache(connection, clientIdOf(tag), dialect)),
    probe: () => counted(state, probe),
    checksum: (table, range) => counted(state, () => checksum(connection, table, dialect, range)),
    storedBytes: (table) => counted(state, () => storedBytes(connection, table)),
    untrustedForeignKeys: (table) => counted(state, () => untrustedForeignKeys(connection, table, dialect)),
    drop: (table) => counted(state, () => dropTable(connection, table.name)),
    dropLeftovers: (namePrefix) => counted(state, () => dropLeftovers(connection, namePrefix)),
    async openSession(options, isolation) {
      const level = isolationWord(descriptor, isolation);
      if (level === 'SERIALIZABLE' && dialect.standIn !== null)
        throw new DynoError(
          'unsupported',
          `isolation: ${isolation} — the stand-in (${dialect.standIn}) takes it and stays at READ COMMITTED; Oracle has it.`,
        );
      const own = await connect(parsed, tag, options);
      try {
        if (level !== null) await own.execute(`ALTER SESSION SET ISOLATION_LEVEL = ${level}`);
      } catch (error) {
        await own.close().catch(() => {});
        throw error;
      }
      return openSession(stateOf(own, dialect));
    },
    ownTables: () => counted(state, () => ownTables(state)),
    cancel: () => cancel(state),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}

const stateOf = (connection: oracledb.Connection, dialect: Dialect): SessionState => ({
  connection,
  dialect,
  thin: connection.thin ?? true,
  inTransaction: false,
  running: 0,
});

/**
 * A break within the connection, which the server looks for between its own steps (Net Services, "in-band break"); Thin sends no
 * out-of-band one. Sent where nothing runs, it would end the next call instead.
 */
async function cancel({ connection, running }: SessionState): Promise<void> {
  if (running > 0) await connection.break();
}

/**
 * Array DML, all batches in one transaction: what is there afterwards is all or nothing, which a direct path load would not be. The next
 * batch is made while the server works on the one before.
 */
async function load(
  state: SessionState,
  table: TablePlan,
  batches: Iterable<Batch>,
  onRows: (rows: number) => void,
  signal: StopSignal,
): Promise<void> {
  const { connection } = state;
  const insert = prepareArrayDml(state, statementsOf(table, 'insert', { rangeRows: 1 }, 'values'));
  state.inTransaction = true;
  try {
    await sendBatches(insert, batches, onRows, signal);
    await counted(state, () => connection.commit());
  } catch (error) {
    await connection.rollback().catch(() => {});
    throw error;
  } finally {
    state.inTransaction = false;
  }
}

function openSession(state: SessionState): Session {
  const { connection } = state;
  const socket = socketOf(connection);
  const end = (call: () => Promise<void>) => async () => {
    state.inTransaction = false;
    await counted(state, call);
  };
  return {
    prepare: (plan) => prepareOperation(state, plan),
    prepareStatement: async (plan) => prepareOwn(state, plan),
    // A transaction begins with its first statement.
    begin() {
      state.inTransaction = true;
    },
    commit: end(() => connection.commit()),
    rollback: end(() => connection.rollback()),
    cancel: () => cancel(state),
    wireBytes: () => socket && { sent: socket.bytesWritten, received: socket.bytesRead },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
