import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { FileColumnSpec } from '#model/dataset/column-specs.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { firstRows } from '#runner/rows/store-rows.ts';
import { tableOfFile, usualLook } from './table-of-file.ts';

/** The table that a file with this content suggests. */
async function suggested(content: string | Uint8Array, file = 'My sales.csv', look = usualLook) {
  const path = join(temporaryFolder(), file);
  writeFileSync(path, content);
  const made = await tableOfFile(path, { file }, look);
  const text = stringify({
    ...{ dyno: 1, name: 'x', question: 'How fast?', tables: { [made.name]: made.table } },
    ...{ workload: { operation: 'statement', method: 'prepared' }, targets: ['sqlite'] },
    ...{ statements: { one: { text: 'SELECT 1' } }, measure: { until: { seconds: 1 } } },
  });
  expect(parseFile(text).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  // A run loads all rows that were looked at.
  const { tables } = parseFile(text).experiment!;
  const { from, columns } = tables![made.name]!;
  const request = { from: from!, path, columns: columns as Record<string, FileColumnSpec>, most: look };
  const { rows } = await firstRows(request, new AbortController().signal);
  expect(rows).toBe(Math.min(look, made.table.rows));
  return { ...made, ...made.table };
}

test('each column gets the type that keeps all of its values, and a name that the experiment can use', async () => {
  const { name, rows, key, columns, told } = await suggested(
    [
      'Order ID,Größe,price,plz,sold,at,zoned,paid,code,note,empty,constructor',
      '1,9007199254740993,12.5,01234,2024-02-29,2024-02-29 10:00:00,2024-02-29T10:00:00+02:00,true,6f9619ff-8b86-d011-b42d-00cf4fc964ff,"say ""hi""",,1e5',
      '2,-5,-0.125,8000,2024-03-01,2024-02-29 10:00:00.123456,2024-02-29T10:00:00Z,FALSE,6f9619ff-8b86-d011-b42d-00cf4fc96400,,,2',
    ].join('\n'),
  );
  expect({ name, rows, key }).toEqual({ name: 'my_sales', rows: 2, key: 'order_id' });
  expect(columns).toEqual({
    order_id: { type: 'file', column: 'Order ID', as: 'integer' },
    gro_e: { type: 'file', column: 'Größe', as: 'integer' },
    price: { type: 'file', as: 'decimal', precision: 5, scale: 3 },
    plz: { type: 'file', as: 'text', maxLength: 10 },
    sold: { type: 'file', as: 'timestamp' },
    at: { type: 'file', as: 'timestamp' },
    zoned: { type: 'file', as: 'timestamp' },
    paid: { type: 'file', as: 'boolean' },
    code: { type: 'file', as: 'uuid' },
    note: { type: 'file', as: 'text', maxLength: 10, nulls: 0.5 },
    empty: { type: 'file', as: 'text', maxLength: 10, nulls: 1 },
    c_constructor: { type: 'file', column: 'constructor', as: 'text', maxLength: 10 },
  });
  expect(told).toEqual([
    'order_id is the key, because its values differ in all rows.',
    'sold: days; a day is stored as its midnight.',
    'at: times without a zone; they are stored as times in UTC.',
    'zoned: times with a zone; they are stored in UTC, without the zone.',
    'empty: null in all rows that were read.',
  ]);
});

test('numbers that no integer or decimal holds exactly are texts, and larger integers are decimals', async () => {
  const { columns } = await suggested(
    `a,b,c,d\n9223372036854775808,1${'0'.repeat(40)},NaN,2024-02-30\n1,1.5,2,2024-02-28\n`,
  );
  expect(columns).toMatchObject({ a: { as: 'decimal', precision: 19, scale: 0 }, b: { as: 'text' } });
  expect(columns).toMatchObject({ c: { as: 'text' }, d: { as: 'text' } });
});

test.each([
  ['rows.ndjson.gz', gzipSync],
  ['rows.jsonl.zst', zstdCompressSync],
])('%s: texts of JSON stay texts, absent fields are nulls, and objects are documents', async (file, compressed) => {
  const lines = [
    '{"id":1,"phone":"41","tags":[1],"mix":{},"x":1e21}',
    '{"id":2,"phone":"42","tags":{},"mix":1,"late":1.25}',
  ];
  const { rows, key, columns, told } = await suggested(compressed(Buffer.from(lines.join('\n'))), file);
  expect({ rows, key }).toEqual({ rows: 2, key: 'id' });
  expect(columns).toEqual({
    id: { type: 'file', as: 'integer' },
    phone: { type: 'file', as: 'text', maxLength: 10 },
    tags: { type: 'file', as: 'document', maxLength: 10 },
    x: { type: 'file', as: 'decimal', precision: 22, scale: 0, nulls: 0.5 },
    late: { type: 'file', as: 'decimal', precision: 3, scale: 2, nulls: 0.5 },
  });
  expect(told.join()).toContain('The column “mix” was left out: it has objects or lists beside other values');
});

test('a Parquet file says its types and its number of rows itself', async () => {
  const { rows, columns, key } = await suggested(
    new Uint8Array(
      parquetWriteBuffer({
        columnData: [
          { name: 'id', data: [1n, 2n, 3n], type: 'INT64' },
          { name: 'word', data: ['1', '2', '3'], type: 'STRING' },
          { name: 'at', data: [new Date(0), null, new Date(1)], type: 'TIMESTAMP' },
        ],
      }),
    ),
    'rows.parquet',
    2,
  );
  expect({ rows, key }).toEqual({ rows: 3, key: 'id' });
  expect(columns).toMatchObject({ word: { as: 'text' }, at: { as: 'timestamp', nulls: 0.5 } });
});

test('days, bytes, letters for true and false, exponents and long texts fit the types that they get', async () => {
  const { columns, key } = await suggested(
    `day,blob,flag,number,upper,long,signed\n0001-01-01,\\x0aFF,t,1.5e-3,TRUE,${'ä'.repeat(1_234)},-0\n9999-12-31,\\x,f,2E+2,false,x,-1\n`,
    'a.tsv',
  );
  expect(key).toBeUndefined();
  expect(columns).toEqual({
    day: { type: 'file', as: 'timestamp' },
    blob: { type: 'file', as: 'bytes', maxLength: 10 },
    flag: { type: 'file', as: 'boolean' },
    number: { type: 'file', as: 'decimal', precision: 7, scale: 4 },
    upper: { type: 'file', as: 'boolean' },
    long: { type: 'file', as: 'text', maxLength: 2_000 },
    signed: { type: 'file', as: 'decimal', precision: 1, scale: 0 },
  });
});

test('after the first rows the others are only counted, and the sentences say so', async () => {
  const { rows, columns, told } = await suggested('id,t,n\n1,ab,1.5\n2,cd,2.5\nx,a long text,777777777\n', 'a.csv', 2);
  expect(rows).toBe(3);
  expect(columns).toMatchObject({ id: { as: 'integer' }, t: { maxLength: 10 }, n: { precision: 5, scale: 1 } });
  expect(told[0]).toContain('the first 2 rows');
});

test('a file that is not in UTF-8 is read as windows-1252; other bytes, names and damage are errors', async () => {
  const { from, told } = await suggested(Buffer.from('id,name\n1,Zürich\n', 'latin1'));
  expect(from).toEqual({ file: 'My sales.csv', encoding: 'windows-1252' });
  expect(told[0]).toContain('windows-1252');
  await expect(suggested('id\n\0')).rejects.toThrow('line 2, column “id”: there is a zero byte');
  await expect(suggested(Buffer.from('{"a":"\xfc"}', 'latin1'), 'a.json')).rejects.toThrow('no UTF-8');
  await expect(suggested('a,a\n1,2\n')).rejects.toThrow('“a” has the name of another column');
  await expect(suggested('a,b\n1\n')).rejects.toThrow('line 2: the record has 1 fields');
  await expect(suggested('id\n')).rejects.toThrow('has no rows');
  await expect(suggested('x', 'a.parquet')).rejects.toThrow('cannot be read as Parquet');
  await expect(suggested('x', 'a.csv.gz')).rejects.toThrow('a.csv.gz cannot be read');
  await expect(tableOfFile(temporaryFolder(), { file: 'a.csv' })).rejects.toThrow('is a folder');
});
