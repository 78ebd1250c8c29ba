import { Readable } from 'node:stream';
import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { asciiField, escapedField, escapesOf, type FieldWriter, tabText, uuidField } from '../../shared/tab-text.ts';
import { dateTimeText, type StoredType } from './values.ts';

/** Manual, LOAD DATA → Field and Line Handling. */
const escapes = escapesOf();

/**
 * A batch in the form that LOAD DATA reads with CHARACTER SET binary: UTF-8 text and bytes, with three bytes escaped.
 */
export const loadText = (batch: Batch, types: readonly StoredType[]): Buffer =>
  tabText(batch, (column, c) => fieldWriter(column, types[c]!, batch.rows));

function fieldWriter(column: ColumnVector, { type, uuidText }: StoredType, rows: number): FieldWriter {
  if (column.kind === 'number') {
    const values = decodeColumn({ ...column, nulls: null }, type, rows).map((value) => {
      if (typeof value === 'boolean') return value ? '1' : '0';
      return type.kind === 'timestamp' ? dateTimeText(String(value)) : String(value);
    });
    return asciiField(values);
  }
  return uuidText && type.kind === 'uuid' ? uuidField(column, rows) : escapedField(column, rows, escapes);
}

const chunkBytes = 65_536;

/**
 * The text as the stream that both drivers ask for: pieces of a finished buffer, no faster than the driver takes them.
 */
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
