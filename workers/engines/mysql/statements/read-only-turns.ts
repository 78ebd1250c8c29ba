import type { CustomStatement } from '#engine-api/statement.ts';
import type { MysqlConnection } from '../connection/connection.ts';

/** The statement that begins a transaction whose mode nothing within it can change. It ends the previous one. */
export const beginReading = 'START TRANSACTION READ ONLY';

/**
 * Calls of a read-only session. A function behind a view can switch the session’s mode for later transactions, so each
 * call runs in a read-only transaction that has already begun. The next transaction begins when a call is answered, so
 * calls that come at least a round trip later do not wait for it.
 */
export class ReadOnlyTurns {
  readonly #connection: MysqlConnection;
  #begun: Promise<unknown> = Promise.resolve();

  constructor(connection: MysqlConnection) {
    this.#connection = connection;
    this.next();
  }

  /** Begins the transaction of the next call. */
  next(): void {
    this.#begun = this.#connection.query(beginReading);
    // The next call reports this error.
    this.#begun.catch(() => {});
  }

  /** Waits until the transaction of the next call has begun, and throws the error of its beginning. */
  async ready(): Promise<void> {
    await this.#begun;
  }

  /** A statement whose calls take turns. `isWithin`: the runner has opened a transaction, which begins read-only. */
  of<C>(own: CustomStatement<C>, isWithin: () => boolean): CustomStatement<C> {
    const turn = async <T>(call: () => Promise<T> | T): Promise<T> => {
      await this.#begun;
      try {
        return await call();
      } finally {
        if (!isWithin()) this.next();
      }
    };
    const { start: _, queryPlan, ...rest } = own;
    return {
      ...rest,
      run: (call) => turn(() => own.run(call)),
      answer: (call, most) => turn(() => own.answer(call, most)),
      show: (call, most) => turn(() => own.show(call, most)),
      explain: (call) => turn(() => own.explain(call)),
      ...(queryPlan && { queryPlan: (call: C) => turn(() => queryPlan(call)) }),
    };
  }
}
