import type oracledb from 'oracledb';
import type { Session } from '#engine-api/session.ts';
import { withTextUuids } from '../shared/text-uuids.ts';
import type { Dialect } from './connection/dialect.ts';
import { socketOf } from './connection/driver.ts';
import { counted, type SessionState } from './connection/session-state.ts';
import { statementLanguage } from './descriptor.ts';
import { readSettings } from './probe/session-settings.ts';
import { prepareCustomStatement } from './statements/custom-statement.ts';
import { prepareOperation } from './statements/operations.ts';

export const stateOf = (connection: oracledb.Connection, dialect: Dialect): SessionState => ({
  connection,
  dialect,
  thin: connection.thin ?? true,
  inTransaction: false,
  running: 0,
});

/**
 * Sends a break within the connection, which the server looks for between its own steps (Net Services, "in-band
 * break"); Thin mode sends none out of band. If no call ran, the break would end the next call instead.
 */
export async function cancel({ connection, running }: SessionState): Promise<void> {
  if (running > 0) await connection.break();
}

export function openSession(state: SessionState): Session {
  const { connection } = state;
  const socket = socketOf(connection);
  const end = (call: () => Promise<void>) => async () => {
    state.inTransaction = false;
    await counted(state, call);
  };
  return {
    prepare: (plan) => prepareOperation(state, plan),
    prepareStatement: (plan) => withTextUuids(plan, statementLanguage, (own) => prepareCustomStatement(state, own)),
    // A transaction begins with its first statement.
    begin() {
      state.inTransaction = true;
    },
    commit: end(() => connection.commit()),
    rollback: end(() => connection.rollback()),
    readSettings: (names) => readSettings(connection, names),
    cancel: () => cancel(state),
    wireBytes: () => socket && { sent: socket.bytesWritten, received: socket.bytesRead },
    [Symbol.asyncDispose]: () => connection.close(),
  };
}
