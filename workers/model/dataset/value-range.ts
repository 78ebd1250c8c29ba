import { ceilTo, type ExactDecimal, floorTo, parseDecimal } from '../text/exact-decimal.ts';
import type { ColumnSpec } from './column-specs.ts';

type NumberSpec = ColumnSpec & { readonly type: 'integer' | 'decimal' | 'timestamp' };

/** The number of distinct values that a column can have. */
export function distinctNumbers(spec: NumberSpec): number {
  const { count } = valueRange(spec);
  return spec.type === 'timestamp' && spec.distinct !== undefined ? Math.min(spec.distinct, count) : count;
}

/** The integers that stand for a column's values in batches. Decimals × 10^scale, timestamps in µs. */
export function valueRange(spec: NumberSpec): { readonly least: number; readonly count: number } {
  switch (spec.type) {
    case 'integer':
      return { least: spec.min, count: spec.max - spec.min + 1 };
    case 'decimal': {
      const least = spec.min === undefined ? 0 : Number(ceilTo(decimalOf(spec.min), spec.scale));
      const most = spec.max === undefined ? 10 ** spec.precision - 1 : Number(floorTo(decimalOf(spec.max), spec.scale));
      return { least, count: most - least + 1 };
    }
    case 'timestamp': {
      const least = Date.parse(`${spec.from}T00:00:00Z`) * 1_000;
      return { least, count: Date.parse(`${spec.to}T00:00:00Z`) * 1_000 - least };
    }
  }
}

/** 0.07 × 100 is 7.000000000000001: the number's shortest form (up to 15 digits) is the decimal of the file. */
function decimalOf(number: number): ExactDecimal {
  const decimal = parseDecimal(String(number));
  if (decimal === null) throw new RangeError(`${number} is no decimal number.`);
  return decimal;
}
