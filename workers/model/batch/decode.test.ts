import { expect, test } from 'vitest';
import type { ColumnVector } from './batch.ts';
import { decodeColumn, rowMajor } from './decode.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const variable = (values: readonly string[]): ColumnVector => {
  const parts = values.map(bytes);
  const offsets = new Uint32Array(values.length + 1);
  parts.forEach((part, i) => {
    offsets[i + 1] = offsets[i]! + part.length;
  });
  return { kind: 'variable', bytes: bytes(values.join('')), offsets, nulls: null };
};
const text = { kind: 'text', maxLength: 50, fixed: false, ascii: false } as const;

test('uuids become lower-case text with dashes, also out of a strided layout', () => {
  const raw = Uint8Array.from({ length: 60 }, (_, i) => (i * 37) & 255);
  const column: ColumnVector = { kind: 'fixed', bytes: raw, offset: 3, stride: 30, width: 16, nulls: null };
  const slow = [3, 33].map((at) =>
    Buffer.from(raw.subarray(at, at + 16))
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  );
  expect(decodeColumn(column, { kind: 'uuid' }, 2)).toEqual(slow);
});

test('fixed ASCII text is cut out of a strided layout', () => {
  const column: ColumnVector = {
    kind: 'fixed',
    bytes: bytes('..abc....def.'),
    offset: 2,
    stride: 7,
    width: 3,
    nulls: null,
  };
  expect(decodeColumn(column, { ...text, fixed: true, ascii: true }, 2)).toEqual(['abc', 'def']);
});

test('variable text of ASCII, of many scripts, and empty values survive', () => {
  for (const values of [
    ['plain', '', 'text'],
    ['grüße', '', '日本語', '🐘 elephant', 'ascii'],
    ['\ufeffbehind a byte order mark', '\ufeff', 'a\ufeff'],
  ]) {
    expect(decodeColumn(variable(values), text, values.length)).toEqual(values);
  }
});

test('nulls are null whatever lies behind them', () => {
  const column: ColumnVector = { ...variable(['a', 'b', 'c']), nulls: Uint8Array.of(0, 1, 0) };
  expect(decodeColumn(column, text, 3)).toEqual(['a', null, 'c']);
});

test('an empty batch decodes to nothing', () => {
  expect(decodeColumn(variable([]), text, 0)).toEqual([]);
  const column: ColumnVector = {
    kind: 'fixed',
    bytes: new Uint8Array(),
    offset: 19,
    stride: 46,
    width: 20,
    nulls: null,
  };
  expect(decodeColumn(column, { ...text, fixed: true, ascii: true }, 0)).toEqual([]);
});

test('columns become rows, one after the other', () => {
  const columns: readonly (readonly (number | string | null)[])[] = [
    [1, 2, 3],
    ['a', null, 'c'],
  ];
  expect(rowMajor(columns, 3)).toEqual([1, 'a', 2, null, 3, 'c']);
  expect(rowMajor(columns, 2), 'the first rows of them').toEqual([1, 'a', 2, null]);
  expect(rowMajor([], 0)).toEqual([]);
});

const column = (...values: number[]): ColumnVector => ({
  kind: 'number',
  values: Float64Array.from(values),
  nulls: null,
});

test('numbers become booleans, exact decimals and timestamps with microseconds', () => {
  expect(decodeColumn(column(0, 1), { kind: 'boolean' }, 2)).toEqual([false, true]);
  expect(decodeColumn(column(-5, 2 ** 53 - 1), { kind: 'bigint' }, 2)).toEqual([-5, 9_007_199_254_740_991]);
  expect(decodeColumn(column(-1_205, 7), { kind: 'decimal', precision: 9, scale: 2 }, 2)).toEqual(['-12.05', '0.07']);
  expect(decodeColumn(column(1_709_210_096_000_789), { kind: 'timestamp' }, 1)).toEqual([
    '2024-02-29T12:34:56.000789Z',
  ]);
});

test('decimals and timestamps are exact at their edges', () => {
  const decimal = (unscaled: number, scale: number) =>
    decodeColumn(column(unscaled), { kind: 'decimal', precision: 15, scale }, 1)[0];
  expect(decimal(-3, 5)).toBe('-0.00003');
  expect(decimal(999_999_999_999_999, 15)).toBe('0.999999999999999');
  expect(decimal(42, 0)).toBe('42');
  expect(decodeColumn(column(-1), { kind: 'timestamp' }, 1)[0]).toBe('1969-12-31T23:59:59.999999Z');
});
