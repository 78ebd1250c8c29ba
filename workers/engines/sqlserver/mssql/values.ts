import type { ISqlType } from 'mssql';
import sql from 'mssql';
import type { ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { maxBytes, maxWideCharacters } from '../values/values.ts';

/** The types that `mssql` takes as a value. */
export type MssqlValue = string | number | boolean | Buffer | Date | null;

export interface MssqlParameter {
  /** The parameter's name without its @. */
  readonly name: string;
  readonly type: ISqlType;
}

/**
 * The type of a column as values.ts declares it. It is a new object each time, because tables write the column's name
 * into it.
 */
export function sqlType(type: ParameterType): ISqlType {
  switch (type.kind) {
    case 'float':
      return sql.Float();
    case 'uuid':
      return sql.UniqueIdentifier();
    case 'bigint':
      return sql.BigInt();
    case 'text':
      return type.ascii
        ? sql.VarChar(lengthOf(type.maxLength, maxBytes))
        : sql.NVarChar(lengthOf(type.maxLength, maxWideCharacters));
    case 'decimal':
      return sql.Decimal(type.precision, type.scale);
    case 'timestamp':
      return sql.DateTime2(type.nanoseconds ? 7 : 6);
    case 'boolean':
      return sql.Bit();
    case 'bytes':
      return sql.VarBinary(lengthOf(type.maxLength, maxBytes));
  }
}

const lengthOf = (length: number, limit: number): number => (length > limit ? sql.MAX : Math.max(1, length));

/** The first `rows` values of a column for `mssql`: a Date has its part below 1 ms in `nanosecondDelta`, in seconds. */
export function mssqlValues(column: ColumnVector, type: ParameterType, rows: number): MssqlValue[] {
  if (type.kind === 'timestamp' && column.kind === 'number')
    return Array.from({ length: rows }, (_, r) => (column.nulls?.[r] === 1 ? null : dateOf(column.values[r]!)));
  return decodeColumn(column, type, rows).map((value) => {
    if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (typeof value === 'bigint') return String(value);
    // A column's values have the 15 digits of a number, and this driver accepts no decimals in another form.
    return type.kind === 'decimal' && value !== null ? Number(value) : value;
  });
}

function dateOf(us: number): Date {
  const ms = Math.floor(us / 1_000);
  return Object.assign(new Date(ms), { nanosecondDelta: (us - ms * 1_000) / 1e6 });
}
