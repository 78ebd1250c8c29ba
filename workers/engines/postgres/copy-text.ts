import type { Batch, ColumnVector } from '#contract/batch.ts';
import type { ColumnType } from '#contract/dataset.ts';
import { decodeColumn, writeHex, writeUuidText } from '#contract/decode.ts';

const tab = 9;
const newline = 10;
const backslash = 92;
const capitalN = 78;

/** What a byte is escaped to after a backslash, 0 for none (manual, COPY → Text Format). */
const escapes = new Uint8Array(256);
for (const [code, letter] of [
  [8, 'b'],
  [tab, 't'],
  [newline, 'n'],
  [11, 'v'],
  [12, 'f'],
  [13, 'r'],
  [backslash, '\\'],
] as const) {
  escapes[code] = letter.charCodeAt(0);
}

interface FieldWriter {
  readonly bound: number;
  write(to: Uint8Array, position: number, r: number): number;
}

/** A batch as one COPY … (FORMAT text) stream. */
export function copyText(batch: Batch, types: readonly ColumnType[]): Buffer {
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
function fieldWriter(column: ColumnVector, type: ColumnType, rows: number): FieldWriter {
  if (column.kind === 'number') {
    const values = decodeColumn({ ...column, nulls: null }, type, rows).map((value) =>
      value === true ? 't' : value === false ? 'f' : String(value),
    );
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
  const endOf =
    column.kind === 'fixed' ? (r: number) => startOf(r) + column.width : (r: number) => column.offsets[r + 1]!;
  const valueBytes = column.kind === 'fixed' ? rows * column.width : column.offsets[rows]! - column.offsets[0]!;
  switch (type.kind) {
    case 'uuid':
      return { bound: rows * 36, write: (to, position, r) => writeUuidText(bytes, startOf(r), to, position) };
    case 'bytes':
      return {
        bound: rows * 3 + valueBytes * 2,
        write(to, position, r) {
          to[position] = backslash;
          to[position + 1] = backslash;
          to[position + 2] = 120; // x: the hex format of bytea, its backslash escaped
          return writeHex(bytes, startOf(r), endOf(r), to, position + 3);
        },
      };
    default:
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
}
