import type { ByteWriter } from '../bytes/byte-writer.ts';
import { plainDecimal, writePacked } from './decimal.ts';
import type { WireColumn } from './descriptor.ts';
import { writeDate, writeTime, writeTimestamp } from './temporal.ts';
import { fdoca } from './types.ts';

/**
 * The values that go in and come out. Decimals, dates, times and timestamps are strings, so that they stay exact;
 * integers are numbers, or bigints beyond 2^53 - 1; FOR BIT DATA and BLOB are bytes.
 */
export type Value = null | boolean | number | bigint | string | Uint8Array;

/** Types with null indicators have odd numbers; every parameter is sent as nullable. */
export const nullable = 1;
/** Longer text or bytes do not fit into a parameter and are sent as a LOB. */
const longestInline = 32_700;
/** The length of a LOB takes four bytes (DRDA Volume 1: "placeholder"); its bytes follow in an EXTDTA. */
const lobLength = 0x8004;

export const characterLob: WireColumn = { type: fdoca.mixedClob | nullable, length: lobLength };
export const byteLob: WireColumn = { type: fdoca.blob | nullable, length: lobLength };

/** The bytes of a value that go into an EXTDTA of their own; null if they are in the row. */
export type Lob = Uint8Array | null;

/**
 * Writes a value that is not null, without its null indicator. A LOB's bytes are returned, to be sent after the row.
 * Throws a RangeError that says what is wrong without repeating the value.
 */
export function writeValue(to: ByteWriter, column: WireColumn, value: Exclude<Value, null>): Lob {
  switch (column.type & ~1) {
    case fdoca.smallint: {
      const number = typeof value === 'boolean' ? Number(value) : integer(value, -0x8000, 0x7fff);
      to.ensure(2);
      to.length = to.buffer.writeInt16BE(number, to.length);
      return null;
    }
    case fdoca.integer:
      to.i32(integer(value, -0x80000000, 0x7fffffff));
      return null;
    case fdoca.bigint:
      writeBigint(to, value);
      return null;
    case fdoca.double:
      to.f64(float(value));
      return null;
    case fdoca.real: {
      const number = float(value);
      if (Number.isFinite(number) && !Number.isFinite(Math.fround(number))) throw new RangeError('beyond a REAL');
      to.f32(number);
      return null;
    }
    case fdoca.decimal: {
      const precision = column.length >> 8;
      const scale = column.length & 0xff;
      if (!writePacked(to, decimalText(value), precision, scale))
        throw new RangeError(`no DECIMAL(${precision}, ${scale})`);
      return null;
    }
    case fdoca.date:
      if (!writeDate(to, text(value))) throw new RangeError('no date of the form YYYY-MM-DD');
      return null;
    case fdoca.time:
      if (!writeTime(to, text(value))) throw new RangeError('no time of the form HH:MM:SS');
      return null;
    case fdoca.timestamp:
      if (!writeTimestamp(to, text(value), column.length))
        throw new RangeError(
          `no timestamp of the form YYYY-MM-DD HH:MM:SS, or one with more than ${column.length - 20} digits of a second`,
        );
      return null;
    case fdoca.boolean:
      if (typeof value !== 'boolean') throw new RangeError('no boolean');
      to.u8(value ? 1 : 0);
      return null;
    case fdoca.mixedVarchar:
    case fdoca.mixedLongVarchar:
      writeText(to, text(value));
      return null;
    case fdoca.varBytes:
    case fdoca.longVarBytes: {
      const content = bytes(value);
      to.u16(content.length);
      to.bytes(content);
      return null;
    }
    case fdoca.blob:
      return writeLob(to, bytes(value));
    case fdoca.mixedClob:
      return writeLob(to, Buffer.from(wellFormed(text(value)), 'utf8'));
    default:
      throw new RangeError('of a type that cannot be sent');
  }
}

/** The descriptor that a value needs: the parameter's own, or a LOB's for text or bytes that are too long for it. */
export function columnFor(column: WireColumn, value: Value): WireColumn {
  switch (column.type & ~1) {
    case fdoca.mixedVarchar:
    case fdoca.mixedLongVarchar:
      if (typeof value !== 'string' || value.length * 3 <= longestInline) return column;
      return Buffer.byteLength(value, 'utf8') <= longestInline ? column : characterLob;
    case fdoca.varBytes:
    case fdoca.longVarBytes:
      return value instanceof Uint8Array && value.length > longestInline ? byteLob : column;
    default:
      return column;
  }
}

function integer(value: Exclude<Value, null>, least: number, most: number): number {
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw new RangeError('no integer');
  if (number < least || number > most) throw new RangeError(`not between ${least} and ${most}`);
  return number;
}

function writeBigint(to: ByteWriter, value: Exclude<Value, null>): void {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RangeError('no integer, or a number beyond 2^53 - 1: give a bigint');
    to.ensure(8);
    const high = Math.floor(value / 0x1_0000_0000);
    to.length = to.buffer.writeInt32BE(high, to.length);
    to.length = to.buffer.writeUInt32BE(value - high * 0x1_0000_0000, to.length);
    return;
  }
  if (typeof value !== 'bigint') throw new RangeError('no integer');
  if (BigInt.asIntN(64, value) !== value) throw new RangeError('beyond 64 bits');
  to.i64(value);
}

/** A bigint or a decimal becomes the nearest double, as the server would convert it. */
function float(value: Exclude<Value, null>): number {
  if (typeof value === 'bigint' || (typeof value === 'string' && /^[+-]?\d+(\.\d*)?$/.test(value)))
    return Number(value);
  if (typeof value !== 'number') throw new RangeError('no number');
  return value;
}

function decimalText(value: Exclude<Value, null>): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return plainDecimal(value);
  if (typeof value === 'bigint') return String(value);
  throw new RangeError('no decimal');
}

function text(value: Exclude<Value, null>): string {
  if (typeof value !== 'string') throw new RangeError('no string');
  return value;
}

function bytes(value: Exclude<Value, null>): Uint8Array {
  if (!(value instanceof Uint8Array)) throw new RangeError('no bytes (Uint8Array)');
  return value;
}

/** UTF-8 cannot hold half of a surrogate pair: the runtime would write U+FFFD. */
function wellFormed(value: string): string {
  if (!value.isWellFormed()) throw new RangeError('text with half a surrogate pair');
  return value;
}

function writeText(to: ByteWriter, value: string): void {
  const start = to.length;
  to.u16(0);
  to.utf8(value);
  const written = to.length - start - 2;
  if (written !== value.length) wellFormed(value);
  to.patchU16(start, written);
}

function writeLob(to: ByteWriter, content: Uint8Array): Lob {
  to.u32(content.length);
  return content.length > 0 ? content : null;
}
