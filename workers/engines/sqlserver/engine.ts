import type { Connection } from 'tedious';
import type { Batch } from '#contract/batch.ts';
import type { TablePlan } from '#contract/dataset.ts';
import type { Database, Engine, Session, StopSignal } from '#contract/engine.ts';
import { isolationWord } from '#contract/isolation.ts';
import { parseAgain } from '../shared/connecting.ts';
import { sendBatches } from '../shared/send-batches.ts';
import { config, type SqlServerConfig } from './config.ts';
import { close, connect } from './connection/connect.ts';
import { setIsolation } from './connection/isolation.ts';
import { askServer, type Server } from './connection/server.ts';
import { wireBytesOf } from './connection/wire-bytes.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { openPool } from './mssql/pool.ts';
import { openMssqlSession } from './mssql/session.ts';
import { sessionOptions } from './options.ts';
import { fingerprint } from './probe/fingerprint.ts';
import { createProbe, probeInfo } from './probe/probe.ts';
import { checksum } from './schema/checksum.ts';
import { emptyCache } from './schema/empty-cache.ts';
import { untrustedForeignKeys } from './schema/foreign-keys.ts';
import { addIndex, addKey } from './schema/indexes.ts';
import { tableSql } from './schema/names.ts';
import { createTable, dropLeftovers, dropTable } from './schema/tables.ts';
import { storedBytes } from './schema/stored-bytes.ts';
import { bulkInsert } from './statements/bulk.ts';
import { ownTables, prepareOwn } from './statements/custom-statement.ts';
import { prepareOperation } from './statements/operations.ts';
import { begin, commit, execute, rollback } from './wire/request.ts';
import { prepare, unprepare } from './wire/rpc.ts';
import type { Collation } from './wire/tds.ts';

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
    async ping() {
      await execute(connection, 'SELECT 1');
    },
    prepareSchema(table) {
      current = table;
      return createTable(connection, table);
    },
    addKey(table) {
      current = table;
      return addKey(connection, table);
    },
    addIndex: (table, index) => addIndex(connection, table, index),
    load: (table, batches, onRows, signal) => load(connection, table, batches, onRows, signal, server),
    settle: (table) => settle(connection, table, server),
    emptyCache: () => emptyCache(connection, tag),
    probe: createProbe(connection, tag, () => current),
    checksum: (table, range) => checksum(connection, table, server, range),
    storedBytes: (table) => storedBytes(connection, table, server),
    untrustedForeignKeys: (table) => untrustedForeignKeys(connection, table),
    drop: (table) => dropTable(connection, table.name),
    dropLeftovers: (namePrefix) => dropLeftovers(connection, namePrefix),
    async openSession(options, isolation) {
      const level = isolationWord(descriptor, isolation);
      const session = sessionOptions(options);
      if (options.driver === 'mssql') {
        const opened = await openPool(parsed, tag, session);
        await setIsolation(opened.connection, level);
        return openMssqlSession(opened, server);
      }
      const own = await connect(parsed, tag, session);
      await setIsolation(own, level);
      return openTediousSession(own, server);
    },
    ownTables: () => ownTables(connection),
    cancel: async () => void connection.cancel(),
    [Symbol.asyncDispose]: () => close(connection),
  };
}

/** Texts of the database that the session is in; the driver learns it at login. */
const collationOf = (connection: Connection): Collation => connection.databaseCollation?.toBuffer() ?? Buffer.alloc(5);

/**
 * Bulk load under a table lock, all batches in one transaction: what is there afterwards is all or nothing. The next batch is made while the
 * server works on the one before.
 */
async function load(
  connection: Connection,
  table: TablePlan,
  batches: Iterable<Batch>,
  onRows: (rows: number) => void,
  signal: StopSignal,
  server: Server,
): Promise<void> {
  const bulk = bulkInsert(
    connection,
    table,
    { checkConstraints: true, tableLock: true, batchHint: true, server },
    collationOf(connection),
  );
  await begin(connection);
  try {
    await sendBatches(bulk, batches, onRows, signal);
    await commit(connection);
  } catch (error) {
    await rollback(connection).catch(() => {});
    throw error;
  }
}

async function settle(connection: Connection, table: TablePlan, server: Server): Promise<void> {
  if (server.standIn === null) await execute(connection, `UPDATE STATISTICS ${tableSql(table)}`);
  try {
    await execute(connection, 'CHECKPOINT');
  } catch (error) {
    // The fingerprint lists it as unavailable.
    if (toError(error).kind !== 'permission') throw error;
  }
}

function openTediousSession(connection: Connection, server: Server): Session {
  const collation = collationOf(connection);
  const handles: number[] = [];
  const context = {
    connection,
    collation,
    server,
    async prepared(sql: string, declarations: string) {
      const handle = await prepare(connection, sql, declarations, collation);
      handles.push(handle);
      return handle;
    },
  };
  return {
    prepare: (plan) => prepareOperation(context, plan),
    prepareStatement: (plan) => prepareOwn(context, plan),
    begin: () => begin(connection),
    commit: () => commit(connection),
    rollback: () => rollback(connection),
    cancel: async () => void connection.cancel(),
    wireBytes: () => wireBytesOf(connection),
    async [Symbol.asyncDispose]() {
      try {
        for (const handle of handles) await unprepare(connection, handle);
      } catch {
        // The connection is lost or busy; the server lets go of its handles when it ends.
      }
      await close(connection);
    },
  };
}
