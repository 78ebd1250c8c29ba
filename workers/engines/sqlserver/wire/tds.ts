import type { ColumnVector } from '#model/batch/batch.ts';
import type { ColumnType, ParameterType } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { parseDecimal, rescaled } from '#model/text/exact-decimal.ts';
import { maxBytes, maxWideCharacters } from '../values/values.ts';

/**
 * Values in the form of TDS 7.4 ([MS-TDS] 2.2.5.4 and 2.2.5.5), which is the same in parameters, in rows of a
 * table-valued parameter and in rows of a bulk load. Dyno writes them itself: the driver would make three small buffers
 * for each value and a turn of a stream for each row, inside the call.
 */
export interface WireType {
  /** TYPE_INFO. */
  readonly info: Buffer;
  readonly nullValue: Buffer;
  /** True: long values are sent in chunks (PLP). */
  readonly chunked: boolean;
}

/** Writes the value of a row; returns the position behind it. */
type Put = (to: Buffer, at: number, row: number) => number;

/** The collation of a database, as text columns name it: 5 bytes (2.2.5.1.2). */
export type Collation = Buffer;

const nullByte = Buffer.from([0]);
const nullShort = Buffer.from([0xff, 0xff]);
const nullChunked = Buffer.alloc(8, 0xff);

/** TYPE_INFO of texts and binaries: `length` in bytes. */
function sized(id: number, length: number, collation: Collation | null): WireType {
  const chunked = length > maxBytes;
  const size = Buffer.alloc(2);
  size.writeUInt16LE(chunked ? 0xffff : Math.max(1, length));
  return {
    info: Buffer.concat([Buffer.from([id]), size, collation ?? Buffer.alloc(0)]),
    nullValue: chunked ? nullChunked : nullShort,
    chunked,
  };
}

const plain = (...info: readonly number[]): WireType => ({
  info: Buffer.from(info),
  nullValue: nullByte,
  chunked: false,
});

/** nvarchar(n); longer than 4,000: nvarchar(max). */
export const wideText = (characters: number, collation: Collation): WireType =>
  sized(0xe7, characters > maxWideCharacters ? maxBytes + 1 : 2 * characters, collation);
export const integer32 = plain(0x26, 4);
export const float64 = plain(0x6d, 8);

export function wireType(type: ParameterType, collation: Collation): WireType {
  switch (type.kind) {
    case 'uuid':
      return plain(0x24, 16);
    case 'bigint':
      return plain(0x26, 8);
    case 'text':
      return type.ascii ? sized(0xa7, type.maxLength, collation) : wideText(Math.max(1, type.maxLength), collation);
    case 'decimal':
      return plain(0x6a, decimalBytes(type.precision), type.precision, type.scale);
    case 'timestamp':
      return plain(0x2a, type.nanoseconds ? 7 : 6);
    case 'float':
      return float64;
    case 'boolean':
      return plain(0x68, 1);
    case 'bytes':
      return sized(0xa5, type.maxLength, null);
  }
}

/**
 * Sign and magnitude take these bytes. Values that come as numbers have 15 digits; more than 19 are only declared, for
 * a server that reads the longest form alone.
 */
const decimalBytes = (precision: number): number => (precision <= 9 ? 5 : precision <= 19 ? 9 : 17);

/** The bytes of a value beside its content: a length in front, or a chunk's frame around it. */
const frame = 18;

/** The most bytes of `rows` values. */
export function roomFor(column: ColumnVector, type: ParameterType, rows: number): number {
  if (column.kind === 'number') return rows * frame;
  const bytes = column.kind === 'fixed' ? rows * column.width : column.offsets[rows]! - column.offsets[0]!;
  // One byte of UTF-8 becomes two of UTF-16; no other character grows by more.
  return rows * frame + (type.kind === 'text' && !type.ascii ? 2 * bytes : bytes);
}

/** The function that writes a column's values, nulls included. */
export function valueWriter(column: ColumnVector, type: ParameterType, wire: WireType): Put {
  const put = notNull(column, type, wire);
  const { nulls } = column;
  if (!nulls) return put;
  return (to, at, row) => (nulls[row] === 1 ? at + wire.nullValue.copy(to, at) : put(to, at, row));
}

