import type { DrdaError } from '../errors.ts';
import { packedBytes, readPacked } from './decimal.ts';
import type { WireColumn } from './descriptor.ts';
import type { Value } from './parameters.ts';
import { timestampText } from './temporal.ts';
import { fdoca } from './types.ts';

/** A decoded row. The place of a LOB holds null until its EXTDTA arrives. */
export type Row = readonly Value[];

/** A LOB of a row. Its bytes come in an EXTDTA of their own. */
export interface LobPlace {
  readonly row: Value[];
  readonly column: number;
  readonly text: boolean;
  /** An EXTDTA starts with a null indicator if the column is nullable. */
  readonly nullable: boolean;
}

const fixedLength = new Set<number>([
  ...[fdoca.date, fdoca.time, fdoca.timestamp],
  ...[fdoca.char, fdoca.mixedChar, fdoca.fixedBytes],
]);

/** Signals that a row goes on in the next block. It is no error, and so has no stack. */
export const cutOff: unique symbol = Symbol('cut off');

/**
 * Decodes the values of rows out of blocks. `at` is the start of the next value. Throws `cutOff` if a value reaches
 * beyond `end`; the caller then continues the row in the next block.
 */
export class RowReader {
  readonly #types: Uint8Array;
  readonly #lengths: Uint16Array;
  readonly #charsCounted: boolean;
  readonly #malformed: (words: string) => DrdaError;
  buffer: Buffer = Buffer.alloc(0);
  at = 0;
  end = 0;

  /** `charsCounted`: the lengths of CHAR columns count characters (UTF-16 units) instead of bytes. */
  constructor(columns: readonly WireColumn[], charsCounted: boolean, malformed: (words: string) => DrdaError) {
    this.#types = new Uint8Array(columns.length);
    this.#lengths = new Uint16Array(columns.length);
    for (let column = 0; column < columns.length; column++) {
      const { type, length } = columns[column]!;
      // Each value takes at least one byte, so that few bytes cannot claim to be many rows of many columns.
      if (length === 0 && fixedLength.has(type & ~1)) throw malformed('has a column of length 0');
      this.#types[column] = type;
      this.#lengths[column] = length;
    }
    this.#charsCounted = charsCounted;
    this.#malformed = malformed;
  }

  /** Reads the values of one row; LOBs whose bytes come later are added to `lobs`. */
  row(lobs: LobPlace[]): Value[] {
    const count = this.#types.length;
    const row: Value[] = new Array(count);
    for (let column = 0; column < count; column++) {
      const type = this.#types[column]!;
      if ((type & 1) === 1 && this.buffer[this.#take(1)]! >= 0x80) row[column] = null;
      else row[column] = this.#value(type, this.#lengths[column]!, row, column, lobs);
    }
    return row;
  }

  #take(bytes: number): number {
    const start = this.at;
    if (bytes > this.end - start) throw cutOff;
    this.at = start + bytes;
    return start;
  }

  #value(type: number, length: number, row: Value[], column: number, lobs: LobPlace[]): Value {
    switch (type & ~1) {
      case fdoca.integer:
        return this.buffer.readInt32BE(this.#take(4));
      case fdoca.smallint:
        return this.buffer.readInt16BE(this.#take(2));
      case fdoca.tinyint:
        return this.buffer.readInt8(this.#take(1));
      case fdoca.bigint:
        return this.#bigint(this.#take(8));
      case fdoca.double:
        return this.buffer.readDoubleBE(this.#take(8));
      case fdoca.real:
        return this.buffer.readFloatBE(this.#take(4));
      case fdoca.decimal: {
        const precision = length >> 8;
        const scale = length & 0xff;
        if (scale > precision) throw this.#malformed('has a decimal with more digits behind the point than it has');
        const text = readPacked(this.buffer, this.#take(packedBytes(precision)), precision, scale);
        if (text === null) throw this.#malformed('has a decimal that is none');
        return text;
      }
      case fdoca.date:
      case fdoca.time:
        return this.#latin1(length);
      case fdoca.timestamp:
        return timestampText(this.#latin1(length));
      case fdoca.boolean:
        return this.buffer[this.#take(1)] !== 0;
      case fdoca.char:
      case fdoca.mixedChar:
        return this.#utf8(this.#charsCounted ? this.#bytesOfCharacters(length) : length);
      case fdoca.varchar:
      case fdoca.longVarchar:
      case fdoca.mixedVarchar:
      case fdoca.mixedLongVarchar:
        return this.#utf8(this.buffer.readUInt16BE(this.#take(2)));
      case fdoca.fixedBytes:
        return this.#bytes(length);
      case fdoca.varBytes:
      case fdoca.longVarBytes:
      case fdoca.udt:
        return this.#bytes(this.buffer.readUInt16BE(this.#take(2)));
      case fdoca.blob:
      case fdoca.clob:
      case fdoca.mixedClob:
        return this.#lob(type, length, row, column, lobs);
      default:
        throw this.#malformed(`has a column of type 0x${type.toString(16)}, which this client cannot read`);
    }
  }

  /** Values are numbers where a number is exact, as nearly all are, because bigints are slow. */
  #bigint(at: number): number | bigint {
    const high = this.buffer.readInt32BE(at);
    if (high >= -0x20_0000 && high < 0x20_0000) {
      const value = high * 0x1_0000_0000 + this.buffer.readUInt32BE(at + 4);
      if (Number.isSafeInteger(value)) return value;
    }
    return this.buffer.readBigInt64BE(at);
  }

  #latin1(bytes: number): string {
    const start = this.#take(bytes);
    return this.buffer.toString('latin1', start, start + bytes);
  }

  #utf8(bytes: number): string {
    const start = this.#take(bytes);
    return this.buffer.toString('utf8', start, start + bytes);
  }

  /**
   * The number of UTF-8 bytes of the next `count` UTF-16 units. A cut-off or malformed character is taken as it comes.
   */
  #bytesOfCharacters(count: number): number {
    let at = this.at;
    for (let units = 0; units < count; ) {
      if (at >= this.end) throw cutOff;
      const lead = this.buffer[at]!;
      const bytes = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
      at += bytes;
      units += bytes === 4 ? 2 : 1;
    }
    return at - this.at;
  }

  /** The bytes are copied, because the block's buffer is much larger than the value. */
  #bytes(bytes: number): Uint8Array {
    const start = this.#take(bytes);
    return new Uint8Array(this.buffer.subarray(start, start + bytes));
  }

  /** The row has only the LOB's length (0x8000… if the server does not know it yet). An empty LOB has no EXTDTA. */
  #lob(type: number, placeholder: number, row: Value[], column: number, lobs: LobPlace[]): Value {
    const bytes = placeholder & 0x7fff;
    if (bytes < 1 || bytes > 8) throw this.#malformed('has a LOB with a length of a strange length');
    const start = this.#take(bytes);
    const text = (type & ~1) !== fdoca.blob;
    for (let at = start; at < start + bytes; at++)
      if (this.buffer[at] !== 0) {
        lobs.push({ row, column, text, nullable: (type & 1) === 1 });
        return null;
      }
    return text ? '' : new Uint8Array(0);
  }
}

/** The value of an EXTDTA. */
export function lobValue({ text, nullable }: LobPlace, buffer: Buffer, start: number, end: number): Value {
  const from = nullable ? start + 1 : start;
  if (nullable && (start === end || buffer[start]! >= 0x80)) return null;
  return text ? buffer.toString('utf8', from, end) : new Uint8Array(buffer.subarray(from, end));
}
