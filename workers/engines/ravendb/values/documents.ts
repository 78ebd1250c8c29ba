import type { Batch, ColumnVector } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import type { ParameterType, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { parseDecimal, rescaled } from '#model/text/exact-decimal.ts';
import { digitsOf, exactNumber, parseExactly, textOf } from '#model/text/exact-json.ts';
import { type Dates, writeDate, writeExactDate } from './dates.ts';

/** The value of a document's field. */
export type FieldValue = string | number | boolean | object | null;

/**
 * A row is an object, as applications hand it to the driver. The key is in the id and in a field, too, because only
 * fields can be indexed in their own order.
 */
export interface DocumentRow {
  readonly id: string;
  readonly entity: Readonly<Record<string, unknown>>;
}

/** Ids are unique in the whole database, so each begins with its collection, as is usual: "dyno_t1/42". */
export const idPrefix = ({ name }: Pick<TablePlan, 'name'>): string => `${name}/`;

/**
 * The first `rows` values of a column: uuid as 36-character text, bigint as number (exact below 2^53), decimal as
 * number (exact: at most 15 digits), timestamp as `dates` says, boolean, text, bytes in base64, documents within as
 * objects.
 */
export function fieldValues(column: ColumnVector, type: ParameterType, rows: number, dates: Dates): FieldValue[] {
  const { nulls } = column;
  const make = valueMaker(column, type, rows, dates);
  // The value behind a null is never read, because it may be no number at all.
  return Array.from({ length: rows }, (_, r) => (nulls?.[r] === 1 ? null : make(r)));
}

function valueMaker(column: ColumnVector, type: ParameterType, rows: number, dates: Dates): (r: number) => FieldValue {
  if (column.kind === 'number') {
    const { values } = column;
    switch (type.kind) {
      case 'decimal': {
        const unit = 10 ** type.scale;
        return (r) => values[r]! / unit;
      }
      case 'boolean':
        return (r) => values[r] === 1;
      case 'timestamp':
        return (r) => writeDate(values[r]!, dates);
      default:
        return (r) => values[r]!;
    }
  }
  const values = decodeColumn(column, type, rows);
  if (type.kind === 'text' && type.document) return (r) => JSON.parse(String(values[r]));
  if (type.kind === 'text' && type.own) return (r) => parseExactly(String(values[r])) as FieldValue;
  switch (type.kind) {
    case 'bytes':
      return (r) => base64(values[r] as Uint8Array);
    case 'bigint':
    case 'decimal':
      return (r) => exactNumber(String(values[r]));
    case 'timestamp':
      return (r) => writeExactDate(String(values[r]), dates);
    default:
      return (r) => values[r] as string;
  }
}

const base64 = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/**
 * The characters of a key, none of which means something in an id (such as a slash at its end) or needs escaping in a
 * request.
 */
export function idText(value: FieldValue, type: ParameterType): string {
  return type.kind === 'text' || type.kind === 'bytes' ? encodeURIComponent(String(value)) : textOf(value);
}

interface Key {
  readonly id: string;
  readonly value: FieldValue;
}

/** The key column of a batch, which is its first. */
export function keyMaker(table: TablePlan, dates: Dates): (batch: Batch) => Key[] {
  if (table.key === null) throw new DynoError('badInput', 'The table has no key to find rows by.');
  const { type } = table.columns[table.key]!;
  const prefix = idPrefix(table);
  return ({ columns, rows }) =>
    fieldValues(columns[0]!, type, rows, dates).map((value) => ({ id: `${prefix}${idText(value, type)}`, value }));
}

/**
 * Makes documents from a batch's rows. Without a key the server makes the ids: it completes an id that ends in a slash.
 */
export function rowMaker(table: TablePlan, dates: Dates): (batch: Batch) => DocumentRow[] {
  const { columns: plan, key, name } = table;
  const prefix = idPrefix(table);
  return ({ columns, rows }) => {
    const values = columns.map((column, c) => fieldValues(column, plan[c]!.type, rows, dates));
    return Array.from({ length: rows }, (_, r) => {
      const entity: Record<string, unknown> = {};
      for (const [c, { name: field }] of plan.entries()) entity[field] = ofDriver(values[c]![r]!);
      entity['@metadata'] = { '@collection': name };
      return { id: key === null ? prefix : `${prefix}${idText(values[key]![r]!, plan[key]!.type)}`, entity };
    });
  };
}

/**
 * A value as the driver writes it into documents: its JSON has doubles, and would make an object of a number with its
 * digits.
 */
export function ofDriver(value: FieldValue): FieldValue {
  const digits = digitsOf(value);
  if (digits === null) return value;
  const [exact, double] = [parseDecimal(digits), parseDecimal(String(Number(digits)))];
  const scale = Math.max(exact?.scale ?? 0, double?.scale ?? 0);
  if (exact && double && rescaled(exact, scale)?.unscaled === rescaled(double, scale)?.unscaled) return Number(digits);
  throw new DynoError(
    'badInput',
    `${digits} has more digits than a double, as which RavenDB’s driver stores numbers.`,
    {
      hint: 'Store the column as text.',
    },
  );
}

/** The low and the high value of a range over a column, as fields of documents hold them. */
export function rangeFields(
  { columns: plan }: TablePlan,
  column: number,
  dates: Dates,
): (bounds: Batch) => readonly [FieldValue, FieldValue] {
  const { type } = plan[column]!;
  return ({ columns }) => {
    const [low = null, high = null] = columns.map((side) => fieldValues(side, type, 1, dates)[0]!);
    return [low, high];
  };
}
