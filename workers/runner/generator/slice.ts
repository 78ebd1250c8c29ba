import type { Batch, ColumnVector } from '#model/batch/batch.ts';

/** Rows from … from + rows − 1 of a batch without a layout; shares its memory. */
export function slice(batch: Batch, from: number, rows: number): Batch {
  if (from === 0 && rows === batch.rows) return batch;
  return { rows, columns: batch.columns.map((column) => sliceColumn(column, from, from + rows)) };
}

function sliceColumn(column: ColumnVector, from: number, to: number): ColumnVector {
  const nulls = column.nulls?.subarray(from, to) ?? null;
  switch (column.kind) {
    case 'fixed': {
      const { bytes, offset, stride, width } = column;
      return { kind: 'fixed', bytes, offset: offset + from * stride, stride, width, nulls };
    }
    case 'number':
      return { kind: 'number', values: column.values.subarray(from, to), nulls };
    case 'variable':
      return { kind: 'variable', bytes: column.bytes, offsets: column.offsets.subarray(from, to + 1), nulls };
  }
}
