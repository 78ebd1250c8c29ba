import { Readable } from 'node:stream';
import type { Batch, ColumnVector } from '#contract/batch.ts';
import { decodeColumn, writeUuidText } from '#contract/decode.ts';
import { dateTimeText, type StoredType } from './values.ts';

const tab = 9;
const newline = 10;
const backslash = 92;
const capitalN = 78;

/** What a byte is escaped to after a backslash, 0 for none (manual, LOAD DATA → Field and Line Handling). */
const escapes = new Uint8Array(256);
for (const [code, letter] of [
  [tab, 't'],
  [newline, 'n'],
  [backslash, '\\'],
] as const) {
  escapes[code] = letter.charCodeAt(0);
}

interface FieldWriter {
  /** Bytes that all values of the column take at most. */
  readonly bound: number;
  write(to: Uint8Array, position: number, r: number): number;
}

/** A batch as LOAD DATA reads it with CHARACTER SET binary: UTF-8 text and bytes as they are, but for three that are escaped. */
export function loadText(batch: Batch, types: readonly StoredType[]): Buffer {
  const writers = batch.columns.map((column, c) => fieldWriter(column, types[c]!, batch.rows));
  const width = writers.length;
  const buffer = Buffer.allocUnsafeSlow(writers.reduce((sum, { bound }) => sum + bound, 3 * batch.rows * width));
  let at = 0;
  for (let r = 0; r < batch.rows; r++) {
    for (let c = 0; c < width; c++) {
      if (batch.columns[c]!.nulls?.[r] === 1) {
        buffer[at++] = backslash;
        buffer[at++] = capitalN;
      } else {
        at = writers[c]!.write(buffer, at, r);
      }
      buffer[at++] = c === width - 1 ? newline : tab;
    }
  }
  return buffer.subarray(0, at);
}

/** Room for every byte escaped; a null and the separator have room of their own. */
function fieldWriter(column: ColumnVector, { type, uuidText }: StoredType, rows: number): FieldWriter {
  if (column.kind === 'number') {
    const values = decodeColumn({ ...column, nulls: null }, type, rows).map((value) => {
      if (typeof value === 'boolean') return value ? '1' : '0';
      return type.kind === 'timestamp' ? dateTimeText(String(value)) : String(value);
    });
    return {
      bound: values.reduce((sum, value) => sum + value.length, 0),
      write(to, position, r) {
        const value = values[r]!;
        for (let i = 0; i < value.length; i++) to[position + i] = value.charCodeAt(i);
        return position + value.length;
      },
    };
  }
  const { bytes } = column;
  const startOf =
    column.kind === 'fixed' ? (r: number) => column.offset + r * column.stride : (r: number) => column.offsets[r]!;
  if (uuidText && type.kind === 'uuid')
    return { bound: rows * 36, write: (to, position, r) => writeUuidText(bytes, startOf(r), to, position) };
  const endOf =
    column.kind === 'fixed' ? (r: number) => startOf(r) + column.width : (r: number) => column.offsets[r + 1]!;
  const valueBytes = column.kind === 'fixed' ? rows * column.width : column.offsets[rows]! - column.offsets[0]!;
  return {
    bound: valueBytes * 2,
    write(to, position, r) {
      let at = position;
      for (let from = startOf(r), end = endOf(r); from < end; from++) {
        const byte = bytes[from]!;
        const letter = escapes[byte]!;
        if (letter !== 0) {
          to[at++] = backslash;
          to[at++] = letter;
        } else to[at++] = byte;
      }
      return at;
    },
  };
}

const chunkBytes = 65_536;

/** The text as the stream that both drivers ask for: pieces of a buffer that is ready, no faster than they are taken. */
export function streamOf(text: Buffer): Readable {
  let at = 0;
  return new Readable({
    highWaterMark: chunkBytes,
    read() {
      this.push(at < text.length ? text.subarray(at, at + chunkBytes) : null);
      at += chunkBytes;
    },
  });
}
