import { codePoints } from '../ddm/code-points.ts';
import { readObjects } from '../ddm/read-objects.ts';
import type { DrdaError } from '../errors.ts';
import type { Row } from '../fdoca/rows.ts';
import type { Limits } from '../limits.ts';
import { readSqlcard, sqlError } from '../sql/sqlcard.ts';
import type { ServerDialect } from './dialect.ts';
import { Query } from './query.ts';
import { incomplete, Refusals, type Settle } from './replies.ts';
import { type Exchange, unexpected } from './transport.ts';

/** The reply to EXCSQLSTT of a CALL with OUTEXP: SQLDTARD, the parameters as a row that brings its own description. */
export class CallReply implements Exchange {
  readonly lastCorrelation = 1;
  readonly #output: Query;
  readonly #limits: Limits;
  readonly #settle: Settle<Row>;
  readonly #refusals = new Refusals();

  constructor(limits: Limits, dialect: ServerDialect, settle: Settle<Row>) {
    this.#limits = limits;
    this.#output = new Query(limits, dialect);
    this.#settle = settle;
  }

  take(codePoint: number, buffer: Buffer, start: number, end: number): void {
    if (codePoint === codePoints.SQLDTARD) readObjects(buffer, start, end, this.#part);
    else if (codePoint === codePoints.EXTDTA) this.#output.lob(buffer, start, end);
    else if (codePoint === codePoints.SQLCARD) {
      const card = readSqlcard(buffer, start, end, this.#limits.messageCharacters);
      if (card !== null && card.sqlCode < 0) this.#refusals.sql ??= sqlError(card);
    } else if (!this.#refusals.note(codePoint, buffer, start, end)) throw unexpected(codePoint);
  }

  readonly #part = (codePoint: number, buffer: Buffer, start: number, end: number): void => {
    if (codePoint === codePoints.FDODSC) this.#output.describe(buffer, start, end);
    else if (codePoint === codePoints.FDODTA) this.#refusals.sql ??= this.#output.block(buffer, start, end);
    else throw unexpected(codePoint);
  };

  done(): void {
    const [row] = this.#output.takeRows();
    const error = this.#refusals.error ?? this.#output.check();
    if (error !== null) this.#settle.reject(error);
    else if (row === undefined) this.#settle.reject(incomplete('SQLDTARD', codePoints.SQLDTARD));
    else this.#settle.resolve(row);
  }

  fail(error: DrdaError): void {
    this.#settle.reject(error);
  }
}