function notNull(column: ColumnVector, type: ParameterType, wire: WireType): Put {
  if (column.kind === 'number') return numberWriter(column.values, type);
  if (column.kind === 'variable' && (type.kind === 'bigint' || type.kind === 'decimal' || type.kind === 'timestamp'))
    return exactWriter(column, type);
  const { bytes } = column;
  const [start, end] =
    column.kind === 'fixed'
      ? [
          (row: number) => column.offset + row * column.stride,
          (row: number) => column.offset + row * column.stride + column.width,
        ]
      : [(row: number) => column.offsets[row]!, (row: number) => column.offsets[row + 1]!];
  if (type.kind === 'uuid') return (to, at, row) => putUuid(bytes, start(row), to, at);
  const content = type.kind === 'text' && !type.ascii ? putWide : putBytes;
  if (!wire.chunked)
    return (to, at, row) => {
      const behind = content(bytes, start(row), end(row), to, at + 2);
      to.writeUInt16LE(behind - at - 2, at);
      return behind;
    };
  // PLP_BODY: total length, one chunk with its length (none for an empty value), end.
  return (to, at, row) => {
    const from = start(row);
    const until = end(row);
    const behind = from === until ? at + 8 : content(bytes, from, until, to, at + 12);
    const length = from === until ? 0 : behind - at - 12;
    to.writeUInt32LE(length, at);
    to.writeUInt32LE(0, at + 4);
    if (length > 0) to.writeUInt32LE(length, at + 8);
    return to.writeUInt32LE(0, behind);
  };
}

function putBytes(from: Uint8Array, start: number, end: number, to: Buffer, at: number): number {
  if (end - start > 64) {
    to.set(from.subarray(start, end), at);
    return at + end - start;
  }
  let p = at;
  for (let i = start; i < end; i++) to[p++] = from[i]!;
  return p;
}

/** Converts well-formed UTF-8 to UTF-16, little-endian. */
function putWide(from: Uint8Array, start: number, end: number, to: Buffer, at: number): number {
  let p = at;
  for (let i = start; i < end; ) {
    const lead = from[i++]!;
    let code = lead;
    if (lead >= 0xf0) {
      code = ((lead & 7) << 18) | ((from[i++]! & 63) << 12) | ((from[i++]! & 63) << 6) | (from[i++]! & 63);
      code -= 0x10000;
      const high = 0xd800 | (code >> 10);
      to[p++] = high & 255;
      to[p++] = high >> 8;
      code = 0xdc00 | (code & 0x3ff);
    } else if (lead >= 0xe0) code = ((lead & 15) << 12) | ((from[i++]! & 63) << 6) | (from[i++]! & 63);
    else if (lead >= 0xc0) code = ((lead & 31) << 6) | (from[i++]! & 63);
    to[p++] = code & 255;
    to[p++] = code >> 8;
  }
  return p;
}

/** The source of byte i of a uniqueidentifier: its first three fields are little-endian. */
const uuidOrder = [3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15] as const;

function putUuid(from: Uint8Array, start: number, to: Buffer, at: number): number {
  to[at] = 16;
  for (let i = 0; i < 16; i++) to[at + 1 + i] = from[start + uuidOrder[i]!]!;
  return at + 17;
}

const two32 = 2 ** 32;
const dayUs = 86_400_000_000;
/** Days from 0001-01-01, where date types count from, to 1970-01-01. */
const epochDay = 719_162;

const tooExact = (text: string, kind: string): DynoError =>
  new DynoError('badInput', `${text} does not fit into ${kind}, as which it is sent.`, {
    hint: 'Say with `scale` how many digits stand after the point of a decimal that is captured: all others of its 38 stand before.',
  });

