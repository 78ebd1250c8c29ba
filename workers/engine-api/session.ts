import type { Operation, OperationPlan } from './operation.ts';
import type { CustomStatement, StatementPlan } from './statement.ts';

/** One physical connection, which one virtual user at a time uses. */
export interface Session extends AsyncDisposable {
  /** Does everything costly for an operation: statements, buffers, texts. */
  prepare(plan: OperationPlan): Promise<Operation>;
  /**
   * Prepares a custom statement, before any begin(). Present exactly where descriptor.statements is.
   * @throws DynoError 'badInput' for a text that cannot be understood.
   */
  prepareStatement?(plan: StatementPlan): Promise<CustomStatement>;
  begin(): Promise<void> | void;
  commit(): Promise<void> | void;
  rollback(): Promise<void> | void;
  /**
   * Stops the running statement, at the server where the descriptor says so; the pending run() then rejects as
   * 'cancelled'.
   */
  cancel(): Promise<void>;
  /**
   * Makes the server count what this session has done so far, where sessions report their work late: otherwise counters
   * of the measured phase would include the warm-up. The runner calls it between the two, outside any transaction.
   * Default: sessions report at once.
   */
  reportWork?(): Promise<void>;
  /** Bytes on the wire since the session was opened; null where there is no wire, or it cannot be observed. */
  wireBytes(): { readonly sent: number; readonly received: number } | null;
}
