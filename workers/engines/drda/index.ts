import type { Connection, Statement } from '#drda/index.ts';
import type { Database, Engine, Session } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/isolation.ts';
import { DynoError } from '#model/error.ts';
import { parseAgain } from '../connecting.ts';
import { checksum, rangeValues } from './checksum.ts';
import { config, type DrdaConfig } from './config.ts';
import { connect, dialectOf } from './connect.ts';
import { derby } from './derby.ts';
import { descriptor } from './descriptor.ts';
import type { Dialect, Isolation } from './dialect.ts';
import { toError } from './errors.ts';
import { addIndex, addKey } from './indexes.ts';
import { load } from './load.ts';
import { prepareOperation } from './operations.ts';
import { ownTables, prepareOwn } from './own-statement.ts';
import { createTable, dropLeftovers, dropTable } from './schema.ts';
import { needTransactions, type SessionState, setIsolation } from './session-state.ts';
import { sqlfire } from './sqlfire.ts';

export const engine: Engine = {
  descriptor,
  probeInfo: { ...sqlfire.probeInfo, ...derby.probeInfo },
  async open(raw, tag, signal) {
    const parsed = parseAgain(config, raw) as DrdaConfig;
    const connection = await connect(parsed, tag, signal);
    try {
      const dialect = await dialectOf(connection, parsed);
      const { diagnosticsUser: user, diagnosticsPassword: password } = parsed;
      const diagnostics = user === null ? connection : await connect({ ...parsed, user, password }, tag, signal);
      return openDatabase(connection, diagnostics, dialect, parsed, tag);
    } catch (error) {
      connection.destroy();
      throw error;
    }
  },
  toError,
};

/** `diagnostics`: the connection of the probe, which no statement of an experiment runs over where it is another one. */
function openDatabase(
  connection: Connection,
  diagnostics: Connection,
  dialect: Dialect,
  parsed: DrdaConfig,
  tag: string,
): Database {
  const probe = dialect.createProbe(diagnostics);
  let pinger: Promise<Statement> | null = null;
  // The table is read here, block by block: that can be ended, whatever the server can.
  let ended = 0;
  return {
    fingerprint: () => dialect.fingerprint(connection),
    async ping() {
      pinger ??= connection.prepare('VALUES 1');
      const cursor = await (await pinger).open();
      while ((await cursor.fetch()) !== null);
      await cursor.close();
    },
    prepareSchema: (table) => createTable(connection, table, dialect),
    addKey: (table) => addKey(connection, table),
    addIndex: (table, index) => addIndex(connection, table, index),
    load: (table, batches, onRows, signal) => load(connection, dialect, table, batches, onRows, signal),
    settle: (table) => dialect.settle(connection, table),
    probe,
    checksum(table, range) {
      const begun = ended;
      const check = () => {
        if (ended !== begun) throw new DynoError('cancelled', 'Stopped while reading the table.');
      };
      return checksum(connection, table, check, range && rangeValues(table, range, dialect));
    },
    storedBytes: (table) => dialect.storedBytes(connection, table),
    drop: (table) => dropTable(connection, table.name),
    dropLeftovers: (namePrefix) => dropLeftovers(connection, namePrefix),
    async openSession(_, isolation) {
      const asked = isolationWord(descriptor, isolation) as Isolation | null; // of the descriptor's own
      const refusal = asked && dialect.noIsolation[asked];
      if (refusal) throw new DynoError('unsupported', `isolation: ${isolation} — ${refusal}`);
      return openSession(await connect(parsed, tag), dialect, asked);
    },
    ownTables: () => ownTables(connection),
    async cancel() {
      ended++;
    },
    async [Symbol.asyncDispose]() {
      if (diagnostics !== connection) await diagnostics.close();
      await connection.close();
    },
  };
}

async function openSession(connection: Connection, dialect: Dialect, asked: Isolation | null): Promise<Session> {
  const state: SessionState = { connection, dialect, current: dialect.defaultIsolation, inTransaction: false };
  try {
    if (asked !== null) await setIsolation(state, asked);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    prepare: (plan) => prepareOperation(state, plan),
    prepareStatement: (plan) => prepareOwn(state, plan),
    // A unit of work begins by itself; what is needed is that calls leave it open.
    async begin() {
      await needTransactions(state);
      state.inTransaction = true;
    },
    async commit() {
      state.inTransaction = false;
      await connection.commit();
    },
    async rollback() {
      state.inTransaction = false;
      await connection.rollback();
    },
    // Nothing is stopped at the server: the runner ends between calls.
    cancel: async () => {},
    wireBytes: () => connection.wireBytes(),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
