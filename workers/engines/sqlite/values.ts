import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn, rowMajor, type Value } from '#model/batch/decode.ts';
import type { ColumnType, ParameterType } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { doubleSql, numberSql } from '../shared/sql/numbers.ts';

/** The types that node:sqlite binds. */
export type SqliteValue = string | number | bigint | Uint8Array | null;

/**
 * SQLite has four storage classes, so Dyno keeps uuid as a 16-byte BLOB, decimal as INTEGER × 10^scale, timestamp as
 * INTEGER µs and boolean as 0/1: all exact.
 */
export const columnTypeSql = (type: ColumnType): string => {
  switch (type.kind) {
    case 'uuid':
    case 'bytes':
      return 'BLOB';
    case 'text':
      return 'TEXT';
    default:
      return 'INTEGER';
  }
};

function toSqlite(column: ColumnVector, type: ParameterType, rows: number): SqliteValue[] {
  if (column.kind === 'number') {
    const { values, nulls } = column;
    return Array.from({ length: rows }, (_, r) => (nulls?.[r] === 1 ? null : values[r]!));
  }
  const stored: ParameterType = type.kind === 'uuid' ? { kind: 'bytes', maxLength: 16, fixed: true } : type;
  const values = decodeColumn(column, stored, rows);
  if (stored.kind === 'text' && stored.own)
    return values.map((value) => (value === null ? null : ofLiteral(`${value}`)));
  if (stored.kind === 'decimal' || stored.kind === 'timestamp')
    return values.map((value) => (value === null ? null : integerOf(String(value), stored)));
  return values as SqliteValue[];
}

/** The whole number of a value that comes as text: a decimal without its point, or a time in µs. */
function integerOf(text: string, { kind }: ParameterType): bigint {
  if (kind === 'decimal') return BigInt(text.replace('.', ''));
  const [, seconds = '', us = ''] = /^(.{19})\.(\d{6})0*Z$/.exec(text) ?? [];
  if (us === '') throw new DynoError('badInput', `${text} has more digits of a second than a microsecond.`);
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000n + BigInt(us);
}

/** The values of a batch in one list, row after row. */
export const flatRows = (batch: Batch, types: readonly ParameterType[]): SqliteValue[] =>
  rowMajor(
    batch.columns.map((column, c) => toSqlite(column, types[c]!, batch.rows)),
    batch.rows,
  );

/**
 * The values of a call of a custom statement. The library binds a number as a floating-point number, which only a typed
 * column turns back into an integer: `'a' || ?` and `5 / ?` have none.
 */
export const exactRow = (batch: Batch, types: readonly ParameterType[]): SqliteValue[] =>
  flatRows(batch, types).map((value, c) => {
    const type = types[c]!;
    return typeof value === 'number' && type.kind !== 'float' && !isOwn(type) ? BigInt(value) : value;
  });

const isOwn = (type: ParameterType): boolean => type.kind === 'text' && type.own === true;

/** The values of a call of a custom statement as literals. */
export const literalsOf = (batch: Batch, types: readonly ParameterType[]): readonly string[] =>
  exactRow(batch, types).map((value, c) => (isOwn(types[c]!) ? ownLiteral(value) : literal(value)));

/** A stored value in the form of decode.ts. */
export const valueRead = (value: SqliteValue, type: ColumnType): Value => {
  if (value === null) return null;
  switch (type.kind) {
    case 'uuid':
      return hex(value as Uint8Array);
    case 'decimal':
    case 'timestamp':
    case 'boolean':
      return decodeColumn({ kind: 'number', values: Float64Array.of(Number(value)), nulls: null }, type, 1)[0]!;
    default:
      return value;
  }
};

/** Numbers are written as floating-point numbers, as they are bound; bigints are integers. */
export function literal(value: SqliteValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number') return doubleSql(value);
  if (typeof value === 'bigint') return numberSql(value);
  // SQLite reads a statement only as far as its first NUL.
  if (typeof value === 'string')
    return value.includes('\0') ? `CAST(X'${hex(Buffer.from(value))}' AS TEXT)` : `'${value.replaceAll("'", "''")}'`;
  return `X'${hex(value)}'`;
}

/** A value as a literal of its storage class: a REAL without a fraction has a point, and infinity is written out. */
export function ownLiteral(value: SqliteValue): string {
  if (typeof value !== 'number') return literal(value);
  const text = Number.isFinite(value) ? String(value) : value < 0 ? '-9e999' : '9e999';
  const real = /^-?\d+$/.test(text) ? `${text}.0` : text;
  return real.startsWith('-') ? `(${real})` : real;
}

/** Reads a literal that ownLiteral() wrote. */
function ofLiteral(text: string): SqliteValue {
  const [, bytes, isText] = /^(?:CAST\()?X'([0-9a-f]*)'( AS TEXT\))?$/.exec(text) ?? [];
  if (bytes !== undefined) return isText ? Buffer.from(bytes, 'hex').toString() : Buffer.from(bytes, 'hex');
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  const number = text.replaceAll(/[()]/g, '');
  return /^-?\d+$/.test(number) ? BigInt(number) : Number(number);
}

const hex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');

/** A value for a JSON text; bytes as hexadecimal digits, which unhex() turns back. */
export const jsonValue = (value: SqliteValue): string | number | null =>
  value instanceof Uint8Array ? hex(value) : typeof value === 'bigint' ? String(value) : value;
