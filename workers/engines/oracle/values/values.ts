import oracledb from 'oracledb';
import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import type { ColumnType, ParameterType } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { NullBinding } from '#model/settings/vocabulary.ts';
import { plainDecimal } from '#model/text/exact-decimal.ts';
import { doubleSql, numberSql } from '../../shared/sql/numbers.ts';
import { type Dialect, isSince23 } from '../connection/dialect.ts';
import { type BindType, bindType, isLob, nullBindType } from './column-types.ts';
import { ExactTimestamp } from './exact-timestamp.ts';

/** The types that the driver binds: RAW as Buffer, NUMBER as number, BOOLEAN (23ai) as boolean. */
export type ParameterValue = string | number | bigint | boolean | Buffer | ExactTimestamp | ExactNumber | null;

/**
 * A decimal that no JavaScript number can hold is sent as text: the driver accepts only number and bigint for NUMBER.
 */
class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const asBuffer = (bytes: Uint8Array, start: number, end: number): Buffer =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start);

/** The first `rows` values of a column as the driver binds them. The server stores empty text and bytes as null. */
export function toValues(column: ColumnVector, type: ParameterType, rows: number, dialect: Dialect): ParameterValue[] {
  const values = allValues(column, type, rows, dialect);
  const { nulls } = column;
  if (nulls) for (let r = 0; r < rows; r++) if (nulls[r] === 1) values[r] = null;
  return values;
}

function allValues(column: ColumnVector, type: ParameterType, rows: number, dialect: Dialect): ParameterValue[] {
  if (column.kind === 'number') return Array.from({ length: rows }, numberValue(column.values, type, dialect));
  if (type.kind === 'text') {
    return decodeColumn(column, type, rows).map((text) => (typeof text === 'string' && text !== '' ? text : null));
  }
  if (column.kind === 'fixed') {
    const { bytes, offset, stride, width } = column;
    return Array.from({ length: rows }, (_, r) => asBuffer(bytes, offset + r * stride, offset + r * stride + width));
  }
  if (type.kind !== 'bytes') return decodeColumn(column, type, rows).map((value) => exactValue(value, type));
  const { bytes, offsets } = column;
  return Array.from({ length: rows }, (_, r) =>
    offsets[r] === offsets[r + 1] ? null : asBuffer(bytes, offsets[r]!, offsets[r + 1]!),
  );
}

/** The exact value of a number or time that comes as text; an empty text, which stands behind a null, is null. */
function exactValue(value: unknown, { kind }: ParameterType): ParameterValue {
  if (typeof value === 'bigint') return value;
  const text = String(value ?? '');
  if (text === '') return null;
  if (kind === 'timestamp') return ExactTimestamp.of(text);
  // The driver sends the shortest decimal form of a number. If that is the given text, as it is up to 15 digits,
  // nothing is lost.
  const number = Number(text);
  return plainDecimal(String(number)) === withoutTrailingZeros(text) ? number : new ExactNumber(text);
}

const withoutTrailingZeros = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

function numberValue(
  values: Float64Array,
  type: ParameterType,
  dialect: Dialect,
): (_: unknown, r: number) => ParameterValue {
  switch (type.kind) {
    case 'decimal': {
      // A decimal here has at most 15 digits, so the quotient's shortest decimal form, which the driver sends, is the
      // exact value.
      const unit = 10 ** type.scale;
      return (_, r) => values[r]! / unit;
    }
    case 'timestamp':
      return (_, r) => new ExactTimestamp(values[r]!);
    case 'boolean':
      return isSince23(dialect) ? (_, r) => values[r] === 1 : (_, r) => values[r]!;
    default:
      return (_, r) => values[r]!;
  }
}

/** The most characters of a decimal, with its sign and point. */
const longestNumber = 80;

/** Columns of a batch in the form that the driver accepts. */
interface Binder {
  /** One array for each row, for executeMany and directPathLoad. `order`: the columns in the order of the statement. */
  rows(batch: Batch, order: readonly number[]): ParameterValue[][];
  /** All values in one array, each with its type, for execute: row after row. */
  flat(batch: Batch, order: readonly number[]): oracledb.BindParameter[];
  /** Literals, row after row: [row × columns + column]. */
  literals(batch: Batch): string[];
  readonly binds: readonly BindType[];
}

export function createBinder(
  types: readonly ParameterType[],
  dialect: Dialect,
  nulls: NullBinding = 'asColumn',
): Binder {
  const binds = types.map((type) => bindType(type, dialect));
  const nullBinds = types.map((type, c) => nullBindType(type, nulls) ?? binds[c]!);
  const columns = (batch: Batch) => batch.columns.map((column, c) => toValues(column, types[c]!, batch.rows, dialect));
  return {
    binds,
    rows(batch, order) {
      const all = columns(batch);
      const ordered = order.map((c) => all[c]!);
      return Array.from({ length: batch.rows }, (_, r) => ordered.map((values) => values[r]!));
    },
    flat(batch, order) {
      const all = columns(batch);
      const flat: oracledb.BindParameter[] = [];
      for (let r = 0; r < batch.rows; r++)
        for (const c of order) {
          const val = all[c]![r]!;
          if (val instanceof ExactNumber)
            flat.push({ type: oracledb.DB_TYPE_VARCHAR, maxSize: longestNumber, val: val.text });
          else flat.push({ ...(val === null ? nullBinds : binds)[c]!, val } as oracledb.BindParameter);
        }
      return flat;
    },
    literals(batch) {
      const all = columns(batch);
      return Array.from({ length: batch.rows }, (_, r) =>
        all.map((values, c) => literal(values[r]!, types[c]!)),
      ).flat();
    },
  };
}

/** Longest text literal in bytes (SQL Language Reference, "Text Literals", with MAX_STRING_SIZE STANDARD). */
export const refuseLongLiterals = (types: readonly ColumnType[]): void => {
  if (types.some(isLob))
    throw new DynoError('unsupported', 'A literal holds 4,000 bytes, and a column of this table may hold more.', {
      hint: 'Shorten the column (text: 1,000 characters, or 4,000 of ASCII; bytes: 2,000), or use another method.',
    });
};

/** The literal of a text. A NUL is written as a function, because in C it would end the text. */
export function textLiteral(value: string): string {
  const quoted = `'${value.replaceAll("'", "''")}'`;
  return value.includes('\0') ? `(${quoted.replaceAll('\0', "' || CHR(0) || '")})` : quoted;
}

export function literal(value: ParameterValue, { kind }: ParameterType): string {
  if (value === null) return 'NULL';
  // The letter at its end makes it a BINARY_DOUBLE (SQL Language Reference, "Numeric Literals").
  if (kind === 'float') return doubleSql(Number(value)).replace(/\)?$/, 'd$&');
  if (typeof value === 'number' || typeof value === 'bigint') return numberSql(value);
  if (value instanceof ExactNumber) return numberSql(value.text);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  if (typeof value === 'string') return textLiteral(value);
  if (value instanceof ExactTimestamp) return `TIMESTAMP '${value.toSql()}'`;
  return `HEXTORAW('${value.toString('hex')}')`;
}
