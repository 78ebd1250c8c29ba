import { type LoadArguments, sendBatches } from '../../shared/send-batches.ts';
import { counted, type SessionState } from '../connection/session-state.ts';
import { prepareArrayDml } from '../statements/array-dml.ts';
import { statementsOf } from '../statements/statements.ts';

/**
 * Loads by array DML, with all batches in one transaction: all rows are stored, or none, which a direct path load could
 * not promise. The next batch is made while the server works on the current one.
 */
export async function load(state: SessionState, ...[table, batches, onRows, signal]: LoadArguments): Promise<void> {
  const { connection } = state;
  const insert = prepareArrayDml(state, statementsOf(table, 'insert', { rangeRows: 1 }, 'values'));
  state.inTransaction = true;
  try {
    await sendBatches(insert, batches, onRows, signal);
    await counted(state, () => connection.commit());
  } catch (error) {
    await connection.rollback().catch(() => {});
    throw error;
  } finally {
    state.inTransaction = false;
  }
}
