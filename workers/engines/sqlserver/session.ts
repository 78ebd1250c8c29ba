/*
 * Private members of tedious that this file uses; driver-privates.test.ts has a contract for each:
 * Connection.inTransaction.
 */
import type { Connection } from 'tedious';
import type { Session } from '#engine-api/session.ts';
import { collationOf } from './connection/collation.ts';
import { close } from './connection/connect.ts';
import type { Server } from './connection/server.ts';
import { wireBytesOf } from './connection/wire-bytes.ts';
import { readSettings, readTls } from './probe/session-settings.ts';
import { prepareCustomStatement } from './statements/custom-statement.ts';
import { prepareOperation } from './statements/operations.ts';
import type { LeanPath } from './wire/lean-path.ts';
import { prepare, unprepare } from './wire/rpc.ts';
import { transactionsOf } from './wire/transactions.ts';

/** `lean`: the path of calls, if they are not the driver's requests. */
export function openSession(connection: Connection, server: Server, lean: LeanPath | null): Session {
  const collation = collationOf(connection);
  const handles: number[] = [];
  const context = {
    connection,
    collation,
    server,
    lean,
    async prepared(sql: string, declarations: string) {
      const handle = await prepare(connection, sql, declarations, collation);
      handles.push(handle);
      return handle;
    },
  };
  return {
    prepare: (plan) => prepareOperation(context, plan),
    prepareStatement: (plan) => prepareCustomStatement(context, plan),
    ...transactionsOf(connection, lean),
    readSettings: (names) => readSettings(connection, names),
    readTls: () => readTls(connection),
    inTransaction: () => connection.inTransaction,
    cancel: async () => void (lean ?? connection).cancel(),
    wireBytes: () => wireBytesOf(connection),
    async [Symbol.asyncDispose]() {
      try {
        for (const handle of handles) await unprepare(connection, handle);
      } catch {
        // The connection is lost or busy; the server frees its handles when it ends.
      }
      await close(connection);
    },
  };
}
