import type { DrdaConnection } from '#drda/index.ts';
import type { Session } from '#engine-api/session.ts';
import { withTextUuids } from '../shared/text-uuids.ts';
import { needTransactions, type SessionState, setIsolation } from './connection/session-state.ts';
import { statementLanguage } from './descriptor.ts';
import type { Dialect, IsolationLevel } from './dialect.ts';
import { prepareCustomStatement } from './statements/custom-statement.ts';
import { prepareOperation } from './statements/operations.ts';

export async function openSession(
  connection: DrdaConnection,
  dialect: Dialect,
  asked: IsolationLevel | null,
): Promise<Session> {
  const state: SessionState = { connection, dialect, current: dialect.defaultIsolation, inTransaction: false };
  try {
    if (asked !== null) await setIsolation(state, asked);
  } catch (error) {
    await connection.close();
    throw error;
  }
  return {
    prepare: (plan) => prepareOperation(state, plan),
    prepareStatement: (plan) => withTextUuids(plan, statementLanguage, (own) => prepareCustomStatement(state, own)),
    // A unit of work begins by itself; from here on calls do not end it.
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
    // The server stops nothing; the runner ends between calls.
    cancel: async () => {},
    wireBytes: () => connection.wireBytes(),
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
