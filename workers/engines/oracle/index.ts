import type oracledb from 'oracledb';
import type { Database, Engine, Session, StopSignal } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/isolation.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { parseAgain } from '../connecting.ts';
import { sendBatches } from '../send-batches.ts';
import { prepareArrayDml } from './array-dml.ts';
import { checksum } from './checksum.ts';
import { config, type OracleConfig } from './config.ts';
import { clientIdOf, connect, dialectOf } from './connect.ts';
import { descriptor } from './descriptor.ts';
import type { Dialect } from './dialect.ts';
import { socketOf } from './driver.ts';
import { emptyCache } from './empty-cache.ts';
import { toError } from './errors.ts';
import { fingerprint } from './fingerprint.ts';
import { addIndex, addKey } from './indexes.ts';
import { prepareOperation } from './operations.ts';
import { ownTables, prepareOwn } from './own-statement.ts';
import { createProbe } from './probe.ts';
import { probeInfo } from './probe-info.ts';
import { createTable, dropLeftovers, dropTable, settle, storedBytes, untrustedForeignKeys } from './schema.ts';
import { counted, type SessionState } from './session-state.ts';
import { statementsOf } from './statements.ts';

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
