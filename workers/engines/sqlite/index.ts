import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import type { Database, Engine, OwnStatement, Session, StopSignal } from '#engine-api/engine.ts';
import { isolationWord } from '#engine-api/isolation.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { readOnlyOperations } from '#model/settings/settings.ts';
import { checksum, registerChecksumFunctions } from './checksum.ts';
import { config, type SqliteConfig } from './config.ts';
import { descriptor } from './descriptor.ts';
import { toError } from './errors.ts';
import { addIndex, addKey } from './indexes.ts';
import { prepareOperation } from './operations.ts';
import { ownTables, prepareOwn } from './own-statement.ts';
import { createProbe, fingerprint, probeInfo } from './probe.ts';
import { connect, createTable, dropLeftovers, dropTable, quote } from './schema.ts';
import { flatRows } from './values.ts';
import { createWriteLock, type WriteLock } from './write-lock.ts';

export const engine: Engine = {
  descriptor,
  probeInfo,
  async open(raw, _tag, signal) {
    signal.throwIfAborted();
    const parsed = config.parse(raw) as SqliteConfig;
    const file = join(parsed.path, 'dyno.sqlite');
    try {
      return openDatabase(file, parsed);
    } catch (error) {
      const data = toError(error);
      throw new DynoError(data.kind, `Opening ${file}: ${data.message}`, data);
    }
  },
  toError,
};

function openDatabase(file: string, parsed: SqliteConfig): Database {
  const control = connect(file, parsed);
  registerChecksumFunctions(control);
  const lock = createWriteLock();
  const probe = createProbe(control, file);
  const one = control.prepare('SELECT 1');
  return {
    fingerprint: async () => fingerprint(control),
    async ping() {
      one.get();
    },
    prepareSchema: async (table) => createTable(control, table),
    addKey: async (table) => addKey(control, table),
    addIndex: async (table, index) => addIndex(control, table, index),
    load: async (table, batches, onRows, signal) => load(control, table, batches, onRows, signal),
    async settle(table) {
      control.exec(`ANALYZE ${quote(table.name)}`);
      control.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    },
    // The page cache is a session's own, and a trial's sessions are new.
    emptyCache: async () => {},
    probe: async () => probe(),
    checksum: async (table, range) => checksum(control, table, range),
    storedBytes: async (table) => storedBytes(control, table.name),
    drop: async (table) => dropTable(control, table.name),
    dropLeftovers: async (namePrefix) => dropLeftovers(control, namePrefix),
    async openSession(_, isolation) {
      isolationWord(descriptor, isolation);
      return openSession(connect(file, parsed), lock);
    },
    ownTables: async () => ownTables(control),
    cancel: async () => {},
    [Symbol.asyncDispose]: async () => {
      if (control.isOpen) control.close();
    },
  };
}

/** Transactions of this many rows at least: one commit per batch would measure the disk, one for all would grow the WAL without end. */
const rowsPerLoadCommit = 100_000;

async function load(
  control: DatabaseSync,
  table: TablePlan,
  batches: Iterable<Batch>,
  onRows: (rows: number) => void,
  signal: StopSignal,
): Promise<void> {
  const types = table.columns.map((column) => column.type);
  const insert = control.prepare(`INSERT INTO ${quote(table.name)} VALUES (${types.map(() => '?').join(', ')})`);
  let rows = 0;
  let pending = 0;
  control.exec('BEGIN IMMEDIATE');
  try {
    for (const batch of batches) {
      signal.throwIfAborted();
      const values = flatRows(batch, types);
      for (let at = 0; at < values.length; at += types.length) insert.run(...values.slice(at, at + types.length));
      rows += batch.rows;
      pending += batch.rows;
      if (pending >= rowsPerLoadCommit) {
        control.exec('COMMIT');
        control.exec('BEGIN IMMEDIATE');
        pending = 0;
      }
      onRows(rows);
      await setImmediate(); // inserts are synchronous: without it no abort could arrive
    }
    control.exec('COMMIT');
  } catch (error) {
    if (control.isTransaction) control.exec('ROLLBACK');
    throw error;
  }
}

/** dbstat counts whole pages, free space within them included. A rowid table's key has an index of its own unless it is an integer. */
function storedBytes(control: DatabaseSync, name: string): { tableBytes: number; indexBytes: number } {
  const row = control
    .prepare(
      `SELECT coalesce(sum(pgsize) FILTER (WHERE name = ?1), 0) AS tableBytes,
              coalesce(sum(pgsize) FILTER (WHERE name <> ?1), 0) AS indexBytes
         FROM dbstat WHERE aggregate = TRUE AND name IN (SELECT name FROM sqlite_schema WHERE tbl_name = ?1)`,
    )
    .get(name);
  return { tableBytes: Number(row?.tableBytes), indexBytes: Number(row?.indexBytes) };
}

/** Every session is a connection of its own to the same file. Calls are synchronous: there is never one to cancel. */
function openSession(database: DatabaseSync, lock: WriteLock): Session {
  const me = {};
  const commit = database.prepare('COMMIT');
  const begin = database.prepare('BEGIN');
  // Taking the write lock at once keeps a transaction from failing half-way when it turns from reader to writer.
  const beginWrite = database.prepare('BEGIN IMMEDIATE');
  let writes = true;
  return {
    async prepare(plan) {
      writes = !readOnlyOperations.includes(plan.operation);
      const operation = prepareOperation(database, plan);
      if (!writes) return operation;
      return { ...operation, run: (call) => lock.enter(me, () => operation.run(call) as number) };
    },
    async prepareStatement(plan) {
      // A transaction may write with a later step: it takes the lock at once.
      writes = true;
      const own: OwnStatement = prepareOwn(database, plan);
      if (plan.isRead) return own;
      return { ...own, run: (call) => lock.enter(me, () => own.run(call) as number | null) };
    },
    begin() {
      if (!writes) return void begin.run();
      return lock.enter(me, () => {
        beginWrite.run();
        lock.hold(me);
      });
    },
    commit() {
      commit.run();
      lock.release(me);
    },
    rollback() {
      if (database.isTransaction) database.exec('ROLLBACK');
      lock.release(me);
    },
    cancel: async () => {},
    wireBytes: () => null,
    [Symbol.asyncDispose]: async () => {
      if (database.isOpen) database.close();
      lock.release(me);
    },
  };
}
