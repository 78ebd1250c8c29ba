import type { Caller, Operation, OperationPlan } from './operation.ts';
import type { CustomStatement, StatementPlan } from './statement.ts';

/** The beginning of a transaction, and its two ends. */
export type TransactionStep = 'begin' | 'commit' | 'rollback';

/** One physical connection; one virtual user at a time uses it. */
export interface Session extends AsyncDisposable {
  /** Does all expensive work of an operation in advance: statements, buffers, texts. */
  prepare(plan: OperationPlan): Promise<Operation>;
  /**
   * Prepares a custom statement, before any begin(). Present exactly where descriptor.statements is.
   * @throws DynoError 'badInput' for a text that cannot be parsed.
   */
  prepareStatement?(plan: StatementPlan): Promise<CustomStatement>;
  /**
   * Begins a transaction, in which calls no longer commit by themselves; never called within one. Like commit() and
   * rollback() it throws whatever the driver throws, which the runner counts as a failed call; synchronous engines
   * return nothing.
   */
  begin(): Promise<void> | void;
  /** The same for a transaction in which the server refuses writes. Absent: begin() is all that there is. */
  beginReading?(): Promise<void>;
  /** Ends the transaction. After an error it is not known whether its rows are stored, unless it was a conflict. */
  commit(): Promise<void> | void;
  /** Ends the transaction without a trace; also called after a commit that failed, when there may be none left. */
  rollback(): Promise<void> | void;
  /** The same for callers that need no promise, as Operation.start(); the value of the answer means nothing. */
  transact?(step: TransactionStep, caller: Caller<number | null>): void;
  /**
   * True where the server's last answer said that a transaction is open, or that calls do not commit by themselves.
   * Costs nothing: the state comes with every answer. Null: the last answer, an error, did not say. Absent: answers
   * never say.
   */
  inTransaction?(): boolean | null;
  /**
   * Cancels the running statement, at the server where the descriptor says so; the pending run() then rejects as
   * 'cancelled'.
   */
  cancel(): Promise<void>;
  /**
   * Makes the server count the session's work so far, where sessions report their work late: otherwise counters of the
   * measured phase would include the warm-up and lack the phase's own end. The runner calls it right before and right
   * after the phase, outside any transaction. Default: sessions report at once.
   */
  reportWork?(): Promise<void>;
  /** Bytes sent and received since the session was opened; null where there is no network, or no socket shows it. */
  wireBytes(): { readonly sent: number; readonly received: number } | null;
}
