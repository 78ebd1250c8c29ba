import type { AnsweredRows, Inexact } from '#engine-api/statement.ts';
import type { AnswerType } from '#model/statements/statements.ts';
import { shownText } from '../../shared/custom-statement.ts';

/** The server's description of a column of an answer. */
export interface AnswerColumn {
  /** The number of its type in the protocol. */
  readonly type: number;
  readonly collation: number;
}

const types = { decimal: 0, float: 4, double: 5, bit: 16, json: 245, newDecimal: 246, geometry: 255 } as const;
/** TINY, SHORT, LONG, LONGLONG, INT24, YEAR. */
const wholeNumbers: readonly number[] = [1, 2, 3, 8, 9, 13];
/** VARCHAR, the four sizes of BLOB and TEXT, VAR_STRING, STRING. */
const texts: readonly number[] = [15, 249, 250, 251, 252, 253, 254];
/** The number of the collation of bytes. */
const binary = 63;

/** True for a FLOAT. The server writes six digits of it into an answer of texts, and all digits into a binary one. */
const isFloat = ({ type }: AnswerColumn): boolean => type === types.float;

/**
 * The type of a column's values as parameters. Dates and times are texts, including texts that are no days
 * ("0000-00-00"): the server compares such a column with the date of the text.
 */
export function answerType({ type, collation }: AnswerColumn): AnswerType {
  if (type === types.bit || wholeNumbers.includes(type)) return 'integer';
  if (type === types.decimal || type === types.newDecimal) return 'decimal';
  if (type === types.float || type === types.double) return 'float';
  return texts.includes(type) && collation === binary ? 'bytes' : 'text';
}

/**
 * The rows, with values that can be sent again: a BIT becomes the number of its bits, with which the server compares
 * it.
 */
export const exactRows = (
  rows: readonly (readonly unknown[])[],
  columns: readonly AnswerColumn[],
): readonly (readonly (string | null)[])[] =>
  rows.map((row) => row.map((value, c) => (columns[c]?.type === types.bit ? bits(value) : shownText(value))));

/** One of the drivers makes a boolean of a single bit. */
const bits = (value: unknown): string | null =>
  value instanceof Uint8Array
    ? String(BigInt(`0x${Buffer.from(value).toString('hex') || '0'}`))
    : shownText(typeof value === 'boolean' ? Number(value) : value);

/** Columns whose values cannot be sent again. `floats`: the answer came as texts. */
export function inexactColumns(columns: readonly AnswerColumn[], floats: boolean): AnsweredRows['inexact'] {
  const found: Record<number, Inexact> = {};
  for (const [c, column] of columns.entries()) {
    if (column.type === types.geometry) found[c] = { why: noShapes };
    if (floats && isFloat(column)) found[c] = { only: 'float', why: sixDigits };
  }
  return Object.keys(found).length > 0 ? found : undefined;
}
const noShapes =
  'the drivers make objects of shapes. Select ST_AsText(…) instead, and compare with ST_GeomFromText(:name).';
const sixDigits =
  'the server writes six digits of a FLOAT where the method is literal. Select CAST(… AS DOUBLE) instead, or use bind or prepared.';
