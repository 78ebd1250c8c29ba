import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Engine, Session } from '#contract/engine.ts';
import type { Options } from '#contract/settings.ts';
import { checksum } from './checksum.ts';
import { config, type MysqlConfig } from './config.ts';
import { connect, type DriverName, killQuery } from './connect.ts';
import type { Connection, Flavour } from './connection.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { fingerprint } from './fingerprint.ts';
import { load } from './load.ts';
import { checkSupport, flavourOf, prepareOperation } from './operations.ts';
import { createProbe, probeInfo } from './probe.ts';
import { createTable, dropLeftovers, dropTable } from './schema.ts';
import type { SessionState } from './server-loop.ts';
import { settle, storedBytes } from './settle.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, tag, signal) {
    const parsed = config.parse(raw) as MysqlConfig;
    const control = await connect('mysql2', { config: parsed, tag, flavour: 'usual' }, signal);
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
    load: (table, batches, onRows, signal) => load(control, database, table, batches, onRows, signal),
    settle: (table) => settle(control, database, table),
    probe: createProbe(control, tag),
    checksum: (table) => checksum(control, database, table),
    storedBytes: (table) => storedBytes(control, database, table),
    drop: (table) => dropTable(control, database, table.name),
    dropLeftovers: (namePrefix) => dropLeftovers(control, database, namePrefix),
    openSession: (options) => openSession(parsed, tag, options, control),
    cancel: () => killQuery(control, { config: parsed, tag, flavour: 'usual' }),
    [Symbol.asyncDispose]: () => control.end(),
  };
}

const killAgainMs = 50;

/**
 * One physical connection. The mariadb connector fixes some things when it connects, so a method that wants it otherwise gets a connection
 * of its own in the place of the first.
 */
async function openSession(parsed: MysqlConfig, tag: string, options: Options, control: Connection): Promise<Session> {
  const driver: DriverName = options.driver === 'mariadb' ? 'mariadb' : 'mysql2';
  let flavour: Flavour = 'usual';
  let connection = await connect(driver, { config: parsed, tag, flavour });
  let before = { sent: 0, received: 0 };
  const state: SessionState = { inTransaction: false, looping: false };
  const wireBytes = () => {
    const { sent, received } = connection.wireBytes();
    return { sent: before.sent + sent, received: before.received + received };
  };
  return {
    async prepare(plan) {
      checkSupport(plan, driver);
      const wanted = flavourOf(plan.method);
      if (driver === 'mariadb' && wanted !== flavour) {
        const next = await connect(driver, { config: parsed, tag, flavour: wanted });
        before = wireBytes();
        await connection.end();
        [connection, flavour] = [next, wanted];
      }
      return prepareOperation(connection, parsed.database, plan, state);
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
