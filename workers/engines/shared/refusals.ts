import type { Engine } from '#engine-api/engine.ts';
import type { ErrorData, ErrorKind } from '#model/error.ts';

/** True for errors of a server that is gone, which refuses nothing. */
export const isLost = (kind: ErrorKind): boolean => ['serverGone', 'unreachable', 'cancelled'].includes(kind);

/**
 * Notes the queries that a user may not send, or that a server cannot answer: they are listed with a remedy, and not
 * sent again.
 */
export class Refusals<Question = unknown> {
  readonly #reasons = new Map<Question, string>();
  readonly #toError: Engine['toError'];
  readonly #isRefusal: (kind: ErrorKind) => boolean;

  /** Errors that are no refusals are thrown. */
  constructor(toError: Engine['toError'], isRefusal: (kind: ErrorKind) => boolean) {
    this.#toError = toError;
    this.#isRefusal = isRefusal;
  }

  /** The reasons of all refusals, in the order in which they came. */
  get reasons(): readonly string[] {
    return [...this.#reasons.values()];
  }

  has(question: Question): boolean {
    return this.#reasons.has(question);
  }

  add(question: Question, reason: string): void {
    this.#reasons.set(question, reason);
  }

  /** The answer; null: the query was refused, now or before. */
  async ask<Answer>(
    question: Question,
    answer: () => Promise<Answer>,
    reason: (refusal: ErrorData) => string,
  ): Promise<Answer | null> {
    if (this.has(question)) return null;
    try {
      return await answer();
    } catch (thrown) {
      const data = this.#toError(thrown);
      if (!this.#isRefusal(data.kind)) throw thrown;
      this.add(question, reason(data));
      return null;
    }
  }
}
