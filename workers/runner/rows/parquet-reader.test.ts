import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { readRows } from './read-rows.ts';
import type { ParquetType } from './row-sink.ts';

type Written = Parameters<typeof parquetWriteBuffer>[0];

/** The types that a Parquet file says, and the texts of its values, row by row. */
async function read(written: Written) {
  const path = join(temporaryFolder(), 'rows.parquet');
  writeFileSync(path, new Uint8Array(parquetWriteBuffer(written)));
  let types: ReadonlyMap<string, ParquetType> = new Map();
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  const take = (column: number, bytes: Uint8Array, start: number, end: number) => {
    row[column] = Buffer.from(bytes.subarray(start, end)).toString('utf8');
  };
  await readRows(
    path,
    { file: 'rows.parquet' },
    {
      onColumns(names, typed) {
        types = typed;
        return new Map(names.filter((name) => typed.get(name)?.as !== null).map((name, index) => [name, [index]]));
      },
      sink: {
        value: take,
        nested: (column, bytes) => take(column, bytes, 0, bytes.length),
        noValue(column) {
          row[column] = null;
        },
        endRow() {
          rows.push(row);
          row = [];
          return true;
        },
      },
    },
    () => {},
    new AbortController().signal,
  );
  return { types: Object.fromEntries(types), rows };
}

const leaf = (name: string, more: object) => ({ name, repetition_type: 'OPTIONAL' as const, ...more });

test('values of Parquet keep all digits, whatever their type', async () => {
  const schema = [
    { name: 'root', num_children: 5 },
    leaf('money', {
      type: 'FIXED_LEN_BYTE_ARRAY',
      type_length: 16,
      converted_type: 'DECIMAL',
      precision: 30,
      scale: 2,
    }),
    leaf('small', { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 3 }),
    leaf('nanos', {
      type: 'INT64',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'NANOS' },
    }),
    leaf('day', { type: 'INT32', converted_type: 'DATE' }),
    leaf('micros', { type: 'INT64', converted_type: 'TIMESTAMP_MICROS' }),
  ] as unknown as NonNullable<Written['schema']>;
  const { types, rows } = await read({
    schema,
    columnData: [
      { name: 'money', data: [-1234567890123456789012n, null] },
      { name: 'small', data: [-5n, 1234567890123456789n] },
      { name: 'nanos', data: [1709210096123456789n, -1n] },
      { name: 'day', data: [-1, 2932896] },
      { name: 'micros', data: [-1n, 1709210096123456n] },
    ],
  });
  expect(types.money).toEqual({ as: 'decimal', precision: 30, scale: 2 });
  expect(rows).toEqual([
    [
      '-12345678901234567890.12',
      '-0.005',
      '2024-02-29T12:34:56.123456789Z',
      '1969-12-31T00:00:00Z',
      '1969-12-31T23:59:59.999999Z',
    ],
    [
      null,
      '1234567890123456.789',
      '1969-12-31T23:59:59.999999999Z',
      '9999-12-31T00:00:00Z',
      '2024-02-29T12:34:56.123456Z',
    ],
  ]);
});

test('numbers, texts, bytes, UUIDs and JSON come as texts of their types', async () => {
  const { types, rows } = await read({
    columnData: [
      { name: 'id', data: [9007199254740993n, -1n], type: 'INT64' },
      { name: 'ratio', data: [0.1, 1e-300], type: 'DOUBLE' },
      { name: 'on', data: [true, false], type: 'BOOLEAN' },
      { name: 'note', data: ['grün', null], type: 'STRING', nullable: true },
      { name: 'raw', data: [Uint8Array.of(1, 255), new Uint8Array(0)], type: 'BYTE_ARRAY' },
      { name: 'code', data: Array(2).fill('6f9619ff-8b86-d011-b42d-00cf4fc964ff'), type: 'UUID' },
      { name: 'more', data: [{ a: [1] }, { a: [] }], type: 'JSON' },
    ],
  });
  expect(Object.values(types).map(({ as }) => as)).toEqual([
    'integer',
    'double',
    'boolean',
    'text',
    'bytes',
    'uuid',
    'document',
  ]);
  expect(rows).toEqual([
    ['9007199254740993', '0.1', 'true', 'grün', '0x01ff', '6f9619ff8b86d011b42d00cf4fc964ff', '{"a":[1]}'],
    ['-1', '1e-300', 'false', null, '0x', '6f9619ff8b86d011b42d00cf4fc964ff', '{"a":[]}'],
  ]);
});

test('lists and groups are refused with a reason, and rows of several compressed groups are read in order', async () => {
  const schema = [
    { name: 'root', num_children: 2 },
    leaf('id', { type: 'INT32' }),
    { name: 'tags', repetition_type: 'OPTIONAL', num_children: 1, converted_type: 'LIST' },
    { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    leaf('element', { type: 'INT32' }),
  ] as unknown as NonNullable<Written['schema']>;
  const lists = await read({
    schema,
    columnData: [
      { name: 'id', data: [1, 2] },
      { name: 'tags', data: [[1], [2, 3]] },
    ],
  });
  expect(lists.types.tags).toEqual({ as: null, why: expect.stringContaining('a list') });
  expect(lists.rows).toEqual([['1'], ['2']]);
  const data = Array.from({ length: 2_500 }, (_, i) => `text ${i % 700}`);
  for (const [codec, compress] of [
    ['GZIP', gzipSync],
    ['ZSTD', zstdCompressSync],
    ['SNAPPY', null],
  ] as const) {
    const compressors = compress && {
      compressors: { [codec]: (bytes: Uint8Array) => new Uint8Array(compress(bytes)) },
    };
    const { rows } = await read({
      columnData: [{ name: 'a', data, type: 'STRING' }],
      rowGroupSize: 1_000,
      codec,
      ...compressors,
    });
    expect(rows.map(([text]) => text)).toEqual(data);
  }
});

test('a file that is no Parquet is an error that names it', async () => {
  const path = join(temporaryFolder(), 'rows.parquet');
  writeFileSync(path, 'a,b\n1,2\n');
  const rows = { onColumns: () => new Map(), sink: { value() {}, nested() {}, noValue() {}, endRow: () => true } };
  await expect(
    readRows(path, { file: 'rows.parquet' }, rows, () => {}, new AbortController().signal),
  ).rejects.toThrowError('rows.parquet cannot be read as Parquet');
});
