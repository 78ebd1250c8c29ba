import { codePoints } from '../ddm/code-points.ts';
import { replyError, saysNo } from '../ddm/reply-messages.ts';
import { DrdaError } from '../errors.ts';
import type { Limits } from '../limits.ts';
import type { Column } from '../sql/columns.ts';
import { readSqlcard, rowsChangedFast, sqlError } from '../sql/sqlcard.ts';
import { readSqldard } from '../sql/sqldard.ts';
import { type Exchange, unexpected } from './transport.ts';

/** Objects that can come with any reply and are ignored: the state of the transaction, types, Derby's session data. */
const ignored = new Set<number>([
  codePoints.RDBUPDRM,
  codePoints.ENDUOWRM,
  codePoints.TYPDEFNAM,
  codePoints.TYPDEFOVR,
  codePoints.MGRLVLLS,
  codePoints.PBSD,
]);

/** The errors of a reply. SQL errors come first, because a reply message beside one only says that there is one. */
export class Refusals {
  sql: DrdaError | null = null;
  message: DrdaError | null = null;

  /** True if any reply may hold the object. */
  note(codePoint: number, buffer: Buffer, start: number, end: number): boolean {
    if (ignored.has(codePoint)) return true;
    if (!saysNo(codePoint)) return false;
    this.message ??= replyError(codePoint, buffer, start, end);
    return true;
  }

  get error(): DrdaError | null {
    return this.sql ?? this.message;
  }
}

export interface Settle<Result> {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: DrdaError) => void;
}

/**
 * Reads the reply to changes, commit and rollback: an SQLCARD for each command. Resolves with the number of changed
 * rows.
 */
export class ChangesReply implements Exchange {
  readonly lastCorrelation: number;
  readonly #commands: number;
  readonly #firstRow: number | null;
  readonly #limits: Limits;
  readonly #settle: Settle<number>;
  readonly #refusals = new Refusals();
  #cards = 0;
  #rowsChanged = 0;

  /** `firstRow`: the row of the first command; null if commands carry no rows. */
  constructor(commands: number, firstRow: number | null, limits: Limits, settle: Settle<number>) {
    this.lastCorrelation = commands;
    this.#commands = commands;
    this.#firstRow = firstRow;
    this.#limits = limits;
    this.#settle = settle;
  }

  take(codePoint: number, buffer: Buffer, start: number, end: number, correlation: number): void {
    if (codePoint !== codePoints.SQLCARD) {
      if (!this.#refusals.note(codePoint, buffer, start, end)) throw unexpected(codePoint);
      return;
    }
    this.#cards++;
    const rows = rowsChangedFast(buffer, start, end);
    if (rows !== undefined) {
      this.#rowsChanged += rows;
      return;
    }
    const card = readSqlcard(buffer, start, end, this.#limits.messageCharacters);
    if (card === null) return;
    if (card.sqlCode >= 0) this.#rowsChanged += card.rowsChanged;
    else this.#refusals.sql ??= sqlError(card, this.#firstRow === null ? null : this.#firstRow + correlation - 1);
  }

  done(): void {
    const { error } = this.#refusals;
    if (error !== null) this.#settle.reject(error);
    else if (this.#cards < this.#commands) this.#settle.reject(incomplete('SQLCARD', codePoints.SQLCARD));
    else this.#settle.resolve(this.#rowsChanged);
  }

  fail(error: DrdaError): void {
    this.#settle.reject(error);
  }
}

export interface Prepared {
  readonly columns: readonly Column[];
  readonly parameters: readonly Column[];
}

/**
 * Reads the reply to PRPSQLSTT and DSCSQLSTT: the description of the result, or an SQLCARD, and that of the parameters.
 */
export class PrepareReply implements Exchange {
  readonly lastCorrelation = 2;
  readonly #limits: Limits;
  readonly #settle: Settle<Prepared>;
  readonly #refusals = new Refusals();
  #columns: readonly Column[] = [];
  #parameters: readonly Column[] | null = null;

  constructor(limits: Limits, settle: Settle<Prepared>) {
    this.#limits = limits;
    this.#settle = settle;
  }

  take(codePoint: number, buffer: Buffer, start: number, end: number, correlation: number): void {
    if (codePoint === codePoints.SQLCARD) {
      const card = readSqlcard(buffer, start, end, this.#limits.messageCharacters);
      if (card !== null && card.sqlCode < 0) this.#refusals.sql ??= sqlError(card);
    } else if (codePoint === codePoints.SQLDARD) {
      const { sqlca, columns } = readSqldard(buffer, start, end, this.#limits);
      if (sqlca !== null && sqlca.sqlCode < 0) this.#refusals.sql ??= sqlError(sqlca);
      else if (correlation === 1) this.#columns = columns;
      else this.#parameters = columns;
    } else if (!this.#refusals.note(codePoint, buffer, start, end)) throw unexpected(codePoint);
  }

  done(): void {
    const { error } = this.#refusals;
    if (error !== null) this.#settle.reject(error);
    else if (this.#parameters === null) this.#settle.reject(incomplete('SQLDARD', codePoints.SQLDARD));
    else this.#settle.resolve({ columns: this.#columns, parameters: this.#parameters });
  }

  fail(error: DrdaError): void {
    this.#settle.reject(error);
  }
}

export function incomplete(what: string, codePoint: number): DrdaError {
  return new DrdaError('protocol', `The server’s reply ended without ${what}.`, { codePoint });
}
