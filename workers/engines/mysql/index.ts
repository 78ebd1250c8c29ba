import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Engine, Session } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/isolation.ts';
import { supportOf } from '#engine-api/support-of.ts';
import { DynoError } from '#model/error.ts';
import type { Options } from '#model/settings/settings.ts';
import { parseAgain } from '../connecting.ts';
import { checksum } from './checksum.ts';
import { config, type MysqlConfig } from './config.ts';
import { connect, type DriverName, killQuery } from './connect.ts';
import type { Connection, ConnectionRequest, Flavour } from './connection.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { fingerprint } from './fingerprint.ts';
import { addIndex, addKey } from './indexes.ts';
import { load } from './load.ts';
import { checkSupport, flavourOf, prepareOperation } from './operations.ts';
import { ownTables, prepareOwn } from './own-statement.ts';
import { createProbe, probeInfo } from './probe.ts';
import { createTable, dropLeftovers, dropTable } from './schema.ts';
import type { SessionState } from './server-loop.ts';
import { settle, storedBytes } from './settle.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, tag, signal) {
    const parsed = parseAgain(config, raw) as MysqlConfig;
    const control = await connect('mysql2', { config: parsed, tag, flavour: 'localFiles' }, signal);
    return openDatabase(control, parsed, tag);
  },
  toError,
};

function openDatabase(control: Connection, parsed: MysqlConfig, tag: string): Database {
  const { database, user } = parsed;
  return {
    fingerprint: () => fingerprint(control, database),
    async ping() {
      await control.query('SELECT 1');
    },
    prepareSchema: (table) => createTable(control, database, user, table),
    addKey: (table) => addKey(control, database, table),
    addIndex: (table, index) => addIndex(control, database, table, index),
    load: (table, batches, onRows, signal) => load(control, database, table, batches, onRows, signal),
    settle: (table) => settle(control, database, table),
    probe: createProbe(control, tag),
    checksum: (table, range) => checksum(control, database, table, range),
    storedBytes: (table) => storedBytes(control, database, table),
    drop: (table) => dropTable(control, database, table.name),
    dropLeftovers: (namePrefix) => dropLeftovers(control, database, namePrefix),
    openSession: async (options, isolation) =>
      openSession({ config: parsed, tag, isolation: isolationWord(descriptor, isolation) }, options, control),
    ownTables: () => ownTables(control, database),
    cancel: () => killQuery(control, { config: parsed, tag, flavour: 'usual' }),
    [Symbol.asyncDispose]: () => control.end(),
  };
}

const killAgainMs = 50;

/**
 * One physical connection. Drivers fix some things when they connect, so a method that wants it otherwise gets a connection of its own in the
 * place of the first.
 */
async function openSession(
  request: Omit<ConnectionRequest, 'flavour'>,
  options: Options,
  control: Connection,
): Promise<Session> {
  const { database } = request.config;
  const driver: DriverName = options.driver === 'mariadb' ? 'mariadb' : 'mysql2';
  let flavour: Flavour = 'usual';
  let connection = await connect(driver, { ...request, flavour });
  let before = { sent: 0, received: 0 };
  const state: SessionState = { inTransaction: false, looping: false };
  const wireBytes = () => {
    const { sent, received } = connection.wireBytes();
    return { sent: before.sent + sent, received: before.received + received };
  };
  const takeFlavour = async (wanted: Flavour) => {
    if (wanted === flavour) return;
    if (state.inTransaction)
      throw new DynoError('internal', 'The transaction would stay behind on another connection.');
    const next = await connect(driver, { ...request, flavour: wanted });
    before = wireBytes();
    await connection.end();
    [connection, flavour] = [next, wanted];
  };
  return {
    async prepare(plan) {
      checkSupport(plan, driver);
      await takeFlavour(flavourOf(plan.method, driver));
      return prepareOperation(connection, database, plan, state);
    },
    async prepareStatement(plan) {
      supportOf(descriptor, 'statement', plan.method);
      await takeFlavour(flavourOf(plan.method, driver));
      return prepareOwn(connection, database, plan);
    },
    async begin() {
      await connection.query('START TRANSACTION');
      state.inTransaction = true;
    },
    async commit() {
      await connection.query('COMMIT');
      state.inTransaction = false;
    },
    async rollback() {
      state.inTransaction = false;
      await connection.query('ROLLBACK');
    },
    async cancel() {
      const kill = () => control.query(`KILL QUERY ${connection.threadId}`);
      await kill();
      // MariaDB forgets a KILL QUERY that comes between two statements of a procedure.
      while (state.looping) {
        await sleep(killAgainMs);
        if (state.looping) await kill();
      }
    },
    wireBytes,
    [Symbol.asyncDispose]: () => connection.end(),
  };
}
