import { DynoError } from '#contract/error.ts';

/**
 * A number as an SQL literal. A negative one is in brackets: behind another minus its own would begin a comment, and dialects bind a cast, a power or
 * (T-SQL) a division more tightly than a sign.
 */
export function numberSql(value: number | bigint | string): string {
  const text = typeof value === 'number' ? numberText(value) : String(value);
  return text.startsWith('-') ? `(${text})` : text;
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new DynoError('badInput', `SQL has no literal of ${value}.`);
  // All digits: beyond 2^53 JavaScript would write rounded ones, or an exponent.
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? String(BigInt(value)) : String(value);
}
