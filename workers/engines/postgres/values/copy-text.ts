import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn, writeHex } from '#model/batch/decode.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import {
  asciiField,
  escapedField,
  escapesOf,
  type FieldWriter,
  spansOf,
  tabText,
  uuidField,
} from '../../shared/tab-text.ts';

const backslash = 92;

/** Manual, COPY → Text Format. */
const escapes = escapesOf({ 8: 'b', 11: 'v', 12: 'f', 13: 'r' });

/** A batch as one COPY … (FORMAT text) stream. */
export const copyText = (batch: Batch, types: readonly ColumnType[]): Buffer =>
  tabText(batch, (column, c) => fieldWriter(column, types[c]!, batch.rows));

function fieldWriter(column: ColumnVector, type: ColumnType, rows: number): FieldWriter {
  if (column.kind === 'number') {
    const values = decodeColumn({ ...column, nulls: null }, type, rows);
    return asciiField(values.map((value) => (value === true ? 't' : value === false ? 'f' : String(value))));
  }
  switch (type.kind) {
    case 'uuid':
      return uuidField(column, rows);
    case 'bytes': {
      const { bytes, size, startOf, endOf } = spansOf(column, rows);
      return {
        bound: rows * 3 + size * 2,
        write(to, position, r) {
          to[position] = backslash;
          to[position + 1] = backslash;
          to[position + 2] = 120; // x: the hex format of bytea, its backslash escaped
          return writeHex(bytes, startOf(r), endOf(r), to, position + 3);
        },
      };
    }
    default:
      return escapedField(column, rows, escapes);
  }
}
