import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';

/** Bytes of a value that is not null, whatever an engine or a file takes for it. Other types have various lengths. */
const bytesOfKind: Readonly<Partial<Record<ColumnType['kind'], number>>> = {
  bigint: 8,
  decimal: 8,
  timestamp: 8,
  boolean: 1,
  uuid: 16,
};

/** The bytes of a batch’s values as the glossary defines them, the same for all engines and formats of files. */
export const valueBytes = ({ columns, rows }: Pick<Batch, 'columns' | 'rows'>, types: readonly ColumnType[]): number =>
  columns.reduce((sum, column, c) => sum + columnBytes(column, bytesOfKind[types[c]!.kind], rows), 0);

function columnBytes(column: ColumnVector, ofEach: number | undefined, rows: number): number {
  if (ofEach === undefined && column.kind === 'variable') return variableBytes(column, rows);
  const width = ofEach ?? (column.kind === 'fixed' ? column.width : 0);
  let values = rows;
  if (column.nulls) for (let r = 0; r < rows; r++) values -= column.nulls[r]!;
  return values * width;
}

function variableBytes({ offsets, nulls }: ColumnVector & { readonly kind: 'variable' }, rows: number): number {
  let bytes = offsets[rows]! - offsets[0]!;
  // The bytes behind a null are undefined.
  if (nulls) for (let r = 0; r < rows; r++) if (nulls[r] === 1) bytes -= offsets[r + 1]! - offsets[r]!;
  return bytes;
}
