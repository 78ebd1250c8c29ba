import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { readStructure } from './parquet-thrift.ts';
import { readRows } from './read-rows.ts';
import type { ParquetType } from './row-sink.ts';

type Written = Parameters<typeof parquetWriteBuffer>[0];

/** The types that a Parquet file says, and the texts of its values, row by row. */
const read = (written: Written) => readFile(new Uint8Array(parquetWriteBuffer(written)));

async function readFile(file: Uint8Array) {
  const path = join(temporaryFolder(), 'rows.parquet');
  writeFileSync(path, file);
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

/** Thrift’s compact protocol, for files that no library writes. */
const varint = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
const int = (value: number) => [5, ...varint(((value << 1) ^ (value >> 31)) >>> 0)];
const long = (value: number) => [6, ...varint(value * 2)];
const text = (value: string) => [8, ...varint(value.length), ...Buffer.from(value)];
const list = (elements: readonly (readonly number[])[], length = elements.length) => [
  ...[9, 0xf0 | (elements[0]?.[0] ?? 12), ...varint(length)],
  ...elements.flatMap(([, ...bytes]) => bytes),
];
/** A structure of the fields 1, 2 and so on; null: the field is absent. */
const struct = (...fields: readonly (readonly number[] | null)[]) => {
  let last = 0;
  const bytes = fields.flatMap((field, i) => {
    if (field === null) return [];
    const [type = 0, ...rest] = field;
    const head = ((i + 1 - last) << 4) | type;
    last = i + 1;
    return [head, ...rest];
  });
  return [12, ...bytes, 0];
};

interface Forged {
  readonly rows?: number;
  readonly groupRows?: number;
  readonly type?: number;
  readonly repetition?: number;
  readonly codec?: number;
  readonly values?: number;
  readonly encoding?: number;
  readonly decompressed?: number;
  readonly page?: Uint8Array | readonly number[];
  readonly compressed?: number;
  readonly chunkBytes?: number;
  /** Replaces the list of groups. */
  readonly groups?: readonly number[];
}

/** A file with one column “a” of one page. */
function forged({ rows = 1, page = [1, 0, 0, 0], ...of }: Forged): Uint8Array {
  const { values = rows, type = 1, repetition = 0, codec = 0, encoding = 0, groupRows = rows } = of;
  const header = struct(
    ...[int(0), int(of.decompressed ?? page.length), int(of.compressed ?? page.length), null],
    struct(int(values), int(encoding), int(3), int(3)),
  ).slice(1);
  const chunk = [...header, ...page];
  const size = of.chunkBytes ?? chunk.length;
  const meta = struct(
    ...[int(type), list([int(encoding)]), list([text('a')]), int(codec), long(values), long(size), long(size)],
    ...[null, long(4)],
  );
  const groups = list([struct(list([struct(null, long(4), meta)]), long(size), long(groupRows))]);
  const footer = struct(
    int(1),
    list([struct(null, null, null, text('root'), int(1)), struct(int(type), int(16), int(repetition), text('a'))]),
    ...[long(rows), of.groups ?? groups],
  ).slice(1);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  return Buffer.concat([Buffer.from('PAR1'), Buffer.from([...chunk, ...footer]), length, Buffer.from('PAR1')]);
}

const readForged = (of: Forged) => readFile(forged(of));

test('a made-up file without a fault is read', async () => {
  expect((await readForged({})).rows).toEqual([['1']]);
  expect(
    (await readForged({ rows: 2, encoding: 8, type: 6, repetition: 1, page: [2, 0, 0, 0, 4, 0, 0] })).rows,
  ).toEqual([[null], [null]]);
});

test('a description with more values than allowed is an error', () => {
  const bytes = Uint8Array.from(struct(list(Array<number[]>(11).fill([12, 0]))).slice(1));
  expect(readStructure({ bytes, offset: 0, left: 12 }).size).toBe(0);
  expect(() => readStructure({ bytes, offset: 0, left: 11 })).toThrowError('too many values');
});

const large = 2 ** 30;
const million = 1_000_000;
const snappyZeros = (length: number) => [...varint(length), 0, 0];

test.each<readonly [what: string, of: Forged, error: string]>([
  ['more rows than its groups', { rows: large, groupRows: 1 }, 'do not have the number of rows'],
  ['more rows than its pages', { rows: large, values: 1 }, 'fewer values than its group'],
  ['a page of many values', { rows: large }, 'can be read at once'],
  ['a page of many bytes', { codec: 1, decompressed: large * 1.9, page: snappyZeros(8) }, 'can be read at once'],
  ['a page behind its column', { compressed: million }, 'behind its column'],
  ['a page of negative length', { compressed: -12 }, 'header of a page is damaged'],
  ['a column behind its end', { chunkBytes: million }, 'ends behind the file'],
  ['a list of groups that are not there', { groups: list([struct()], 30 * million) }, 'is damaged'],
  [
    'levels that repeat one value',
    { repetition: 1, page: [8, 0, 0, 0, ...varint(large), 1, 0, 0, 0, 0, 0] },
    'values of a page are damaged',
  ],
  [
    'indexes that repeat one value',
    { type: 6, encoding: 8, page: [1, ...varint(large), 0] },
    'values of a page are damaged',
  ],
  [
    'a compressed page with such indexes',
    { type: 6, encoding: 8, codec: 2, decompressed: 7, page: gzipSync(Buffer.from([1, ...varint(large), 0])) },
    'values of a page are damaged',
  ],
  [
    'values that share long prefixes',
    // Value by value, the declared prefix is 1,000 bytes longer: 8 GB together.
    {
      ...{ rows: 4_000, type: 6, encoding: 7 },
      page: [8_000, 1, 4_000, 0, 2_000, 0, 8_000, 1, 4_000, 0, 0, 0].flatMap(varint),
    },
    'take too much memory',
  ],
])('a hostile file with %s ends with an error', async (_, of, error) => {
  const before = process.memoryUsage();
  await expect(readForged(of)).rejects.toThrowError(error);
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  expect(heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(1_000_000_000);
});
