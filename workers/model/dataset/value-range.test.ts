import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { decimalText } from '../text/exact-decimal.ts';
import { valueRange } from './value-range.ts';

const range = (more: object) =>
  valueRange({ type: 'decimal', precision: 15, scale: 2, nulls: 0, distribution: undefined, ...more } as Parameters<
    typeof valueRange
  >[0]);

test.each([
  // × 10^scale these are 0.1 or so off, as doubles go.
  ['20.5674277099821', 13, 205_674_277_099_821],
  ['13269640.8570336', 7, 132_696_408_570_336],
  ['9999999999999.99', 2, 999_999_999_999_999],
  ['0.0000001', 7, 1],
  ['0.000000000000001', 15, 1],
  ['1e-7', 7, 1],
  ['-0.07', 2, -7],
])('%s with %i digits after the point is %d', (text, scale, unscaled) => {
  const bound: unknown = parse(text);
  expect(range({ scale, min: bound, max: bound })).toEqual({ least: unscaled, count: 1 });
});

test('numbers between two values with this number of digits are left out', () => {
  expect(range({ min: 0.001, max: 0.999 })).toEqual({ least: 1, count: 99 });
  expect(range({ min: -0.999, max: -0.001 })).toEqual({ least: -99, count: 99 });
});

test('a bound that is written with up to 15 digits is the very number', () => {
  for (let i = 0; i < 2_000; i++) {
    const scale = i % 15;
    const unscaled = 100_000_000_000_007 + i * 449_999_999_977;
    const text = decimalText({ unscaled: BigInt(unscaled), scale });
    expect(range({ scale, min: 0, max: parse(text) }).count, text).toBe(unscaled + 1);
  }
});
