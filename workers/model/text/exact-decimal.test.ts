import { expect, test } from 'vitest';
import {
  ceilTo,
  decimalText,
  type ExactDecimal,
  floorTo,
  parseDecimal,
  plainDecimal,
  precisionOf,
  rescaled,
} from './exact-decimal.ts';

/** Reproducible decimals of 1 to 38 digits and any scale. */
function* decimals(count: number): Generator<ExactDecimal> {
  let state = 88_172_645_463_325_252n;
  const next = (below: number): number => {
    state ^= BigInt.asUintN(64, state << 13n);
    state ^= state >> 7n;
    state ^= BigInt.asUintN(64, state << 17n);
    return Number(state % BigInt(below));
  };
  for (let i = 0; i < count; i++) {
    const length = 1 + next(38);
    const digits = BigInt(Array.from({ length }, () => next(10)).join(''));
    yield { unscaled: next(2) === 0 ? digits : -digits, scale: next(40) };
  }
}

test('a written number is read again, digit for digit, with and without an exponent', () => {
  for (const decimal of decimals(2_000)) {
    const text = decimalText(decimal);
    expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d+)?$/);
    expect(parseDecimal(text)).toEqual(decimal);
    expect(plainDecimal(text)).toBe(text);
    expect(parseDecimal(`${decimal.unscaled}e-${decimal.scale}`)).toEqual(decimal);
  }
});

test('a text is its digits over a power of ten', () => {
  for (const decimal of decimals(2_000)) {
    const [whole = '', fraction = ''] = decimalText(decimal).replace('-', '').split('.');
    const unit = 10n ** BigInt(fraction.length);
    const magnitude = BigInt(whole) * unit + BigInt(fraction || 0);
    expect(fraction.length).toBe(decimal.scale);
    expect(decimal.unscaled < 0n ? -magnitude : magnitude).toBe(decimal.unscaled);
  }
});

test('another scale keeps the number, or is refused', () => {
  for (const decimal of decimals(2_000))
    for (const wanted of [0, 2, decimal.scale, decimal.scale + 3, 39]) {
      const other = rescaled(decimal, wanted);
      const [a, b] = [decimal.unscaled * 10n ** BigInt(wanted), 10n ** BigInt(decimal.scale)];
      if (other === null) expect(a % b).not.toBe(0n);
      else expect(other.unscaled * b).toBe(a);
    }
});

test('floor and ceiling enclose the number', () => {
  for (const decimal of decimals(2_000))
    for (const wanted of [0, 2, 7]) {
      const [low, high] = [floorTo(decimal, wanted), ceilTo(decimal, wanted)];
      const [a, b] = [decimal.unscaled * 10n ** BigInt(wanted), 10n ** BigInt(decimal.scale)];
      expect(low * b <= a && a <= high * b).toBe(true);
      expect(high - low).toBe(a % b === 0n ? 0n : 1n);
    }
});

test.each([
  [0.0000001, '0.0000001'],
  [-1.5e-9, '-0.0000000015'],
  [1e21, '1000000000000000000000'],
  [1e308, `1${'0'.repeat(308)}`],
  [12.5, '12.5'],
])('the number %d is written %s', (number, text) => {
  expect(plainDecimal(String(number))).toBe(text);
});

test.each(['', '.', '-', '1,5', '0x10', '1e', 'NaN', '1e401', '1e999999999', ' 1', '١'])('%j is no decimal', (text) => {
  expect(parseDecimal(text)).toBeNull();
});

test.each([
  ['.5', '0.5', 1],
  ['-.05', '-0.05', 2],
  ['5.', '5', 1],
  ['+1.20E+3', '1200', 4],
  ['0E-7', '0.0000000', 7],
  ['-0', '0', 1],
  ['00012.50', '12.50', 4],
])('%j is %s, of %i digits', (text, plain, precision) => {
  expect(plainDecimal(text)).toBe(plain);
  expect(precisionOf(parseDecimal(text)!)).toBe(precision);
});
