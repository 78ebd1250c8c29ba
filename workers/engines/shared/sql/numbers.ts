import { DynoError } from '#model/error.ts';

/**
 * A number as an SQL literal. A negative one is in brackets: behind another minus its own would begin a comment, and
 * dialects bind a cast, a power or (T-SQL) a division more tightly than a sign.
 */
export function numberSql(value: number | bigint | string): string {
  const text = typeof value === 'number' ? numberText(value) : String(value);
  return text.startsWith('-') ? `(${text})` : text;
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new DynoError('badInput', `SQL has no literal of ${value}.`);
  if (!Number.isInteger(value) || Number.isSafeInteger(value)) return String(value);
  // All digits of what may be an integer of the server's: JavaScript would write rounded ones. Beyond them it is a
  // floating-point number, of which more digits would make a decimal that some servers cut off.
  return Math.abs(value) < 2 ** 64 ? String(BigInt(value)) : value.toExponential();
}
