import type { Session } from '#engine-api/session.ts';
import { DynoError } from '#model/error.ts';
import type { ReadyStep } from './step-counts.ts';

/**
 * Ends transactions that single statements leave open, for example a procedure that begins one. Otherwise their locks
 * would be held until the session's next commit.
 */
export class LeftOpen {
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The error of a successful statement that left a transaction open; null if it did not. */
  afterAnswer({ spec }: ReadyStep): DynoError | null {
    if (this.#session.inTransaction?.() !== true) return null;
    return new DynoError(
      'badInput',
      `“${spec.name}” left a transaction open, and it was rolled back: its locks would have stayed.`,
      {
        hint: 'Commit where the transaction begins (in the procedure, or with autocommit on), or make the statement a step of a transaction, which Dyno commits.',
      },
    );
  }

  /** After an error: true unless the server reported that no transaction is open. */
  maybe(): boolean {
    return this.#session.inTransaction !== undefined && this.#session.inTransaction() !== false;
  }

  /** Rolls back. The original error is reported, whatever the result of the rollback. */
  async end(): Promise<void> {
    try {
      await this.#session.rollback();
    } catch {}
  }
}
