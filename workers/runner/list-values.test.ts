import { expect, test } from 'vitest';
import { decodeColumn } from '#contract/decode.ts';
import { guessListType, listVector } from './list-values.ts';

test.each([
  [['1', '-20', null], 'integer', [1, -20, null]],
  [['1.5', '20', null], 'decimal', ['1.5', '20.0', null]],
  [['-0.05'], 'decimal', ['-0.05']],
  [['007', '012'], 'text', ['007', '012']],
  [['9007199254740993'], 'text', ['9007199254740993']],
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
  expect(guessListType(values)).toBe(as);
  const { vector, type } = listVector({ as, values });
  expect(decodeColumn(vector, type, values.length)).toEqual(expected);
});

test('a value that is not of the type it is said to be is refused', () => {
  expect(() => listVector({ as: 'integer', values: ['1', 'two'] })).toThrow(/“two” is no integer/);
});
