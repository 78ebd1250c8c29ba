import { expect, test } from 'vitest';
import { decodeColumn } from '#model/batch/decode.ts';
import { firstWrong, fittingType, listVector, looksLikeType } from './list-values.ts';

test.each([
  [['1', '-20', null], 'integer', [1, -20, null]],
  [['1.5', '20', null], 'decimal', ['1.5', '20.0', null]],
  [['-0.05'], 'decimal', ['-0.05']],
  [['007', '012'], 'text', ['007', '012']],
  [['9007199254740993', '-9223372036854775808', null], 'integer', [9_007_199_254_740_993n, -(2n ** 63n), null]],
  [['9223372036854775808'], 'decimal', ['9223372036854775808']],
  [['12345678901234567.89', '-1', null], 'decimal', ['12345678901234567.89', '-1.00', null]],
  [['0.0000001'], 'decimal', ['0.0000001']],
  [['9'.repeat(39)], 'text', ['9'.repeat(39)]],
  [['1e-7'], 'text', ['1e-7']],
  [['2024-02-29 12:34:56.1234567', null], 'timestamp', ['2024-02-29T12:34:56.1234567Z', null]],
  [['0190A1B2-0000-7000-8000-00000000000f'], 'uuid', ['0190a1b2-0000-7000-8000-00000000000f']],
  [
    ['2024-02-29', '2024-02-29 12:34:56.000789', '2024-02-29T12:34:56+02'],
    'timestamp',
    ['2024-02-29T00:00:00.000000Z', '2024-02-29T12:34:56.000789Z', '2024-02-29T10:34:56.000000Z'],
  ],
  [['true', 'F'], 'boolean', [true, false]],
  [['grüße', '', null], 'text', ['grüße', '', null]],
  [[null], 'text', [null]],
] as const)('%j is %s', (values, as, expected) => {
  expect(looksLikeType(values)).toBe(as);
  const { vector, type } = listVector({ as, values });
  expect(decodeColumn(vector, type, values.length)).toEqual(expected);
});

test.each([
  [['1E-7', '-.5', null], 'decimal', ['0.0000001', '-0.5000000', null]],
  [['1e-7', '1e308', null], 'float', [1e-7, 1e308, null]],
  [['1', '0', 't'], 'boolean', [true, false, true]],
  [['0x00ff', '\\x', null], 'bytes', [Uint8Array.of(0, 255), new Uint8Array(0), null]],
  [['0x0190A1B200007000800000000000000f'], 'uuid', ['0190a1b2-0000-7000-8000-00000000000f']],
] as const)('%j may be said to be %s', (values, as, expected) => {
  const { vector, type } = listVector({ as, values });
  const bytesAlike = (value: unknown) => (value instanceof Uint8Array ? Uint8Array.from(value) : value);
  expect(decodeColumn(vector, type, values.length).map(bytesAlike)).toEqual(expected);
});

test.each([
  ['integer', '9223372036854775808'],
  ['float', '1e309'],
  ['timestamp', '2024-02-30'],
  ['bytes', '0x0'],
] as const)('%s does not go up to %s', (as, value) => {
  expect(() => listVector({ as, values: [value] })).toThrow(`“${value}” is no ${as}`);
});

test('a value that is not of the type it is said to be is refused', () => {
  expect(() => listVector({ as: 'integer', values: ['1', 'two'] })).toThrow(/“two” is no integer/);
});

test('a file says its decimals with the digits that every engine has; those of a server may have more', () => {
  const long = `1${'0'.repeat(38)}`;
  expect(firstWrong('decimal', [null, '1.5', long])).toBe(2);
  expect(fittingType('decimal', [long])).toBe('decimal');
  const { vector, type } = listVector({ as: 'decimal', values: [long] });
  expect(decodeColumn(vector, type, 1)).toEqual([long]);
});

test.each([
  ['integer', ['1', null], 'integer'],
  ['integer', ['18446744073709551615'], 'decimal'],
  ['decimal', ['1.5', 'NaN'], 'text'],
  ['float', ['0.1', '-Infinity'], 'text'],
  ['timestamp', ['0000-00-00 00:00:00'], 'text'],
  ['timestamp', ['2024-02-29 23:59:59'], 'timestamp'],
  ['own', ['{"value":{"$oid":"000000000000000000000000"}}'], 'own'],
] as const)('%s of a server, %j, is sent as %s', (type, values, as) => {
  expect(fittingType(type, values)).toBe(as);
});

test('days and times that do not exist are text, and no timestamp', () => {
  for (const text of ['2024-02-30', '0000-00-00', '2023-02-29', '2024-03-01 25:00:00']) {
    expect(looksLikeType(['2024-03-01', text])).toBe('text');
    expect(firstWrong('timestamp', ['2024-03-01', text])).toBe(1);
  }
});