/** Numbers and times that come as text, because no JavaScript number can hold them. */
function exactWriter(
  { bytes, offsets }: ColumnVector & { readonly kind: 'variable' },
  type: ColumnType & { readonly kind: 'bigint' | 'decimal' | 'timestamp' },
): Put {
  const textOf = (row: number) => Buffer.from(bytes.subarray(offsets[row], offsets[row + 1])).toString('latin1');
  switch (type.kind) {
    case 'bigint':
      return (to, at, row) => {
        to[at] = 8;
        return to.writeBigInt64LE(BigInt(textOf(row)), at + 1);
      };
    case 'decimal': {
      const size = decimalBytes(type.precision);
      const most = 10n ** BigInt(type.precision);
      return (to, at, row) => {
        const text = textOf(row);
        const decimal = parseDecimal(text);
        const unscaled = decimal && rescaled(decimal, type.scale)?.unscaled;
        const magnitude = typeof unscaled === 'bigint' && unscaled < 0n ? -unscaled : unscaled;
        if (typeof magnitude !== 'bigint' || magnitude >= most)
          throw tooExact(text, `decimal(${type.precision}, ${type.scale})`);
        to[at] = size;
        to[at + 1] = unscaled === magnitude ? 1 : 0;
        for (let i = 0, rest = magnitude; i < size - 1; i++, rest >>= 8n) to[at + 2 + i] = Number(rest & 255n);
        return at + 1 + size;
      };
    }
    case 'timestamp': {
      const digits = type.nanoseconds ? 7 : 6;
      return (to, at, row) => {
        const text = textOf(row);
        const [, seconds = '', fraction = ''] = /^(.{19})\.(\d+?)0*Z$/.exec(text) ?? [];
        if (fraction === '' || fraction.length > digits) throw tooExact(text, `datetime2(${digits})`);
        const ms = Date.parse(`${seconds}Z`);
        const day = Math.floor(ms / 86_400_000);
        const time = ((ms - day * 86_400_000) / 1_000) * 10 ** digits + Number(fraction.padEnd(digits, '0'));
        to[at] = 8;
        to.writeUIntLE(time, at + 1, 5);
        to.writeUIntLE(day + epochDay, at + 6, 3);
        return at + 9;
      };
    }
  }
}

function numberWriter(values: Float64Array, type: ParameterType): Put {
  switch (type.kind) {
    case 'boolean':
      return (to, at, row) => {
        to[at] = 1;
        to[at + 1] = values[row]!;
        return at + 2;
      };
    case 'float':
      return (to, at, row) => {
        to[at] = 8;
        return to.writeDoubleLE(values[row]!, at + 1);
      };
    case 'decimal': {
      const size = decimalBytes(type.precision);
      return (to, at, row) => {
        const value = values[row]!;
        const magnitude = Math.abs(value);
        to[at] = size;
        to[at + 1] = value < 0 ? 0 : 1;
        to.writeUInt32LE(magnitude % two32, at + 2);
        if (size > 5) to.writeUInt32LE(Math.floor(magnitude / two32), at + 6);
        if (size > 9) to.fill(0, at + 10, at + 18);
        return at + 1 + size;
      };
    }
    case 'timestamp': {
      const perUs = type.nanoseconds ? 10 : 1;
      return (to, at, row) => {
        const value = values[row]!;
        const day = Math.floor(value / dayUs);
        const time = (value - day * dayUs) * perUs;
        to[at] = 8;
        to.writeUInt32LE(time % two32, at + 1);
        to[at + 5] = Math.floor(time / two32);
        to.writeUIntLE(day + epochDay, at + 6, 3);
        return at + 9;
      };
    }
    default:
      return (to, at, row) => {
        const value = values[row]!;
        const high = Math.floor(value / two32);
        to[at] = 8;
        to.writeUInt32LE(value - high * two32, at + 1);
        to.writeInt32LE(high, at + 5);
        return at + 9;
      };
  }
}

/** A text of the client's own (SQL, declarations) as an nvarchar value with its TYPE_INFO. */
export function wideTextValue(value: string, collation: Collation): Buffer {
  const bytes = Buffer.from(value, 'utf16le');
  const wire = wideText(Math.max(1, value.length), collation);
  if (!wire.chunked) {
    const length = Buffer.alloc(2);
    length.writeUInt16LE(bytes.length);
    return Buffer.concat([wire.info, length, bytes]);
  }
  const head = Buffer.alloc(12);
  head.writeUInt32LE(bytes.length);
  head.writeUInt32LE(bytes.length, 8);
  return Buffer.concat([wire.info, head, bytes, Buffer.alloc(4)]);
}

/** B_VARCHAR: a name of up to 255 characters behind its length. */
export const shortName = (name: string): Buffer =>
  Buffer.concat([Buffer.from([name.length]), Buffer.from(name, 'utf16le')]);
