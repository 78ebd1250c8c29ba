import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn, decodeFirst, rowMajor, type Value } from '#model/batch/decode.ts';
import type { ColumnType, ParameterType } from '#model/dataset/dataset.ts';
import { readValue } from '../../shared/read-value.ts';
import { numberSql } from '../../shared/sql/numbers.ts';

/** The types that `pg` accepts as a parameter. Buffers are sent in binary format, all else as text. */
export type ParameterValue = string | number | bigint | boolean | Buffer | null;

export function columnTypeSql(type: ColumnType): string {
  switch (type.kind) {
    case 'text':
      if (type.document) return 'jsonb';
      // The limit of varchar is 10,485,760, and a length of zero cannot be declared.
      return type.maxLength >= 1 && type.maxLength <= 10_485_760 ? `varchar(${type.maxLength})` : 'text';
    case 'decimal':
      return `numeric(${type.precision}, ${type.scale})`;
    case 'timestamp':
      return 'timestamptz';
    case 'bytes':
      return 'bytea';
    default:
      return type.kind;
  }
}

/** A type name without length, for casts and arrays. */
export const castSql = (type: ColumnType): string =>
  type.kind === 'text' && !type.document ? 'text' : type.kind === 'decimal' ? 'numeric' : columnTypeSql(type);

const asParameter = (value: Value): ParameterValue =>
  value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : value;

/** The values of a batch in one list, row after row. */
export function flatRows({ rows, columns }: Batch, types: readonly ParameterType[]): ParameterValue[] {
  if (rows > 1)
    return rowMajor(
      columns.map((column, c) => decodeColumn(column, types[c]!, rows).map(asParameter)),
      rows,
    );
  const values = new Array<ParameterValue>(rows * columns.length);
  for (let c = 0; c < values.length; c++) values[c] = asParameter(decodeFirst(columns[c]!, types[c]!));
  return values;
}

/** The server's text in the form of decode.ts. */
export function valueRead(text: string | null, type: ColumnType): Value {
  if (text === null) return null;
  if (type.kind === 'bytes') return Buffer.from(text.slice(2), 'hex');
  return type.kind === 'boolean' ? text === 't' : readValue(text, type);
}

/** An SQL literal of unknown type, which takes the column's type. Safe under any standard_conforming_strings. */
export function literal(value: ParameterValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number' || typeof value === 'bigint') return numberSql(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value !== 'string') return `E'\\\\x${value.toString('hex')}'`;
  const quoted = value.replaceAll("'", "''");
  // A NUL would end the message; as an escape the server refuses it, as it refuses it in a parameter.
  return quoted.includes('\\') || quoted.includes('\0')
    ? `E'${quoted.replaceAll('\\', '\\\\').replaceAll('\0', '\\000')}'`
    : `'${quoted}'`;
}
