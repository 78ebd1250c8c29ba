import { type Connection, RequestError } from 'tedious';
import type { Caller } from '#engine-api/operation.ts';
import { DynoError } from '#model/error.ts';
import { firstLoss } from './losses.ts';

/** Makes the result of a call. `told`: the count of the server, `returned`: the rows that have arrived. */
export type ResultOf<R> = (told: number | null, returned: number | null) => R;

/** The end of a procedure. */
export interface ProcedureEnd {
  /** The count of the server. Null: it has not counted. */
  readonly told: number | null;
  /** The errors of the procedure, as the driver makes them. Null: there are none. */
  readonly error: unknown;
}

/** A message that has been sent, and waits for its answer. */
export interface SentMessage {
  /** The ends of its procedures (DONEPROC), which belong to one call each. Null: its one call ends with the answer. */
  readonly ends: ProcedureEnd[] | null;
  answered(told: number | null, returned: number | null): void;
  failed(error: unknown): void;
}

/** A call in a message of its own. */
export class CallRequest<R = unknown> implements SentMessage {
  readonly ends = null;
  readonly #connection: Connection;
  readonly #caller: Caller<R>;
  readonly #resultOf: ResultOf<R>;

  constructor(connection: Connection, caller: Caller<R>, resultOf: ResultOf<R>) {
    this.#connection = connection;
    this.#caller = caller;
    this.#resultOf = resultOf;
  }

  answered(told: number | null, returned: number | null): void {
    this.#caller.answered(this.#resultOf(told, returned));
  }

  failed(error: unknown): void {
    this.#caller.failed(firstLoss(this.#connection, error));
  }
}

/**
 * Calls of procedures in one message. The server ends each with a DONEPROC, in their order, and goes on after an error
 * unless it ends the whole message (2.2.6.6).
 */
export class BatchRequest implements SentMessage {
  readonly ends: ProcedureEnd[] = [];
  readonly #connection: Connection;
  readonly #callers: readonly Caller[];

  constructor(connection: Connection, callers: readonly Caller[]) {
    this.#connection = connection;
    this.#callers = callers;
  }

  answered(): void {
    const { length } = this.ends;
    const calls = this.#callers.length;
    if (length > calls) {
      // It is not known which ends belong to which call.
      this.ends.length = 0;
      this.failed(new DynoError('serverGone', `The server has ended ${length} procedures, and ${calls} were called.`));
    } else this.failed(length < calls ? (this.ends.at(-1)?.error ?? unanswered(length, calls)) : null);
  }

  /** Tells the callers the ends of their calls, and those whose calls have none the error. */
  failed(error: unknown): void {
    for (const [i, caller] of this.#callers.entries()) {
      const end = this.ends[i];
      const reason = end === undefined ? error : end.error;
      if (end !== undefined && reason === null) caller.answered(end.told ?? 0);
      else caller.failed(firstLoss(this.#connection, reason));
    }
  }
}

const unanswered = (ended: number, calls: number): DynoError =>
  new DynoError('serverGone', `The server has answered ${ended} of the ${calls} calls of a message.`);

/** Returns the errors that the driver has added to its request since the last time, as one; null: there are none. */
export function newErrorsOf(request: { error: Error | undefined }): () => unknown {
  // The driver keeps all errors of a request, and from the second one on shows all of them.
  let seen = 0;
  return () => {
    const { error } = request;
    request.error = undefined;
    if (error === undefined) return null;
    const all: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    // The driver itself makes the error of a procedure that fails without one, and does not keep it.
    if (error instanceof RequestError && error.code === 'UNKNOWN') return error;
    const own = all.slice(seen);
    seen = all.length;
    return own.length === 1 ? own[0] : new AggregateError(own);
  };
}
