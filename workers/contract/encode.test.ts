import { expect, test } from 'vitest';
import type { ColumnType } from './dataset.ts';
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

test('bytes keep their lengths, nulls have none', () => {
  const type = { kind: 'bytes', maxLength: 9, fixed: false } as const;
  const values = [Uint8Array.of(1, 2, 3), null, new Uint8Array(0)];
  const { columns } = batchOf(
    values.map((value) => [value]),
    [type],
  );
  expect(decodeColumn(columns[0]!, type, 3)).toEqual(values);
});
