import type { ColumnVector } from '#model/batch/batch.ts';
import type { FileColumnSpec } from '#model/dataset/column-specs.ts';
import { canonicalJson } from '#model/text/json-text.ts';
import { tooFewRows } from '../../rows/store-rows.ts';
import { joined, type StoredRows, sliceColumn } from '../../rows/stored-rows.ts';
import { type Rows, rowAt } from '../rows.ts';

/** Reads the values of these rows. `use`: 0 for the rows’ own values, a higher number for changed ones. */
export type ReadStored = (rows: Rows, use: number) => ColumnVector;

/** The stored rows of a file, and the column that is read. */
export interface FileRows {
  readonly name: string;
  readonly rows: StoredRows;
  /** The name of the file in messages. */
  readonly file: string;
  /** True if the column is the key of its table: then each row of the file is usable once. */
  readonly isKey: boolean;
}

/**
 * The values of a file's column. After the last row the file begins again, unless the column is the key. A changed
 * value is the value of another row. `canonical`: documents are written as canonical JSON.
 */
export function fileMaker(
  { as }: FileColumnSpec,
  { name, rows: stored, file, isKey }: FileRows,
  canonical: boolean,
): ReadStored {
  const { rows: all } = stored;
  const place = (row: number, use: number): number => {
    if (use > 0) return (row + use * changedStep) % all;
    if (isKey && row >= all) throw tooFewRows(file, all, row + 1);
    return row % all;
  };
  const read = (rows: Rows, use: number): ColumnVector => {
    const { count } = rows;
    const parts: { readonly rows: number; readonly vector: ColumnVector }[] = [];
    for (let r = 0; r < count; ) {
      const start = place(rowAt(rows, r), use);
      let length = 1;
      while (r + length < count && place(rowAt(rows, r + length), use) === start + length) length++;
      parts.push({ rows: length, vector: stored.read(name, start, length) });
      r += length;
    }
    return parts.length === 0 ? sliceColumn(stored.read(name, 0, 1), 0, 0) : joined(parts);
  };
  return as === 'document' && canonical ? (rows, use) => canonicalDocuments(read(rows, use), rows.count) : read;
}

/** The distance from a row to the row whose value replaces its own. */
const changedStep = 7_919;

function canonicalDocuments(vector: ColumnVector, rows: number): ColumnVector {
  if (vector.kind !== 'variable') return vector;
  const { bytes, offsets, nulls } = vector;
  const texts = Array.from({ length: rows }, (_, r) =>
    nulls?.[r] === 1
      ? Buffer.alloc(0)
      : Buffer.from(
          canonicalJson(JSON.parse(Buffer.from(bytes.subarray(offsets[r], offsets[r + 1])).toString('utf8'))),
        ),
  );
  const places = new Uint32Array(rows + 1);
  for (const [r, text] of texts.entries()) places[r + 1] = places[r]! + text.length;
  return { kind: 'variable', bytes: Buffer.concat(texts), offsets: places, nulls };
}
