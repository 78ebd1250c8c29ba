import { Binary, Decimal128, type Document, Double } from 'mongodb';
import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import type { ParameterType, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { ofOwnText } from './own-values.ts';

/** The form in which timestamps are stored: BSON's own dates have only milliseconds. */
type Timestamps = 'int64' | 'date';

/** The columns' names as fields of documents. The key is `_id`, which every document has. */
export const fieldNames = (table: TablePlan): readonly string[] =>
  table.columns.map(({ name }, c) => (c === table.key ? '_id' : name));

/**
 * The first `rows` values of a column as what the driver serialises: uuid as binary of subtype 4, bigint as int64 (a
 * JavaScript number would become an int32 or a double), decimal as Decimal128, µs as int64 or a date, text as string,
 * bytes as binary, documents within as an application has them.
 */
export function bsonValues(column: ColumnVector, type: ParameterType, rows: number, timestamps: Timestamps): unknown[] {
  const { nulls } = column;
  const make = valueMaker(column, type, rows, timestamps);
  return Array.from({ length: rows }, (_, r) => (nulls?.[r] === 1 ? null : make(r)));
}

/** The value behind a null is never read, because it may be no number at all. */
function valueMaker(
  column: ColumnVector,
  type: ParameterType,
  rows: number,
  timestamps: Timestamps,
): (r: number) => unknown {
  if (column.kind === 'number') return numberMaker(column.values, type, timestamps);
  if (column.kind === 'fixed' && type.kind === 'uuid') {
    const { bytes, offset, stride } = column;
    return (r) => new Binary(bytes.subarray(offset + r * stride, offset + r * stride + 16), Binary.SUBTYPE_UUID);
  }
  const values = decodeColumn(column, type, rows);
  if (type.kind === 'text' && type.document) return (r) => JSON.parse(String(values[r]));
  if (type.kind === 'text' && type.own) return (r) => ofOwnText(String(values[r]));
  switch (type.kind) {
    case 'bytes':
      return (r) => new Binary(values[r] as Uint8Array);
    case 'bigint':
      return (r) => BigInt(values[r] as bigint);
    case 'decimal':
      // Refuses more than 34 digits, which the type cannot hold.
      return (r) => Decimal128.fromString(String(values[r]));
    case 'timestamp':
      return (r) => dateOf(String(values[r]));
    default:
      return (r) => values[r];
  }
}

/** A time that comes as text, from a list or an answer, was a date; Dyno's own times come as numbers. */
function dateOf(iso: string): Date {
  if (!/\.\d{3}0*Z$/.test(iso)) throw new DynoError('badInput', `${iso} is no date of BSON, which has milliseconds.`);
  return new Date(`${iso.slice(0, 23)}Z`);
}

function numberMaker(values: Float64Array, type: ParameterType, timestamps: Timestamps): (r: number) => unknown {
  switch (type.kind) {
    case 'decimal':
      return (r) => decimal(values[r]!, type.scale);
    case 'boolean':
      return (r) => values[r] === 1;
    case 'float':
      return (r) => new Double(values[r]!);
    case 'timestamp':
      return timestamps === 'date' ? (r) => new Date(Math.floor(values[r]! / 1_000)) : (r) => BigInt(values[r]!);
    default:
      return (r) => BigInt(values[r]!);
  }
}

/** Limits of IEEE 754-2008's decimal128 with a binary coefficient. */
const exponentBias = 6_176;

/** Makes unscaled × 10^−scale as bytes, because parsing text costs several times as much. |unscaled| < 2^53. */
export function decimal(unscaled: number, scale: number): Decimal128 {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  const coefficient = Math.abs(unscaled);
  view.setUint32(0, coefficient % 2 ** 32, true);
  view.setUint32(4, Math.floor(coefficient / 2 ** 32), true);
  // Sign, 14 bits of exponent, and the upper 113 bits of the coefficient, which are 0 here.
  view.setUint32(12, ((unscaled < 0 ? 2 ** 31 : 0) + (exponentBias - scale) * 2 ** 17) >>> 0, true);
  return new Decimal128(bytes);
}

/** A batch's rows as documents, `_id` first: the server would move it there. */
export function documentMaker(table: TablePlan, timestamps: Timestamps): (batch: Batch) => Document[] {
  const names = fieldNames(table);
  const order = names.map((_, c) => c).sort((a, b) => Number(b === table.key) - Number(a === table.key));
  return ({ columns, rows }) => {
    const values = columns.map((column, c) => bsonValues(column, table.columns[c]!.type, rows, timestamps));
    return Array.from({ length: rows }, (_, r) => {
      const document: Document = {};
      for (const c of order) document[names[c]!] = values[c]![r];
      return document;
    });
  };
}
