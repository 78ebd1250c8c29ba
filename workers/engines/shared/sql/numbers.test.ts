import { expect, test } from 'vitest';
import { numberSql } from './numbers.ts';

test.each([
  [5, '5'],
  [-5, '(-5)'],
  [-0, '0'],
  [-0.5, '(-0.5)'],
  [1e-7, '1e-7'],
  [-(2 ** 63), '(-9223372036854775808)'],
  [2 ** 63, '9223372036854775808'],
  [1e21, '1e+21'],
  [-1e308, '(-1e+308)'],
  [-9_223_372_036_854_775_808n, '(-9223372036854775808)'],
  ['-12.050', '(-12.050)'],
  ['12.050', '12.050'],
])('%s is written %s', (value, expected) => {
  expect(numberSql(value)).toBe(expected);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
  '%s would be a name: it is refused',
  (value) => {
    expect(() => numberSql(value)).toThrow(`no literal of ${value}`);
  },
);
