import type { Connection } from 'tedious';
import type { Database, Engine, Session, StopSignal } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/isolation.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { parseAgain } from '../connecting.ts';
import { sendBatches } from '../send-batches.ts';
import { bulkInsert } from './bulk.ts';
import { checksum } from './checksum.ts';
import { config, type SqlServerConfig } from './config.ts';
import { close, connect } from './connect.ts';
import { descriptor } from './descriptor.ts';
import { emptyCache } from './empty-cache.ts';
import { toError } from './errors.ts';
import { fingerprint } from './fingerprint.ts';
import { untrustedForeignKeys } from './foreign-keys.ts';
import { addIndex, addKey } from './indexes.ts';
import { setIsolation } from './isolation.ts';
import { openPool } from './mssql-pool.ts';
import { openMssqlSession } from './mssql-session.ts';
import { tableSql } from './names.ts';
import { prepareOperation } from './operations.ts';
import { sessionOptions } from './options.ts';
import { ownTables, prepareOwn } from './own-statement.ts';
import { createProbe, probeInfo } from './probe.ts';
import { begin, commit, execute, rollback } from './request.ts';
import { prepare, unprepare } from './rpc.ts';
import { createTable, dropLeftovers, dropTable } from './schema.ts';
import { askServer, type Server } from './server.ts';
import { storedBytes } from './stored-bytes.ts';
import type { Collation } from './tds.ts';
import { wireBytesOf } from './wire-bytes.ts';

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
