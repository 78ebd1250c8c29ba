import { microseconds, timeOf, timePattern } from '../text/time-text.ts';
import type { FrequencySpec } from './column-specs.ts';
import { frequentDigits } from './columns.ts';

/** µs of a day. */
export const dayUs = 86_400_000_000;

/**
 * The integer that stands in batches for a listed value or a bound of a column: decimals × 10^scale, times in µs; 0 for
 * a text. Null: the value does not have the type of the column.
 */
export function frequentNumber(spec: FrequencySpec, value: string | number): number | null {
  switch (spec.as) {
    case 'text':
      return typeof value === 'string' ? 0 : null;
    case 'integer':
      return Number.isSafeInteger(value) ? Number(value) : null;
    case 'decimal': {
      const number = typeof value === 'number' ? Math.round(value * 10 ** frequentDigits(spec).scale) : Number.NaN;
      return Math.abs(number) < 10 ** frequentDigits(spec).precision ? number : null;
    }
    case 'timestamp':
    case 'date': {
      if (typeof value !== 'string' || !timePattern.test(value) || timeOf(value) === null) return null;
      const us = microseconds(value);
      return spec.as === 'date' ? Math.floor(us / dayUs) * dayUs : us;
    }
  }
}
