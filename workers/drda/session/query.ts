import { ByteReader } from '../bytes/byte-reader.ts';
import { codePoints } from '../ddm/code-points.ts';
import { DrdaError } from '../errors.ts';
import { readDescriptor } from '../fdoca/descriptor.ts';
import { cutOff, type LobPlace, lobValue, type Row, RowReader } from '../fdoca/rows.ts';
import type { Limits } from '../limits.ts';
import { readSqlca, type Sqlca, sqlError } from '../sql/sqlcard.ts';
import type { ServerDialect } from './dialect.ts';
import { incomplete } from './replies.ts';
import { unexpected } from './transport.ts';

/** The state of an open query: the content of its replies, block after block. */
export class Query {
  readonly limits: Limits;
  readonly #dialect: ServerDialect;
  /** QRYINSID, by which the server knows the open query. */
  instance: Buffer = Buffer.alloc(8);
  /** The server has closed the query, after its last row or because of an error. */
  isOver = false;
  #rows: Row[] = [];
  #reader: RowReader | null = null;
  #rest: Buffer | null = null;
  #lobs: LobPlace[] = [];
  #lobsTaken = 0;

  constructor(limits: Limits, dialect: ServerDialect) {
    this.limits = limits;
    this.#dialect = dialect;
  }

  get isDescribed(): boolean {
    return this.#reader !== null;
  }

  takeRows(): Row[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  describe(buffer: Buffer, start: number, end: number): void {
    const from = new ByteReader(buffer, start, end, 'QRYDSC', codePoints.QRYDSC);
    const columns = readDescriptor(from, this.limits.columns);
    this.#reader = new RowReader(columns, this.#dialect.charsCounted, malformed);
  }

  /**
   * Reads a block of rows (QRYDTA). Each row has an SQLCAGRP (null but for warnings and the end), a null indicator and
   * its values. A row may start in one block and end in the next one. Returns the first error that a row has in place
   * of values, or a value that was cut off.
   */
  block(buffer: Buffer, start: number, end: number): DrdaError | null {
    const reader = this.#reader;
    if (reader === null) throw malformed('comes before its description');
    if (this.#rest === null) {
      reader.buffer = buffer;
      reader.at = start;
      reader.end = end;
    } else {
      reader.buffer = Buffer.concat([this.#rest, buffer.subarray(start, end)]);
      reader.at = 0;
      reader.end = reader.buffer.length;
      this.#rest = null;
    }
    let error: DrdaError | null = null;
    while (reader.at < reader.end && !this.isOver) {
      const rowAt = reader.at;
      const lobs = this.#lobs.length;
      try {
        error = this.#row(reader) ?? error;
      } catch (thrown) {
        if (thrown !== cutOff) throw thrown;
        this.#lobs.length = lobs;
        this.#rest = Buffer.from(reader.buffer.subarray(rowAt, reader.end));
        if (this.#rest.length > this.limits.objectBytes)
          throw new DrdaError('limit', `The server sent a row of more than ${this.limits.objectBytes} bytes.`);
        break;
      }
    }
    return error;
  }

  #row(reader: RowReader): DrdaError | null {
    let error: DrdaError | null = null;
    if (reader.buffer[reader.at] === 0xff) reader.at++;
    else {
      const sqlca = this.#status(reader);
      if (sqlca !== null && sqlca.sqlCode === endOfRows) {
        this.isOver = true;
        return null;
      }
      if (sqlca !== null && isFailure(sqlca)) error = sqlError(sqlca);
    }
    if (reader.at >= reader.end) throw cutOff;
    if (reader.buffer[reader.at++]! < 0x80) this.#rows.push(reader.row(this.#lobs));
    return error;
  }

  #status(reader: RowReader): Sqlca | null {
    const from = new ByteReader(reader.buffer, reader.at, reader.end, 'QRYDTA', codePoints.QRYDTA);
    try {
      const sqlca = readSqlca(from, this.limits.messageCharacters);
      reader.at = from.at;
      return sqlca;
    } catch {
      throw cutOff;
    }
  }

  /** Reads an EXTDTA: the next LOB of the rows before it. */
  lob(buffer: Buffer, start: number, end: number): void {
    const place = this.#lobs[this.#lobsTaken++];
    if (place === undefined) throw unexpected(codePoints.EXTDTA);
    place.row[place.column] = lobValue(place, buffer, start, end);
  }

  /** At the end of a reply all its LOBs have to be there, and nothing of another row behind the last one. */
  check(): DrdaError | null {
    const missing = this.#lobsTaken < this.#lobs.length;
    this.#lobs = [];
    this.#lobsTaken = 0;
    if (missing) return incomplete('EXTDTA', codePoints.EXTDTA);
    return this.isOver && this.#rest !== null ? malformed('ends within a row') : null;
  }
}

/** The SQLCODE after the last row. */
const endOfRows = 100;
/** The SQLSTATE of a warning: the server cut a value off, as Derby does with text beyond 64 KiB. */
export const truncated = '01004';

export const isFailure = ({ sqlCode, sqlState }: Sqlca): boolean => sqlCode < 0 || sqlState === truncated;

const malformed = (words: string): DrdaError =>
  new DrdaError('protocol', `Malformed reply: QRYDTA ${words}.`, { codePoint: codePoints.QRYDTA });
