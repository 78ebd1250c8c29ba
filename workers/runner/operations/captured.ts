import type { AnsweredRows } from '#engine-api/statement.ts';
import type { ColumnVector } from '#model/batch/batch.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { CapturedSpec } from '#model/statements/statements.ts';
import { decimalText, parseDecimal, precisionOf, rescaled } from '#model/text/exact-decimal.ts';
import { exactTime } from '#model/text/time-text.ts';
import { listVector, mostDigits, textVector } from './list-values.ts';

/** The maximum number of characters of texts and of bytes that pass from step to step. */
const mostText = 4_000;
const mostBytes = 8_000;
/** Number of digits after the point, of a decimal's 38, if the experiment does not set it and the server needs it. */
const usualScale = 19;

/** The type with which a captured value is sent, known before its value. */
export function capturedType({ as, scale }: CapturedSpec): ParameterType {
  switch (as) {
    case 'integer':
      return { kind: 'bigint' };
    case 'decimal':
      return scale === undefined
        ? { kind: 'decimal', precision: mostDigits, scale: usualScale, anyScale: true }
        : { kind: 'decimal', precision: mostDigits, scale };
    case 'text':
    case 'own':
      return { kind: 'text', maxLength: mostText, fixed: false, ascii: false, ...(as === 'own' && { own: true }) };
    case 'bytes':
      return { kind: 'bytes', maxLength: mostBytes, fixed: false };
    case 'timestamp':
      return { kind: 'timestamp', nanoseconds: true };
    default:
      return { kind: as };
  }
}

/** Takes a value from an answer's first row. Throws 'wrongResult' without row or column, or for another type. */
export function capture(
  { from, column, as, scale }: CapturedSpec,
  { columns, rows, exact, own, inexact, count }: AnsweredRows,
): ColumnVector {
  const wrong = (message: string) =>
    new DynoError('wrongResult', message, { hint: 'A value is captured from the first row of a statement’s answer.' });
  const [row] = rows;
  if (!row)
    throw wrong(`“${from}” answered with no row to take “${column}” from (${count ?? 'unknown how many'} touched).`);
  const index = columns.findIndex((name) => name.toLowerCase() === column.toLowerCase());
  if (index === -1) throw wrong(`The answer of “${from}” has no column “${column}”; it has ${columns.join(', ')}.`);
  const value = (as === 'own' ? (own?.[0] ?? row) : (exact?.[0] ?? row))[index] ?? null;
  const lacking = as === 'own' ? undefined : inexact?.[index];
  if (lacking && value !== null && (lacking.only ?? as) === as)
    throw wrong(`${from}.${column} cannot be captured exactly: ${lacking.why}`);
  try {
    if (value === null) return listVector({ as, values: [null] }).vector;
    if (as === 'decimal') return textVector([exactDecimal(value, scale)]);
    // Engines without a type for times store µs since 1970.
    if (as === 'timestamp' && !/^-?\d+$/.test(value)) return textVector([exactTime(value)]);
    return listVector({ as: as === 'timestamp' ? 'integer' : as, values: [value] }).vector;
  } catch (thrown) {
    // MySQL's dates may have a zero as year, month or day.
    if (as === 'timestamp' && /^(0000-|\d{4}-(00-|\d\d-00))/.test(value ?? ''))
      throw wrong(
        `${from}.${column} is “${value}”, which is no day of the calendar: \`as: text\` passes it on as it is.`,
      );
    throw wrong(`${from}.${column}: ${thrown instanceof Error ? thrown.message : thrown}`);
  }
}

/** The type that the answer declares for the value; null if it declares none. */
export function capturedAs({ column }: CapturedSpec, { columns, declared }: AnsweredRows): string | null {
  const index = columns.findIndex((name) => name.toLowerCase() === column.toLowerCase());
  return declared?.[index] ?? null;
}

/** Null instead of a captured value. */
export const noValue = ({ as }: CapturedSpec): ColumnVector => listVector({ as, values: [null] }).vector;

/**
 * Returns a decimal with all its digits. Throws 'badInput' if it has more digits after the point than the experiment
 * allows.
 */
function exactDecimal(value: string, scale: number | undefined): string {
  const decimal = parseDecimal(value);
  if (decimal === null) throw new DynoError('badInput', `“${value.slice(0, 60)}” is no decimal.`);
  if (scale !== undefined && rescaled(decimal, scale) === null)
    throw new DynoError('badInput', `${value} has more digits after its point than \`scale: ${scale}\` keeps.`);
  if (precisionOf(decimal) > mostDigits)
    throw new DynoError(
      'badInput',
      `${value} has more than ${mostDigits} digits: \`as: float\` or \`as: text\` passes it on.`,
    );
  return decimalText(decimal);
}
