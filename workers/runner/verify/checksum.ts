import type { Batch, ColumnVector, TableChecksum } from '#model/batch/batch.ts';
import { writeUuidText } from '#model/batch/decode.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import { md5Prefix } from './md5.ts';

/** Adds batches up to the {@link TableChecksum} that model/batch/batch.ts documents. */
interface ChecksumSum {
  add(batch: Batch): void;
  total(): TableChecksum;
}

/** `emptyIsNull`: the engine stores empty text and bytes as nulls (EngineDescriptor). */
export function createChecksumSum(types: readonly ColumnType[], emptyIsNull = false): ChecksumSum {
  let rows = 0;
  const sums = types.map(() => 0n);
  return {
    add(batch) {
      rows += batch.rows;
      batch.columns.forEach((column, c) => {
        sums[c] = sums[c]! + columnSum(column, types[c]!, batch.rows, emptyIsNull);
      });
    },
    total: () => ({ rows, columns: sums.map(String) }),
  };
}

function columnSum(column: ColumnVector, type: ColumnType, rows: number, emptyIsNull: boolean): bigint {
  switch (column.kind) {
    case 'number':
      return numberSum(column.values, column.nulls, rows);
    case 'fixed':
      if (emptyIsNull && column.width === 0) return 0n;
      return type.kind === 'uuid' ? uuidSum(column, rows) : fixedSum(column, rows);
    case 'variable':
      if (type.kind === 'bigint' || type.kind === 'decimal') return exactSum(column, rows);
      return variableSum(column, rows, emptyIsNull);
  }
}

/** The sum of numbers that come as texts: whole ones, or decimals of one scale, without their points. */
function exactSum({ bytes, offsets, nulls }: ColumnVector & { kind: 'variable' }, rows: number): bigint {
  let sum = 0n;
  for (let r = 0; r < rows; r++) {
    if (nulls?.[r] === 1) continue;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + offsets[r]!, offsets[r + 1]! - offsets[r]!);
    sum += BigInt(text.toString('latin1').replace('.', ''));
  }
  return sum;
}

const lowBits = 2 ** 26;

/** The sum is exact: the sums of the upper and of the lower halves of a batch's values stay far below 2^53. */
function numberSum(values: Float64Array, nulls: Uint8Array | null, rows: number): bigint {
  let high = 0;
  let low = 0;
  for (let r = 0; r < rows; r++) {
    if (nulls !== null && nulls[r] === 1) continue;
    const value = values[r]!;
    const upper = Math.floor(value / lowBits);
    high += upper;
    low += value - upper * lowBits;
  }
  return BigInt(high) * BigInt(lowBits) + BigInt(low);
}

const uuidText = new Uint8Array(36);

function uuidSum({ bytes, offset, stride, nulls }: ColumnVector & { kind: 'fixed' }, rows: number): bigint {
  let sum = 0;
  for (let r = 0; r < rows; r++) {
    if (nulls !== null && nulls[r] === 1) continue;
    writeUuidText(bytes, offset + r * stride, uuidText, 0);
    sum += md5Prefix(uuidText, 0, 36);
  }
  return BigInt(sum);
}

function fixedSum({ bytes, offset, stride, width, nulls }: ColumnVector & { kind: 'fixed' }, rows: number): bigint {
  let sum = 0;
  for (let r = 0; r < rows; r++) {
    if (nulls !== null && nulls[r] === 1) continue;
    const start = offset + r * stride;
    sum += md5Prefix(bytes, start, start + width);
  }
  return BigInt(sum);
}

function variableSum(
  { bytes, offsets, nulls }: ColumnVector & { kind: 'variable' },
  rows: number,
  emptyIsNull: boolean,
): bigint {
  let sum = 0;
  for (let r = 0; r < rows; r++) {
    if (nulls !== null && nulls[r] === 1) continue;
    if (emptyIsNull && offsets[r] === offsets[r + 1]) continue;
    sum += md5Prefix(bytes, offsets[r]!, offsets[r + 1]!);
  }
  return BigInt(sum);
}
