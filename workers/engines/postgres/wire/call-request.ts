/*
 * Private members of pg that this file uses; driver-privates.test.ts has a contract for each:
 * Connection.parsedStatements, Connection.sendCopyFail, Submittable.submit, Submittable.callback,
 * Submittable.handleCommandComplete, Submittable.handleCopyInResponse, Submittable.handleError,
 * Submittable.handleReadyForQuery.
 */
import type pg from 'pg';
import type { Caller } from '#engine-api/operation.ts';
import { parse, simpleQueryType } from './messages.ts';
import { Answer, type AnswerColumn } from './requests.ts';

/** A statement with a name, which the server parses with its first call. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
  readonly types: readonly number[];
}

/** Texts of the statements that a connection has parsed, by name; `pg` keeps them. */
export type ParsedStatements = Record<string, string>;

/** A call on the lean path: its messages, its caller, and the part of the answer that it wants. */
export class CallRequest extends Answer {
  next: CallRequest | null = null;
  /** The call is answered by its CommandComplete, because the Sync follows with another request. */
  endsAtComplete = false;
  isParsed = false;
  failure: unknown = null;
  /** Its caller is told by tell(), because the transaction around it is not committed yet. */
  isHeldBack = false;
  /** The bodies of the first DataRows, as many as are wanted, and their columns, if the messages ask for them. */
  readonly #kept: Buffer[] = [];
  columns: readonly AnswerColumn[] | null = null;
  readonly #caller: Caller<number | null>;
  readonly #messages: Uint8Array;
  readonly #statement: NamedStatement | null;
  readonly #wantedRows: number;
  /** The record in which this request has noted the statement as parsed. */
  #notedIn: ParsedStatements | null = null;

  constructor(
    messages: Uint8Array,
    caller: Caller<number | null>,
    statement: NamedStatement | null = null,
    wantedRows = 0,
  ) {
    super();
    this.#caller = caller;
    this.#messages = messages;
    this.#statement = statement;
    this.#wantedRows = wantedRows;
  }

  /** The messages of the call; the statement is among them if it has not been parsed yet. */
  messagesFor(parsed: ParsedStatements): Uint8Array {
    const statement = this.#statement;
    if (statement === null || parsed[statement.name] !== undefined) return this.#messages;
    parsed[statement.name] = statement.text;
    this.#notedIn = parsed;
    return Buffer.concat([parse(statement.name, statement.text, statement.types), this.#messages]);
  }

  /** True if the request itself reads messages of this type. */
  wants(type: number): boolean {
    return this.#kept.length < this.#wantedRows && (type === rowDescription || type === dataRow);
  }

  /**
   * Reads the body of a CommandComplete: "INSERT 0 5", "SELECT 5". Others have no number. `end`: the position behind
   * its zero.
   */
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

  /** Keeps the body of a DataRow. */
  keepRow(bytes: Buffer, from: number, end: number): void {
    this.#kept.push(Buffer.from(bytes.subarray(from, end)));
  }

  /** The kept rows, whose values are text. */
  rowsAsText(): readonly (readonly (string | null)[])[] {
    return this.#kept.map((bytes) => {
      let at = 2;
      return Array.from({ length: bytes.readUInt16BE(0) }, () => {
        const length = bytes.readInt32BE(at);
        at += 4;
        if (length < 0) return null;
        at += length;
        return bytes.toString('utf8', at - length, at);
      });
    });
  }

  /** Reads the body of a RowDescription: the name and 18 more bytes of each column, of which 7 to 10 are its type. */
  readColumns(bytes: Buffer, from: number): void {
    let at = from + 2;
    this.columns = Array.from({ length: bytes.readUInt16BE(from) }, () => {
      const end = bytes.indexOf(0, at);
      const name = bytes.toString('utf8', at, end);
      at = end + 19;
      return { name, dataTypeID: bytes.readUInt32BE(end + 7) };
    });
  }

  /** The driver only reads the rest of the answer: the request has been sent. */
  submit(): void {}

  /** The caller is told once nothing is being read or sent any more, because it may send its next call at once. */
  handleError(error: unknown): void {
    this.failure = error;
    if (this.#notedIn !== null && !this.isParsed) delete this.#notedIn[this.#statement!.name];
    if (!this.isHeldBack) process.nextTick(() => this.#caller.failed(error));
  }

  handleReadyForQuery(): void {
    if (!this.isHeldBack) this.#caller.answered(this.touched);
  }

  /** Answers a call that was held back. `failure`: its transaction could not be committed. */
  tell(failure: unknown): void {
    if (this.failure !== null) this.#caller.failed(this.failure);
    else if (failure !== null) this.#caller.failed(failure);
    else this.#caller.answered(this.touched);
  }

  /**
   * COPY FROM STDIN in a custom statement. While it waits for rows, the server drops the Sync of the extended protocol;
   * a simple query has none, and the server would answer one more.
   */
  handleCopyInResponse(connection: pg.Connection & { sendCopyFail(why: string): void }): void {
    connection.sendCopyFail('There are no rows to copy.');
    if (this.#messages[0] !== simpleQueryType) connection.sync();
  }
}

const [rowDescription, dataRow] = [0x54, 0x44];
