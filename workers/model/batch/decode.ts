import type { ParameterType } from '../dataset/dataset.ts';
import { isoTimeLength } from '../dataset/stored-type.ts';
import type { ColumnVector } from './batch.ts';
import { writeIsoTime } from './iso-time.ts';

/**
 * A column value as JavaScript code would hold it: uuid as 36-character lower-case text, bigint as number (as bigint
 * where that is not exact), text as string, decimal as exact decimal text, timestamp as ISO 8601 text with microseconds
 * (or more) and Z, boolean as boolean, float as number, bytes as a view into the batch.
 */
export type Value = string | number | bigint | boolean | Uint8Array | null;

// Node and browsers both define this global, and the project includes the types of neither.
declare class TextDecoder {
  constructor(label: string, options: { readonly ignoreBOM: boolean });
  decode(input: Uint8Array): string;
}
/** U+FEFF at the beginning of a text is a character of it. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The first `rows` values of a column. Text is decoded in blocks, because a decoder call per value costs more. */
export function decodeColumn(column: ColumnVector, type: ParameterType, rows: number): Value[] {
  const values = decodeAll(column, type, rows);
  const { nulls } = column;
  if (nulls) for (let r = 0; r < rows; r++) if (nulls[r] === 1) values[r] = null;
  return values;
}

function decodeAll(column: ColumnVector, type: ParameterType, rows: number): Value[] {
  switch (column.kind) {
    case 'number':
      return filled(rows, numberDecoder(column.values, type));
    case 'fixed':
      if (type.kind === 'uuid') return cut(utf8.decode(uuidText(column, rows)), rows, 36);
      if (type.kind === 'text') return cut(utf8.decode(compact(column, rows)), rows, column.width);
      return filled(rows, (r) => {
        const start = column.offset + r * column.stride;
        return column.bytes.subarray(start, start + column.width);
      });
    case 'variable': {
      const { bytes, offsets } = column;
      if (type.kind === 'bytes') return filled(rows, (r) => bytes.subarray(offsets[r], offsets[r + 1]));
      if (type.kind !== 'text') return filled(rows, exactDecoder(column, type));
      const first = offsets[0] ?? 0;
      const block = utf8.decode(bytes.subarray(first, offsets[rows]));
      // The text is ASCII if it has as many characters as bytes; then byte offsets are character offsets.
      if (block.length === (offsets[rows] ?? first) - first) {
        return filled(rows, (r) => block.slice(offsets[r]! - first, offsets[r + 1]! - first));
      }
      return filled(rows, (r) => utf8.decode(bytes.subarray(offsets[r], offsets[r + 1])));
    }
  }
}

/** The first value of a column. Most calls have a single row and need no array for each column. */
export function decodeFirst(column: ColumnVector, type: ParameterType): Value {
  if (column.nulls?.[0] === 1) return null;
  if (column.kind === 'number' && (type.kind === 'bigint' || type.kind === 'float')) return column.values[0]!;
  return decodeAll(column, type, 1)[0]!;
}

/** Integers, decimals and timestamps stored as text. */
function exactDecoder(
  { bytes, offsets }: ColumnVector & { kind: 'variable' },
  type: ParameterType,
): (row: number) => Value {
  const text = (r: number) => utf8.decode(bytes.subarray(offsets[r], offsets[r + 1]));
  // A null has an empty text, which is no number.
  return type.kind === 'bigint' ? (r) => (offsets[r] === offsets[r + 1] ? null : BigInt(text(r))) : text;
}

/** Array.from would take longer than decoding a value, and most columns of a call have a single value. */
function filled(rows: number, value: (row: number) => Value): Value[] {
  const values = new Array<Value>(rows);
  for (let r = 0; r < rows; r++) values[r] = value(r);
  return values;
}

/** The values of columns, `rows` each, row by row, in the order of the parameters of a multi-row statement. */
export function rowMajor<V>(columns: readonly (readonly V[])[], rows: number): V[] {
  const width = columns.length;
  const flat = new Array<V>(rows * width);
  for (let c = 0; c < width; c++) {
    const values = columns[c]!;
    for (let r = 0, at = c; r < rows; r++, at += width) flat[at] = values[r]!;
  }
  return flat;
}

/**
 * The adjacent values of a fixed column. Other bytes of a layout between them may be invalid text, and slow the decoder
 * down.
 */
function compact({ bytes, offset, stride, width }: ColumnVector & { kind: 'fixed' }, rows: number): Uint8Array {
  if (stride === width) return bytes.subarray(offset, offset + rows * width);
  const block = new Uint8Array(rows * width);
  for (let r = 0, to = 0; r < rows; r++) {
    for (let from = offset + r * stride, end = from + width; from < end; ) block[to++] = bytes[from++]!;
  }
  return block;
}

function cut(block: string, rows: number, width: number): Value[] {
  const values = new Array<Value>(rows);
  for (let r = 0, at = 0; r < rows; r++, at += width) values[r] = block.slice(at, at + width);
  return values;
}

function numberDecoder(values: Float64Array, type: ParameterType): (row: number) => Value {
  switch (type.kind) {
    case 'decimal':
      return (r) => scaledText(values[r]!, type.scale);
    case 'timestamp':
      return (r) => timestampText(values[r]!);
    case 'boolean':
      return (r) => values[r] === 1;
    default:
      return (r) => values[r]!;
  }
}

/** unscaled × 10^−scale, as exact as `unscaled`: scaledText(-1205, 2) is "-12.05". A bigint would be slower. */
function scaledText(unscaled: number, scale: number): string {
  if (scale === 0) return String(unscaled);
  const digits = String(Math.abs(unscaled)).padStart(scale + 1, '0');
  const sign = unscaled < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

const isoBytes = new Uint8Array(isoTimeLength);

/** µs since 1970-01-01 UTC as "2024-02-29T12:34:56.000789Z"; Date would take three times as long. */
function timestampText(us: number): string {
  writeIsoTime(us, isoBytes, 0);
  return utf8.decode(isoBytes);
}

const digits = '0123456789abcdef';
/** The two hexadecimal digits of every byte, ASCII codes: hexPairs[2b], hexPairs[2b + 1]. */
const hexPairs = Uint8Array.from({ length: 512 }, (_, i) => digits.charCodeAt(i % 2 === 0 ? i >> 5 : (i >> 1) & 15));

const dash = 45;

/** Writes a 16-byte uuid as 36 ASCII bytes; returns the position behind it. */
export function writeUuidText(from: Uint8Array, at: number, to: Uint8Array, position: number): number {
  let p = position;
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) to[p++] = dash;
    const pair = from[at + i]! << 1;
    to[p++] = hexPairs[pair]!;
    to[p++] = hexPairs[pair + 1]!;
  }
  return p;
}

/** Writes bytes [start, end) as lower-case hexadecimal digits; returns the position behind them. */
export function writeHex(from: Uint8Array, start: number, end: number, to: Uint8Array, position: number): number {
  let p = position;
  for (let i = start; i < end; i++) {
    const pair = from[i]! << 1;
    to[p++] = hexPairs[pair]!;
    to[p++] = hexPairs[pair + 1]!;
  }
  return p;
}

/** All uuids of a column as text, 36 bytes each. */
function uuidText(column: ColumnVector & { kind: 'fixed' }, rows: number): Uint8Array {
  const text = new Uint8Array(rows * 36);
  for (let r = 0, p = 0; r < rows; r++) p = writeUuidText(column.bytes, column.offset + r * column.stride, text, p);
  return text;
}
