import type { DrdaConnection } from '#drda/index.ts';
import type { Dialect, IsolationLevel } from '../dialect.ts';

/** The state that the operations of one session share. */
export interface SessionState {
  readonly connection: DrdaConnection;
  readonly dialect: Dialect;
  current: IsolationLevel;
  /** Between begin() and its end: calls then do not commit by themselves. */
  inTransaction: boolean;
}

/** `session.current` follows. */
export async function setIsolation(
  session: Pick<SessionState, 'connection' | 'current'>,
  isolation: IsolationLevel,
): Promise<void> {
  if (session.current === isolation) return;
  // The family knows no word for none; RESET goes back to what a session begins with.
  const word = isolation === 'NONE' ? 'RESET' : isolation;
  await session.connection.execute(`SET ISOLATION ${word}`, { commit: true });
  session.current = isolation;
}

/**
 * Sets the isolation CS where the session has none, as sessions of SQLFire's family begin: without isolation a rollback
 * undoes nothing.
 */
export async function needTransactions(state: SessionState): Promise<void> {
  if (state.current === 'NONE') await setIsolation(state, 'CS');
}

/** After a call that failed outside a transaction: rolls back what it left, so that nothing is committed later. */
export async function takeBack({ connection, inTransaction }: SessionState): Promise<void> {
  if (!inTransaction && connection.isAlive) await connection.rollback().catch(() => {});
}
