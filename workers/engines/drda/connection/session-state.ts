import type { DrdaConnection } from '#drda/index.ts';
import type { Dialect, IsolationLevel } from '../dialect.ts';

/** The state that the operations of one session share. */
export interface SessionState {
  readonly connection: DrdaConnection;
  readonly dialect: Dialect;
  current: IsolationLevel;
  /** True between begin() and the end of the transaction: calls then do not commit by themselves. */
  inTransaction: boolean;
}

/** The state follows `session.current`. */
export async function setIsolation(
  session: Pick<SessionState, 'connection' | 'current'>,
  isolation: IsolationLevel,
): Promise<void> {
  if (session.current === isolation) return;
  // The family has no word for "none", but RESET goes back to the isolation with which a session begins.
  const word = isolation === 'NONE' ? 'RESET' : isolation;
  await session.connection.execute(`SET ISOLATION ${word}`, { commit: true });
  session.current = isolation;
}

/**
 * Sets the isolation CS if the session has none, as sessions of SQLFire's family begin: without isolation a rollback
 * undoes nothing.
 */
export async function needTransactions(state: SessionState): Promise<void> {
  if (state.current === 'NONE') await setIsolation(state, 'CS');
}

/** Rolls back the rest of a call that failed outside a transaction, so that no later commit stores it. */
export async function takeBack({ connection, inTransaction }: SessionState): Promise<void> {
  if (!inTransaction && connection.isAlive) await connection.rollback().catch(() => {});
}
