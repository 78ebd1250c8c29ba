import type { Operation } from '#engine-api/operation.ts';
import { counted, type SessionState } from '../connection/session-state.ts';
import { createBinder, type ParameterValue } from '../values/values.ts';
import { positional, type Statements } from './statements.ts';

/** executeMany: one execute for all rows, their values column by column in types and sizes that bindDefs fix. */
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
          // The rows before the one that failed are in, and not committed: the next call's commit would keep them.
          if (!state.inTransaction) await connection.rollback().catch(() => {});
          throw error;
        }
      }),
  };
}
