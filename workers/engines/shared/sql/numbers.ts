import { DynoError } from '#model/error.ts';

/**
 * A number as an SQL literal. A negative number is in brackets: behind another minus its sign would begin a comment,
 * and dialects bind a cast, a power or (in T-SQL) a division more tightly than a sign.
 */
export function numberSql(value: number | bigint | string): string {
  const text = typeof value === 'number' ? numberText(value) : String(value);
  return text.startsWith('-') ? `(${text})` : text;
}

/** A double as an SQL literal. It has an exponent, because SQL reads 3 as an integer and 0.1 as a decimal. */
export function doubleSql(value: number): string {
  if (!Number.isFinite(value)) throw noLiteral(value);
  const text = Math.abs(value).toExponential();
  return value < 0 || Object.is(value, -0) ? `(-${text})` : text;
}

const noLiteral = (value: number): DynoError => new DynoError('badInput', `SQL has no literal of ${value}.`);

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw noLiteral(value);
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return String(value);
  // A number that may be an integer at the server has all its digits here, which JavaScript would round. A larger one
  // is a floating-point number, whose further digits would make a decimal that some servers cut off.
  return Math.abs(value) < 2 ** 64 ? String(BigInt(value)) : value.toExponential();
}
