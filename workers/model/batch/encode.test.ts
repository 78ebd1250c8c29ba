import { expect, test } from 'vitest';
import type { ColumnType } from '../dataset/dataset.ts';
import { decodeColumn, type Value } from './decode.ts';
import { batchOf } from './encode.ts';

const cases: readonly (readonly [ColumnType, readonly Value[]])[] = [
  [{ kind: 'uuid' }, ['00112233-4455-6677-8899-aabbccddeeff', null]],
  [{ kind: 'bigint' }, [-(2 ** 45), null, 0]],
  [{ kind: 'decimal', precision: 9, scale: 3 }, ['-0.005', '12.000', null]],
  [{ kind: 'decimal', precision: 9, scale: 0 }, ['-7', null]],
  [{ kind: 'timestamp' }, ['1969-12-31T23:59:59.999999Z', null, '2024-02-29T12:34:56.000789Z']],
  [{ kind: 'boolean' }, [true, false, null]],
  [{ kind: 'text', maxLength: 9, fixed: false, ascii: false }, ['grüße', '', null, '🐘']],
];

test.each(cases)('values of %j become a column that holds them', (type, values) => {
  const { rows, columns } = batchOf(
    values.map((value) => [value]),
    [type],
  );
  expect(decodeColumn(columns[0]!, type, rows)).toEqual(values);
});

test('a decimal that was written with an exponent is the same number, and one that does not fit is refused', () => {
  const type = { kind: 'decimal', precision: 15, scale: 9 } as const;
  const encoded = (text: string) => decodeColumn(batchOf([[text]], [type]).columns[0]!, type, 1);
  expect(encoded('1e-7')).toEqual(['0.000000100']);
  expect(encoded('-1.5E+3')).toEqual(['-1500.000000000']);
  expect(() => encoded('12345678901234567.89')).toThrow(/more digits than a number holds/);
  expect(() => encoded('1e-10')).toThrow(/no decimal with 9 digits/);
});

test('bytes keep their lengths, nulls have none', () => {
  const type = { kind: 'bytes', maxLength: 9, fixed: false } as const;
  const values = [Uint8Array.of(1, 2, 3), null, new Uint8Array(0)];
  const { columns } = batchOf(
    values.map((value) => [value]),
    [type],
  );
  expect(decodeColumn(columns[0]!, type, 3)).toEqual(values);
});
