import type { MongoClient } from 'mongodb';
import type { Session } from '#engine-api/session.ts';
import { DynoError } from '#model/error.ts';
import type { MongoConfig } from './config.ts';
import { killOperations } from './connection/cancel.ts';
import { transactionOptions } from './connection/concerns.ts';
import type { Connected } from './connection/connect.ts';
import { tlsText } from './connection/tls-text.ts';
import { socketsOf, wireBytes } from './connection/wire-bytes.ts';
import type { MongoOptions } from './options.ts';
import { prepareCustomStatement } from './statements/custom-statement.ts';
import { prepareOperation } from './statements/operations.ts';

export function openSession(
  connected: Connected,
  control: MongoClient,
  parsed: MongoConfig,
  options: MongoOptions,
  readsSnapshots: boolean,
): Session {
  const { client, hasTransactions } = connected;
  const db = client.db(parsed.database);
  const session = client.startSession({
    // Otherwise every read would carry the time of the session's last write, and wait for it.
    causalConsistency: false,
    defaultTransactionOptions: transactionOptions(options, parsed),
  });
  return {
    prepare: async (plan) => prepareOperation(connected, db, session, plan),
    prepareStatement: async (plan) => prepareCustomStatement(db, session, plan, readsSnapshots),
    begin() {
      if (!hasTransactions)
        throw new DynoError('unsupported', 'This server is no member of a replica set: it has no transactions.', {
          hint: 'callsPerCommit: 1, or start the server with --replSet and run rs.initiate() (one member will do).',
        });
      session.startTransaction();
    },
    commit: () => session.commitTransaction(),
    rollback: () => session.abortTransaction(),
    cancel: () => killOperations(control, session),
    // No command tells the TLS of one connection: serverStatus counts those of all.
    readTls: async () => tlsText(client),
    wireBytes: () => wireBytes(socketsOf(client)),
    async [Symbol.asyncDispose]() {
      await session.endSession();
      await client.close();
    },
  };
}
