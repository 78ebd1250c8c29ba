/*
 * Private members of pg that this file uses; driver-privates.test.ts has a contract for each:
 * Connection.parsedStatements, Connection.sendCopyFail, Submittable.submit, Submittable.callback,
 * Submittable.handleCommandComplete, Submittable.handleCopyInResponse, Submittable.handleError,
 * Submittable.handleReadyForQuery.
 */
import type pg from 'pg';
import type { Caller } from '#engine-api/operation.ts';
import { parse, simpleQueryType } from './messages.ts';
import { Answer } from './requests.ts';

/** A statement with a name, which the server parses with its first call. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly types: readonly number[];
}

/** Texts of the statements that a connection has parsed, by name; `pg` keeps them. */
export type ParsedStatements = Record<string, string>;

/** A call on the lean path: one message after another, who waits for the answer, and what it wants of it. */
export class CallRequest extends Answer {
  next: CallRequest | null = null;
  /** Answered by its CommandComplete: the Sync follows with another request. */
  endsAtComplete = false;
  isParsed = false;
  failure: unknown = null;
  /** Its caller hears of it by tell(): the transaction around it is not committed yet. */
  isHeldBack = false;
  /** The first row, if there is one and it is wanted, and the names of its columns, if the messages ask for them. */
  row: readonly (string | null)[] | null = null;
  columns: readonly string[] | null = null;
  readonly #caller: Caller<number | null>;
  readonly #messages: Uint8Array;
  readonly #statement: NamedStatement | null;
  readonly #wantsFirst: boolean;
  /** The set in which this request notes the statement as parsed. */
  #notedIn: ParsedStatements | null = null;

  constructor(
    messages: Uint8Array,
    caller: Caller<number | null>,
    statement: NamedStatement | null = null,
    wantsFirst = false,
  ) {
    super();
    this.#caller = caller;
    this.#messages = messages;
    this.#statement = statement;
    this.#wantsFirst = wantsFirst;
  }

  /** The messages of the call: with the statement if it has not been parsed so far. */
  messagesFor(parsed: ParsedStatements): Uint8Array {
    const statement = this.#statement;
    if (statement === null || parsed[statement.name] !== undefined) return this.#messages;
    parsed[statement.name] = statement.text;
    this.#notedIn = parsed;
    return Buffer.concat([parse(statement.name, statement.text, statement.types), this.#messages]);
  }

  /** True if its next message is one that it reads and has this type. */
  wants(type: number): boolean {
    return this.#wantsFirst && this.row === null && (type === rowDescription || type === dataRow);
  }

  /** The body of a CommandComplete: "INSERT 0 5", "SELECT 5"; of others there is no number. `end`: behind its zero. */
  readTag(bytes: Uint8Array, end: number): void {
    let number = 0;
    let unit = 1;
    for (let at = end - 2; ; at--) {
      const digit = bytes[at]! - 0x30;
      if (digit < 0 || digit > 9) {
        if (unit === 1 || bytes[at] !== 0x20) return;
        this.rows += number;
        this.isCounted = true;
        return;
      }
      number += digit * unit;
      unit *= 10;
    }
  }

  /** The body of a DataRow, whose values are text. */
  readRow(bytes: Buffer, from: number): void {
    let at = from + 2;
    this.row = Array.from({ length: bytes.readUInt16BE(from) }, () => {
      const length = bytes.readInt32BE(at);
      at += 4;
      if (length < 0) return null;
      at += length;
      return bytes.toString('utf8', at - length, at);
    });
  }

  /** The body of a RowDescription: names, and 18 bytes more of each column. */
  readColumns(bytes: Buffer, from: number): void {
    let at = from + 2;
    this.columns = Array.from({ length: bytes.readUInt16BE(from) }, () => {
      const end = bytes.indexOf(0, at);
      const name = bytes.toString('utf8', at, end);
      at = end + 19;
      return name;
    });
  }

  /** The driver reads the rest of its answer: it has been sent. */
  submit(): void {}

  /** The caller hears of it when nothing is being read or sent any more, for it may send its next call at once. */
  handleError(error: unknown): void {
    this.failure = error;
    if (this.#notedIn !== null && !this.isParsed) delete this.#notedIn[this.#statement!.name];
    if (!this.isHeldBack) process.nextTick(() => this.#caller.failed(error));
  }

  handleReadyForQuery(): void {
    if (!this.isHeldBack) this.#caller.answered(this.touched);
  }

  /** Answers a call that was held back; `failure`: its transaction could not be committed. */
  tell(failure: unknown): void {
    if (this.failure !== null) this.#caller.failed(this.failure);
    else if (failure !== null) this.#caller.failed(failure);
    else this.#caller.answered(this.touched);
  }

  /**
   * COPY FROM STDIN among statements of the user's own. While it waits for rows the server drops the Sync of the
   * extended protocol; a simple query has none, and one more would be answered, too.
   */
  handleCopyInResponse(connection: pg.Connection & { sendCopyFail(why: string): void }): void {
    connection.sendCopyFail('There are no rows to copy.');
    if (this.#messages[0] !== simpleQueryType) connection.sync();
  }
}

const [rowDescription, dataRow] = [0x54, 0x44];
