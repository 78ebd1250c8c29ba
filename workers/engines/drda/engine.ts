import type { DrdaConnection, Statement } from '#drda/index.ts';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/support/isolation.ts';
import { DynoError } from '#model/error.ts';
import { parseAgain } from '../shared/connecting.ts';
import { proveBySum } from '../shared/server-proof.ts';
import { config, type DrdaConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import { one, run } from './connection/query.ts';
import { descriptor } from './descriptor.ts';
import type { Dialect, IsolationLevel } from './dialect.ts';
import { derby } from './dialects/derby.ts';
import { dialectOf } from './dialects/dialect-of.ts';
import { sqlfire } from './dialects/sqlfire.ts';
import { toError } from './errors.ts';
import { checksum, rangeValues } from './schema/checksum.ts';
import { addIndexSql, addKeySql, removeIndexSql } from './schema/indexes.ts';
import { load } from './schema/load.ts';
import { setUp } from './schema/setup.ts';
import { createTable, dropLeftovers, dropTable, ensureSchema, leftovers } from './schema/tables.ts';
import { openSession } from './session.ts';
import { userTables } from './statements/custom-statement.ts';

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

/**
 * `diagnostics`: the connection of the probe. If it is another connection, no statement of an experiment runs over it.
 */
function openDatabase(
  connection: DrdaConnection,
  diagnostics: DrdaConnection,
  dialect: Dialect,
  parsed: DrdaConfig,
  tag: string,
): Database {
  const probe = dialect.createProbe(diagnostics);
  let pinger: Promise<Statement> | null = null;
  // The table is read here, block by block, so that reading can be cancelled even if the server cancels nothing.
  let ended = 0;
  return {
    fingerprint: () => dialect.fingerprint(connection),
    ...(dialect.identities && { identities: () => dialect.identities!(connection) }),
    async ping() {
      pinger ??= connection.prepare('VALUES 1');
      const cursor = await (await pinger).open();
      while ((await cursor.fetch()) !== null);
      await cursor.close();
    },
    prove: () => proveBySum(descriptor.label, (a, b) => one(connection, `VALUES ${a} + ${b}`)),
    prepareSchema: (table) => createTable(connection, table, dialect),
    addKey: async (table) => void (await run(connection, addKeySql(table))),
    addIndex: async (table, index) => void (await run(connection, addIndexSql(table, index))),
    removeIndex: async (_table, index) => void (await run(connection, removeIndexSql(index))),
    load: (...what) => load(connection, dialect, ...what),
    async setUp(plan) {
      await ensureSchema(connection);
      await setUp(connection, plan);
    },
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
    leftovers: (namePrefix) => leftovers(connection, namePrefix),
    dropLeftovers: (namePrefix) => dropLeftovers(connection, namePrefix),
    async openSession(_, isolation) {
      const asked = isolationWord(descriptor, isolation) as IsolationLevel | null; // the descriptor has no other levels
      const refusal = asked && dialect.noIsolation[asked];
      if (refusal) throw new DynoError('unsupported', `isolation: ${isolation} — ${refusal}`);
      return openSession(await connect(parsed, tag), dialect, asked);
    },
    userTables: () => userTables(connection),
    async cancel() {
      ended++;
    },
    async [Symbol.asyncDispose]() {
      if (diagnostics !== connection) await diagnostics.close();
      await connection.close();
    },
  };
}
