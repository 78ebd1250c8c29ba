import type { Operation } from '#engine-api/operation.ts';
import { counted, type SessionState } from '../connection/session-state.ts';
import { createBinder, type ParameterValue } from '../values/values.ts';
import { positional, type Statements } from './statements.ts';

/**
 * executeMany sends one execute for all rows, with their values column by column in the types and sizes of bindDefs.
 */
export function prepareArrayDml(state: SessionState, { types, order, one }: Statements): Operation<ParameterValue[][]> {
  const { connection } = state;
  const text = one(positional());
  const binder = createBinder(types, state.dialect);
  const bindDefs = order.map((c) => binder.binds[c]!);
  const within = { bindDefs, autoCommit: false };
  const alone = { bindDefs, autoCommit: true };
  return {
    encode: (batch) => binder.rows(batch, order),
    run: (rows) =>
      counted(state, async () => {
        try {
          const options = state.inTransaction ? within : alone;
          return (await connection.executeMany(text, rows, options)).rowsAffected ?? 0;
        } catch (error) {
          // The rows before the failed one are stored and not committed: the next call's commit would keep them.
          if (!state.inTransaction) await connection.rollback().catch(() => {});
          throw error;
        }
      }),
  };
}
