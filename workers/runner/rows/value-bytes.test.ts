import { expect, test } from 'vitest';
import type { ColumnVector } from '#model/batch/batch.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import { valueBytes } from './value-bytes.ts';

const text: ColumnType = { kind: 'text', maxLength: 9, fixed: false, ascii: false };
const nulls = Uint8Array.of(0, 1);

const bytesOf = (type: ColumnType, column: ColumnVector) => valueBytes({ rows: 2, columns: [column] }, [type]);

/** Texts, beginning anywhere in a buffer as slices of stored rows do. */
const texts = (first: string, second: string, isNull = false): ColumnVector => {
  const bytes = Buffer.from(`before${first}${second}`);
  const end = bytes.length;
  return {
    kind: 'variable',
    bytes,
    offsets: Uint32Array.of(6, end - Buffer.byteLength(second), end),
    nulls: isNull ? nulls : null,
  };
};

test('texts and bytes count with their length in bytes, and nulls do not count', () => {
  expect(bytesOf(text, texts('aé', '€'))).toBe(6);
  expect(bytesOf(text, texts('aé', '€', true))).toBe(3);
  expect(bytesOf({ kind: 'bytes', maxLength: 9, fixed: false }, texts('', 'abcd'))).toBe(4);
  const fixed = { kind: 'fixed', bytes: Buffer.from('abcdef'), offset: 0, stride: 3, width: 2, nulls } as const;
  expect(bytesOf({ ...text, fixed: true, ascii: true }, fixed)).toBe(2);
});

test('a number counts the same whether Dyno holds it as a double or as its digits', () => {
  const doubles = { kind: 'number', values: Float64Array.of(1, 2), nulls: null } as const;
  const decimal = { kind: 'decimal', precision: 38, scale: 2 } as const;
  expect(bytesOf({ kind: 'bigint' }, doubles)).toBe(16);
  expect(bytesOf({ kind: 'bigint' }, texts('9223372036854775807', '1'))).toBe(16);
  expect(bytesOf(decimal, texts('12345678901234567890.12', '0.50', true))).toBe(8);
});

test('times, booleans and UUIDs have the sizes that the glossary names', () => {
  const number = { kind: 'number', values: Float64Array.of(1, 0), nulls: null } as const;
  const uuid = { kind: 'fixed', bytes: new Uint8Array(40), offset: 4, stride: 20, width: 16, nulls } as const;
  expect(bytesOf({ kind: 'timestamp' }, number)).toBe(16);
  expect(bytesOf({ kind: 'boolean' }, number)).toBe(2);
  expect(bytesOf({ kind: 'uuid' }, uuid)).toBe(16);
});
