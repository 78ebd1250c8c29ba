import type { ColumnVector } from '#contract/batch.ts';
import type { ColumnType } from '#contract/dataset.ts';
import type { AnsweredRows } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import type { CapturedSpec, ShownRows, StatementMix } from '#contract/statements.ts';
import { listVector } from './list-values.ts';

/** The longest text that passes from step to step, in characters. */
const mostText = 4_000;
const decimalDigits = 15;

/** What a captured value is sent as: known before there is one. */
export function capturedType({ as, scale }: CapturedSpec): ColumnType {
  switch (as) {
    case 'integer':
      return { kind: 'bigint' };
    case 'decimal':
      return { kind: 'decimal', precision: decimalDigits, scale };
    case 'text':
      return { kind: 'text', maxLength: mostText, fixed: false, ascii: false };
    default:
      return { kind: as };
  }
}

/** The value out of an answer's first row. Throws 'wrongResult' where there is no row, no such column, or something else in it. */
export function capture(
  { from, column, as, scale }: CapturedSpec,
  { columns, rows, count }: ShownRows,
  { scaledDecimals }: Pick<StatementMix, 'scaledDecimals'>,
): ColumnVector {
  const wrong = (message: string) =>
    new DynoError('wrongResult', message, { hint: 'A value is captured from the first row of a statement’s answer.' });
  const [row] = rows;
  if (!row)
    throw wrong(
      `\`${from}\` answered with no row to take \`${column}\` from (${count ?? 'unknown how many'} touched).`,
    );
  const index = columns.findIndex((name) => name.toLowerCase() === column.toLowerCase());
  if (index === -1) throw wrong(`The answer of \`${from}\` has no column \`${column}\`; it has ${columns.join(', ')}.`);
  const value = row[index] ?? null;
  try {
    if (as !== 'decimal' || value === null) return listVector({ as, values: [value] }).vector;
    return scaledDecimals
      ? listVector({ as: 'integer', values: [value] }).vector
      : listVector({ as, values: [withScale(value, scale)] }).vector;
  } catch (thrown) {
    throw wrong(`${from}.${column}: ${thrown instanceof Error ? thrown.message : thrown}`);
  }
}

/** What the answer says that the value is to be declared as. */
export function capturedAs({ column }: CapturedSpec, { columns, declared }: AnsweredRows): string | null {
  const index = columns.findIndex((name) => name.toLowerCase() === column.toLowerCase());
  return declared?.[index] ?? null;
}

/** In place of one: null. */
export const noValue = ({ as }: CapturedSpec): ColumnVector => listVector({ as, values: [null] }).vector;

/** "12.5" with two digits is "12.50"; those beyond are cut off. */
function withScale(value: string, scale: number): string {
  const [whole = '0', part = ''] = value.split('.');
  return scale === 0 ? whole : `${whole}.${part.padEnd(scale, '0').slice(0, scale)}`;
}
