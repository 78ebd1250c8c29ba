import type { Batch } from '#model/batch/batch.ts';
import { sliceColumn } from '../rows/stored-rows.ts';

/** Rows from … from + rows − 1 of a batch without a layout; shares its memory. */
export function slice(batch: Batch, from: number, rows: number): Batch {
  if (from === 0 && rows === batch.rows) return batch;
  return { rows, columns: batch.columns.map((column) => sliceColumn(column, from, from + rows)) };
}
