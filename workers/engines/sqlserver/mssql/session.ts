/*
 * Private members of tedious that this file uses; driver-privates.test.ts has a contract for each:
 * Connection.inTransaction.
 */
import sql from 'mssql';
import type { Session } from '#engine-api/session.ts';
import type { CustomStatement } from '#engine-api/statement.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { collationOf } from '../connection/collation.ts';
import { close } from '../connection/connect.ts';
import type { Server } from '../connection/server.ts';
import { wireBytesOf } from '../connection/wire-bytes.ts';
import { readSettings } from '../probe/session-settings.ts';
import { prepareOperation as prepareOwn, type SessionContext } from '../statements/operations.ts';
import { firstLoss, withFirstLoss } from '../wire/losses.ts';
import { rollback } from '../wire/request.ts';
import { prepare } from '../wire/rpc.ts';
import { prepareMssqlStatement } from './custom-statement.ts';
import { prepareOperation, type Requests, type Statement } from './operations.ts';
import type { OpenPool } from './pool.ts';

/** Operations whose texts have no plan, or a plan for each of the server's own statements. */
const methodsWithoutPlans: readonly MethodName[] = ['serverLoop', 'bulk'];

/** The value of tedious' ISOLATION_LEVEL.NO_CHANGE; by default mssql sets READ COMMITTED. */
const sessionsOwn = 0;

export function openMssqlSession({ pool, connection }: OpenPool, server: Server): Session {
  let transaction: sql.Transaction | null = null;
  let held: { readonly statement: Statement; readonly prepared: sql.PreparedStatement } | null = null;

  async function letGo(): Promise<void> {
    const { prepared } = held ?? {};
    held = null;
    await prepared?.unprepare();
  }
  const requests: Requests = {
    server,
    async request() {
      if (held) await letGo();
      return (transaction ?? pool).request();
    },
    async prepared(statement) {
      if (held?.statement === statement) return held.prepared;
      await letGo();
      const prepared = transaction ? new sql.PreparedStatement(transaction) : new sql.PreparedStatement(pool);
      for (const { name, type } of statement.parameters) prepared.input(name, type);
      await prepared.prepare(statement.text);
      held = { statement, prepared };
      return prepared;
    },
  };
  async function end(how: (open: sql.Transaction) => Promise<void>): Promise<void> {
    const open = transaction;
    if (!open) return;
    await letGo();
    transaction = null;
    await how(open);
  }
  /** Plans are asked on the pool's connection itself, by Dyno's own requests. */
  const collation = collationOf(connection);
  const own: SessionContext = {
    lean: null,
    connection,
    collation,
    server,
    // Handles end with the connection.
    prepared: (text, declarations) => prepare(connection, text, declarations, collation),
  };
  const lossless = <T>(work: () => Promise<T>): Promise<T> => withFirstLoss(connection, work);
  return {
    async prepare(plan) {
      const operation = await lossless(() => prepareOperation(requests, plan));
      const isPlanned = !methodsWithoutPlans.includes(plan.method);
      return {
        ...operation,
        run: (call) => lossless(async () => operation.run(call)),
        ...(isPlanned && {
          queryPlan: (batch) => lossless(async () => (await prepareOwn(own, plan)).queryPlan!(batch)),
        }),
      };
    },
    async prepareStatement(plan) {
      const statement: CustomStatement = await lossless(() => prepareMssqlStatement(requests, own, plan));
      return {
        ...statement,
        run: (call) => lossless(async () => statement.run(call)),
        answer: (call, most) => lossless(() => statement.answer(call, most)),
        show: (call, most) => lossless(() => statement.show(call, most)),
      };
    },
    begin: () =>
      withFirstLoss(connection, async () => {
        await letGo();
        const begun = pool.transaction();
        begun.isolationLevel = sessionsOwn;
        transaction = await begun.begin();
      }),
    commit: () => withFirstLoss(connection, () => end((open) => open.commit())),
    async rollback() {
      try {
        await end((open) => open.rollback());
        // mssql does not know a transaction that a statement began.
        await rollback(connection);
      } catch (error) {
        // The server has rolled back already, as it does for the victim of a deadlock.
        if (!(error instanceof sql.TransactionError && error.code === 'EABORT')) throw firstLoss(connection, error);
      }
    },
    readSettings: (names) => readSettings(connection, names),
    inTransaction: () => connection.inTransaction,
    cancel: async () => void connection.cancel(),
    wireBytes: () => wireBytesOf(connection),
    async [Symbol.asyncDispose]() {
      try {
        await letGo();
      } catch {
        // The connection is lost or busy; the server frees its handles when it ends.
      }
      await close(connection);
      // The end of the pool is not awaited, because it waits for ever for a connection that a lost statement or
      // transaction has borrowed.
      pool.close().catch(() => {});
    },
  };
}
