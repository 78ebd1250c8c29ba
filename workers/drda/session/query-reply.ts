import { codePoints } from '../ddm/code-points.ts';
import { readObjects } from '../ddm/read-objects.ts';
import type { DrdaError } from '../errors.ts';
import { readSqlcard, sqlError } from '../sql/sqlcard.ts';
import { isFailure, type Query, truncated } from './query.ts';
import { incomplete, Refusals, type Settle } from './replies.ts';
import { type Exchange, unexpected } from './transport.ts';

/** Reads the reply to OPNQRY or CNTQRY; resolves when all of it is in `query`. */
export class QueryReply implements Exchange {
  readonly lastCorrelation: number;
  readonly #query: Query;
  readonly #isFirst: boolean;
  readonly #settle: Settle<void>;
  readonly #refusals = new Refusals();
  #blockBytes = 0;

  /**
   * `isFirst`: the reply is to OPNQRY, which a server may answer without rows. `commands`: 2 if a commit is chained to
   * it.
   */
  constructor(query: Query, isFirst: boolean, settle: Settle<void>, commands = 1) {
    this.lastCorrelation = commands;
    this.#query = query;
    this.#isFirst = isFirst;
    this.#settle = settle;
  }

  take(codePoint: number, buffer: Buffer, start: number, end: number): void {
    switch (codePoint) {
      case codePoints.OPNQRYRM:
        readObjects(buffer, start, end, (inner, bytes, from, to) => {
          if (inner === codePoints.QRYINSID) this.#query.instance = Buffer.from(bytes.subarray(from, to));
        });
        return;
      case codePoints.QRYDSC:
        this.#query.describe(buffer, start, end);
        return;
      case codePoints.QRYDTA: {
        this.#blockBytes += end - start;
        const error = this.#query.block(buffer, start, end);
        if (error !== null) this.#refusals.sql ??= error;
        return;
      }
      case codePoints.EXTDTA:
        this.#query.lob(buffer, start, end);
        return;
      case codePoints.ENDQRYRM:
        this.#query.isOver = true;
        return;
      // Derby reports that the statement's result has changed its shape since it was prepared. QRYDSC has the new
      // shape.
      case codePoints.SQLDARD:
        return;
      case codePoints.SQLCARD: {
        const card = readSqlcard(buffer, start, end, this.#query.limits.messageCharacters);
        if (card !== null && isFailure(card)) this.#refusals.sql ??= sqlError(card);
        return;
      }
      default:
        if (!this.#refusals.note(codePoint, buffer, start, end)) throw unexpected(codePoint);
    }
  }

  done(): void {
    const error = this.#refusals.error ?? this.#query.check() ?? this.#missing();
    if (error === null) {
      this.#settle.resolve();
      return;
    }
    // Servers close a query that fails, but not a query whose values they cut off.
    if (error.sqlState !== truncated) this.#query.isOver = true;
    this.#settle.reject(error);
  }

  /** A block has to bring something: a server could otherwise keep a client asking for ever. */
  #missing(): DrdaError | null {
    if (!this.#query.isDescribed) return incomplete('QRYDSC', codePoints.QRYDSC);
    if (this.#isFirst || this.#query.isOver || this.#blockBytes > 0) return null;
    return incomplete('QRYDTA', codePoints.QRYDTA);
  }

  fail(error: DrdaError): void {
    this.#query.isOver = true;
    this.#settle.reject(error);
  }
}
