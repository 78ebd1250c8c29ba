import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import { writeUuidText } from '#model/batch/decode.ts';

const tab = 9;
const newline = 10;
const backslash = 92;
const capitalN = 78;

/** Writes one value and returns the position behind it. */
export interface FieldWriter {
  /** The most bytes of all values of the column. */
  readonly bound: number;
  write(to: Uint8Array, position: number, r: number): number;
}

/** A column of bytes; those of numbers become texts for asciiField. */
type ByteColumn = Exclude<ColumnVector, { kind: 'number' }>;

/**
 * A batch as text that servers load: a line for each row, tabs between fields, \N for null. `fieldOf` makes the
 * writers.
 */
export function tabText(batch: Batch, fieldOf: (column: ColumnVector, c: number) => FieldWriter): Buffer {
  const writers = batch.columns.map(fieldOf);
  const width = writers.length;
  // A null and the separator have space of their own.
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

/** Writes values in ASCII that need no escaping. */
export const asciiField = (values: readonly string[]): FieldWriter => ({
  bound: values.reduce((sum, value) => sum + value.length, 0),
  write(to, position, r) {
    const value = values[r]!;
    for (let i = 0; i < value.length; i++) to[position + i] = value.charCodeAt(i);
    return position + value.length;
  },
});

/** The places of a column's values among its bytes. */
export function spansOf(column: ByteColumn, rows: number) {
  if (column.kind === 'variable') {
    const { bytes, offsets } = column;
    return {
      bytes,
      size: offsets[rows]! - offsets[0]!,
      startOf: (r: number) => offsets[r]!,
      endOf: (r: number) => offsets[r + 1]!,
    };
  }
  const { bytes, offset, stride, width } = column;
  return {
    bytes,
    size: rows * width,
    startOf: (r: number) => offset + r * stride,
    endOf: (r: number) => offset + r * stride + width,
  };
}

export function uuidField(column: ByteColumn, rows: number): FieldWriter {
  const { bytes, startOf } = spansOf(column, rows);
  return { bound: rows * 36, write: (to, position, r) => writeUuidText(bytes, startOf(r), to, position) };
}

/** The letter that each byte is escaped to, 0 for none; backslash, tab and newline always are. `others`: more bytes. */
export function escapesOf(others: Readonly<Record<number, string>> = {}): Uint8Array {
  const escapes = new Uint8Array(256);
  for (const [code, letter] of Object.entries({ [tab]: 't', [newline]: 'n', [backslash]: '\\', ...others }))
    escapes[Number(code)] = letter.charCodeAt(0);
  return escapes;
}

/** Writes bytes as they are, except those that are escaped. */
export function escapedField(column: ByteColumn, rows: number, escapes: Uint8Array): FieldWriter {
  const { bytes, size, startOf, endOf } = spansOf(column, rows);
  return {
    bound: size * 2,
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
