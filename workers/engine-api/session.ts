import type { ReportedSettings } from '#model/settings/session-settings.ts';
import type { Caller, Operation, OperationPlan } from './operation.ts';
import type { CustomStatement, StatementPlan } from './statement.ts';

/** The beginning of a transaction, and its two ends. */
export type TransactionStep = 'begin' | 'commit' | 'rollback';

/**
 * One physical connection, which one virtual user uses at a time. The runner opens it with Database.openSession, and
 * drives it so:
 *
 * ```ts
 * const insert = await session.prepare({ table, operation: 'insert', method: 'prepared', settings });
 * const calls = batches.map((batch) => insert.encode(batch)); // before the clock
 * await session.begin(); // only where callsPerCommit is above 1
 * for (const call of calls) await insert.run(call); // timed
 * await session.commit(); // timed with the last call
 * ```
 */
export interface Session extends AsyncDisposable {
  /**
   * Prepares an operation: makes statements, buffers and texts, so that `run()` only sends and waits. The session may
   * have several prepared operations at a time. Example: `supportOf(descriptor, operation, method)` refuses empty
   * cells; then the driver prepares `INSERT INTO dyno.t1 VALUES ($1, $2)`.
   * @throws DynoError 'unsupported' where `descriptor.support` has no such cell.
   */
  prepare(plan: OperationPlan): Promise<Operation>;
  /**
   * Prepares a custom statement, before any `begin()`. Default: the engine runs no custom statements; the member is
   * present exactly where `descriptor.statements` is. Example: `SELECT * FROM {table} WHERE id = :id` becomes the named
   * statement `SELECT * FROM dyno.t1 WHERE id = $1`.
   * @throws DynoError 'badInput' for a text that cannot be parsed.
   */
  prepareStatement?(plan: StatementPlan): Promise<CustomStatement>;
  /**
   * Begins a transaction. Calls no longer commit by themselves until `commit()` or `rollback()`. The runner never calls
   * it within a transaction, and counts an error of it as a failed call. A synchronous engine returns nothing. Example:
   * sends `BEGIN`; in SQLite `BEGIN IMMEDIATE`, which takes the lock of writers at once.
   */
  begin(): Promise<void> | void;
  /**
   * Begins a transaction whose writes the server refuses; a try of a reading statement runs in it. Default: `begin()`
   * is called instead, and the rollback behind the try undoes what the statement changed. Example: sends `BEGIN READ
   * ONLY`.
   */
  beginReading?(): Promise<void>;
  /**
   * Ends the transaction; resolves when its changes are as durable as the server makes them. After an error other than
   * a write conflict it is unknown if the changes are stored, so the runner does not try again. Example: sends
   * `COMMIT`.
   */
  commit(): Promise<void> | void;
  /**
   * Ends the transaction and undoes its changes. The runner also calls it after a commit that failed, when there may be
   * no transaction left: then it does nothing. Example: sends `ROLLBACK`.
   */
  rollback(): Promise<void> | void;
  /**
   * `begin()`, `commit()` or `rollback()` for a caller that needs no promise, as Operation.start(); the value of the
   * answer means nothing. Default: the runner calls these and waits for their promises, which costs about a microsecond
   * each. Example: `transact('commit', { answered: () => next(), failed: (error) => stop(error) })`.
   */
  transact?(step: TransactionStep, caller: Caller<number | null>): void;
  /**
   * True if the server's last answer said that a transaction is open, or that calls do not commit by themselves; null
   * if the last answer, an error, did not say. It costs nothing, because the state comes with every answer. The runner
   * rolls back a transaction that a statement has left open, and the call counts as failed. Default: answers never say,
   * and nothing is checked. Example: true for the status byte `T` in PostgreSQL's ReadyForQuery.
   */
  inTransaction?(): boolean | null;
  /**
   * Cancels the running call; the promise of its `run()` then rejects as 'cancelled', and the session can go on. If
   * nothing runs, it does nothing. `descriptor.cancel` says where the call stops. Example: PostgreSQL's CancelRequest,
   * over another connection.
   */
  cancel(): Promise<void>;
  /**
   * Makes the server count the session's work so far. The runner calls it right before and right after the measured
   * phase, outside of transactions, because counters would otherwise include the warm-up and lack the end of the phase.
   * Default: sessions report their work at once. Example: `SELECT pg_stat_force_next_flush()`.
   */
  reportWork?(): Promise<void>;
  /**
   * Reads the values that these settings of the session have now, as the server reports them, outside of transactions;
   * null for a setting whose value the server does not tell. Default: the engine's sessions make no settings; the
   * member is present exactly where `descriptor.sessionSettings` is. Example: `SELECT current_setting('work_mem')`.
   */
  readSettings?(names: readonly string[]): Promise<ReportedSettings>;
  /**
   * Reads the protocol and the cipher of the session's TLS, or `off`; null where nobody tells, as behind a pooler,
   * which has a connection of its own to the server. Default: sessions have no choice of TLS; the member is present
   * exactly where `descriptor.tls` is. Example: `TLSv1.3 TLS_AES_256_GCM_SHA384` of pg_stat_ssl.
   */
  readTls?(): Promise<string | null>;
  /**
   * The bytes that were sent and received since the session was opened, TLS included; null if there is no network, or
   * no socket shows it. Reports then have no bytes per row. Example: `bytesWritten` and `bytesRead` of the socket.
   */
  wireBytes(): { readonly sent: number; readonly received: number } | null;
}
