import type { Value } from '#drda/index.ts';
import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import type { ColumnType, ParameterType } from '#model/dataset/dataset.ts';
import { doubleSql, numberSql } from '../../shared/sql/numbers.ts';
import type { Dialect } from '../dialect.ts';
import { textLiteral } from '../names.ts';

/** The longest VARCHAR (in UTF-16 code units), VARCHAR FOR BIT DATA (in bytes) and string on the wire. */
const longestVarchar = 32_672;

/** The most UTF-8 bytes of a character. */
const widestCharacter = 4;

const isLong = (type: ColumnType & { readonly kind: 'text' }): boolean =>
  type.maxLength * (type.ascii ? 1 : widestCharacter) > longestVarchar;

/**
 * The column's declaration. A uuid is its 16 bytes: neither product has a type for it, and 36 characters would more
 * than double the index. Lengths of text count UTF-16 code units, of which a character has up to two.
 */
export function columnTypeSql(type: ColumnType, dialect: Dialect): string {
  switch (type.kind) {
    case 'uuid':
      return 'CHAR(16) FOR BIT DATA';
    case 'bigint':
      return 'BIGINT';
    case 'text': {
      const units = Math.max(1, type.maxLength * (type.ascii ? 1 : 2));
      return isLong(type) ? `CLOB(${units})` : `VARCHAR(${units})`;
    }
    case 'decimal':
      return `DECIMAL(${type.precision}, ${type.scale})`;
    case 'timestamp':
      return 'TIMESTAMP';
    case 'boolean':
      return dialect.booleanSql;
    case 'bytes': {
      const bytes = Math.max(1, type.maxLength);
      return bytes > longestVarchar ? `BLOB(${bytes})` : `VARCHAR(${bytes}) FOR BIT DATA`;
    }
  }
}

/** "2024-02-29T12:34:56.000789Z" as the products write it. */
const timestampText = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, -1)}`;

const toValues = (column: ColumnVector, type: ParameterType, rows: number, dialect: Dialect): readonly Value[] => {
  // decodeColumn would convert uuids to text.
  if (type.kind === 'uuid') return uuidValues(column, rows);
  const values = decodeColumn(column, type, rows);
  if (type.kind === 'timestamp') return values.map((value) => (value === null ? null : timestampText(String(value))));
  if (type.kind === 'boolean' && dialect.booleanSql === 'SMALLINT')
    return values.map((value) => (value === null ? null : Number(value)));
  return values;
};

function uuidValues(column: ColumnVector, rows: number): readonly Value[] {
  if (column.kind !== 'fixed') throw new TypeError('A uuid column is 16 bytes a row.');
  const { bytes, offset, stride, width, nulls } = column;
  return Array.from({ length: rows }, (_, r) =>
    nulls?.[r] === 1 ? null : bytes.subarray(offset + r * stride, offset + r * stride + width),
  );
}

/** The batch as rows of values, in the order of its columns. */
export function rowsOf(batch: Batch, types: readonly ParameterType[], dialect: Dialect): readonly (readonly Value[])[] {
  const columns = batch.columns.map((column, c) => toValues(column, types[c]!, batch.rows, dialect));
  return Array.from({ length: batch.rows }, (_, r) => columns.map((column) => column[r]!));
}

/** An SQL literal for a column of this type. */
export function literal(value: Value, type: ParameterType): string {
  if (value === null) return 'NULL';
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (type.kind === 'float') return doubleSql(Number(value));
  if (typeof value === 'number' || typeof value === 'bigint') return numberSql(value);
  if (typeof value !== 'string') {
    const hex = `X'${Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('hex')}'`;
    return type.kind === 'bytes' && type.maxLength > longestVarchar ? `CAST(${hex} AS BLOB)` : hex;
  }
  if (type.kind === 'decimal') return numberSql(value);
  if (type.kind === 'timestamp') return `TIMESTAMP('${value}')`;
  return textLiteral(value);
}

/** Bytes of a row's SQLCAGRP and indicator. */
const rowHead = 64;
/** Bytes of a value's null indicator and length. */
const valueHead = 3;

/** The most bytes of a row on the wire, which decide the size of a block; long values travel outside of the block. */
export const widestRowBytes = (types: readonly ColumnType[]): number =>
  types.reduce((bytes, type) => bytes + valueHead + widestBytes(type), rowHead);

function widestBytes(type: ColumnType): number {
  switch (type.kind) {
    case 'text':
      return isLong(type) ? 8 : type.maxLength * (type.ascii ? 1 : widestCharacter);
    case 'bytes':
      return type.maxLength > longestVarchar ? 8 : type.maxLength;
    case 'timestamp':
      return 29;
    case 'uuid':
      return 16;
    case 'decimal':
      return (type.precision >> 1) + 1;
    default:
      return 8;
  }
}
