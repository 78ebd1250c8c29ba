import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { decodeColumn } from '#model/batch/decode.ts';
import type { FileColumnSpec } from '#model/dataset/column-specs.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import { type FromFile, tableEntries } from '#model/dataset/dataset.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { createGenerator } from '../generator/generator.ts';
import { sha256OfFile } from './file-bytes.ts';
import { storeRows } from './store-rows.ts';

type Columns = Readonly<Record<string, Partial<FileColumnSpec>>>;

/** Stores the rows of a file with this content, and returns them as generators read them. */
async function stored(
  content: string | Uint8Array,
  columns: Columns,
  { key = null, most = 1_000_000, ...given }: Partial<FromFile> & { key?: string | null; most?: number } = {},
) {
  const from = { file: 'rows.csv', ...given };
  const folder = temporaryFolder();
  const path = join(folder, from.file);
  writeFileSync(path, content);
  const specs = v.parse(
    tableEntries.columns,
    Object.fromEntries(Object.entries(columns).map(([name, spec]) => [name, { type: 'file', ...spec }])),
  ) as Record<string, FileColumnSpec>;
  const to = join(folder, 'stored.rows');
  const request = { from, path, to, sha256: await sha256OfFile(path), columns: specs, key, most };
  const facts = await storeRows(request, () => {}, new AbortController().signal);
  const dataset = { rows: facts.rows, seed: 1, columns: specs, from, stored: to, ...(key !== null && { key }) };
  const generator = createGenerator(dataset);
  const values = (start: number, rows: number) => {
    const types = tableColumns(dataset).map(({ type }) => type);
    const { columns: vectors } = generator.fill(start, rows, null);
    const decoded = vectors.map((vector, c) => decodeColumn(vector, types[c]!, rows));
    return Array.from({ length: rows }, (_, r) => decoded.map((column) => column[r]));
  };
  return { facts, generator, values, rows: values(0, facts.rows) };
}

test('values of each type keep all their digits', async () => {
  const { rows } = await stored(
    [
      'id,money,at,day,flag,code,blob',
      '9007199254740993,12345678901234567890.12,2024-02-29 12:34:56.123456,1969-12-31,true,6F9619FF-8B86-D011-B42D-00CF4FC964FF,0xBEef',
      '-9223372036854775808,-0.5,2024-02-29T12:34:56+02:00,9999-12-31,F,6f9619ff8b86d011b42d00cf4fc964f0,\\x',
      '7,1e3,2024-02-29 12:34,0001-01-01,1,6f9619ff8b86d011b42d00cf4fc964f1,0x00',
    ].join('\n'),
    {
      id: { as: 'integer' },
      money: { as: 'decimal', precision: 22, scale: 2 },
      at: { as: 'timestamp' },
      day: { as: 'timestamp' },
      flag: { as: 'boolean' },
      code: { as: 'uuid' },
      blob: { as: 'bytes', maxLength: 2 },
    },
  );
  expect(rows.map((row) => row.slice(0, 6))).toEqual([
    [
      9007199254740993n,
      '12345678901234567890.12',
      '2024-02-29T12:34:56.123456Z',
      '1969-12-31T00:00:00.000000Z',
      true,
      '6f9619ff-8b86-d011-b42d-00cf4fc964ff',
    ],
    [
      -9223372036854775808n,
      '-0.50',
      '2024-02-29T10:34:56.000000Z',
      '9999-12-31T00:00:00.000000Z',
      false,
      '6f9619ff-8b86-d011-b42d-00cf4fc964f0',
    ],
    [
      7n,
      '1000.00',
      '2024-02-29T12:34:00.000000Z',
      '0001-01-01T00:00:00.000000Z',
      true,
      '6f9619ff-8b86-d011-b42d-00cf4fc964f1',
    ],
  ]);
  expect(rows.map((row) => Buffer.from(row[6] as Uint8Array).toString('hex'))).toEqual(['beef', '', '00']);
});

test('CSV has quotes, line ends, empty texts and nulls as parameters from CSV have them', async () => {
  const columns = { a: { nulls: 1 }, note: { column: 'the ""note'.replace('""', '"'), nulls: 1 } };
  const text = '\uFEFFa;"the ""note"\r\n"x;1";"say ""hello"""\r\n\r\n"";\n"two\nlines";ä🐘';
  const { rows } = await stored(text, columns);
  expect(rows).toEqual([
    ['x;1', 'say "hello"'],
    ['', null],
    ['two\nlines', 'ä🐘'],
  ]);
  expect((await stored('a\n\\N\n""\n', { a: { nulls: 1 } }, { nullAs: '\\N' })).rows).toEqual([[null], ['']]);
});

test.each([
  [
    'id\n1\nx\n',
    { id: { as: 'integer' } },
    'rows.csv, line 3, column “id”: “x”, which is not a whole number of 64 bits.',
  ],
  ['id\n9223372036854775808\n', { id: { as: 'integer' } }, 'line 2, column “id”: “9223372036854775808”'],
  [
    'id\n1.234\n',
    { id: { as: 'decimal', precision: 5, scale: 2 } },
    '“1.234”, which is not a decimal with 5 digits, 2 of them',
  ],
  ['id\n1000\n', { id: { as: 'decimal', precision: 5, scale: 2 } }, '“1000”, which is not a decimal'],
  ['day\n2024-02-30\n', { day: { as: 'timestamp' } }, 'line 2, column “day”: “2024-02-30”'],
  ['day\n2024-02-29 12:00:00.1234567\n', { day: { as: 'timestamp' } }, 'at most six digits of a second'],
  ['a\nabcd\n', { a: { maxLength: 3 } }, '“abcd”, which is not a text of UTF-8 with at most 3 characters'],
  ['a,b\n1,\n', { b: {} }, 'column “b”: null, and `nulls` of the column is 0.'],
  ['a,b\n1,2\n3\n', { b: {} }, 'rows.csv, line 3: the record has 1 fields, and the header 2.'],
  ['a\n"x\n', { a: {} }, 'line 2: a quote that begins here is never closed.'],
  ['a\nx"y\n', { a: {} }, 'line 2: a quote begins in the middle of a field.'],
  ['a\n"x"y\n', { a: {} }, 'line 2: text goes on after the closing quote of a field.'],
  ['a\n1\n', { b: {} }, 'rows.csv has no column “b”.'],
  ['a,a\n1,2\n', { a: {} }, 'rows.csv has two columns “a”.'],
  ['a\n', { a: {} }, 'rows.csv has no rows.'],
] as const)('%j is refused with its place', async (text, columns, message) => {
  await expect(stored(text, columns)).rejects.toThrowError(message);
});

test('bytes that are no UTF-8 are refused, unless the table names their encoding', async () => {
  const latin = Buffer.from('a\ngr\xfcn\n', 'latin1');
  await expect(stored(latin, { a: {} })).rejects.toThrowError('line 2, column “a”');
  expect((await stored(latin, { a: {} }, { encoding: 'windows-1252' })).rows).toEqual([['grün']]);
  const wide = Buffer.from('\uFEFFa\ngrün\n', 'utf16le');
  expect((await stored(wide, { a: {} })).rows).toEqual([['grün']]);
});

test('compressed files have the rows of their content', async () => {
  const text = 'a\n1\n2\n';
  expect((await stored(gzipSync(text), { a: {} }, { file: 'rows.csv.gz' })).rows).toEqual([['1'], ['2']]);
  expect((await stored(zstdCompressSync(text), { a: {} }, { file: 'rows.csv.zst' })).rows).toEqual([['1'], ['2']]);
  await expect(stored('no gzip', { a: {} }, { file: 'rows.csv.gz' })).rejects.toThrowError(
    'rows.csv.gz cannot be read',
  );
});

test('NDJSON has exact numbers, absent fields are null, and nested values are documents', async () => {
  const text = [
    '{"id":9007199254740993,"tag":"x","more":{"b":1,"2":[true,null],"1":"ü"}}',
    '{"id":2,"more":null}',
    '',
    '{"tag":"","id":3,"more":[1.50]}',
  ].join('\n');
  const columns = {
    id: { as: 'integer' },
    tag: { nulls: 1 },
    more: { as: 'document', maxLength: 100, nulls: 1 },
  } as const;
  expect((await stored(text, columns, { file: 'rows.ndjson' })).rows).toEqual([
    [9007199254740993n, 'x', '{"b":1,"2":[true,null],"1":"ü"}'],
    [2n, null, null],
    [3n, '', '[1.5]'],
  ]);
  const nested = stored('{"a":{"b":1}}', { a: {} }, { file: 'rows.ndjson' });
  await expect(nested).rejects.toThrowError('an object or a list, which only `as: document` stores');
  const inexact = stored('{"a":{"b":9007199254740993}}', { a: { as: 'document' } }, { file: 'rows.ndjson' });
  await expect(inexact).rejects.toThrowError('whose numbers a double holds exactly');
  await expect(stored('[1]', { a: {} }, { file: 'rows.ndjson' })).rejects.toThrowError('line 1: there is no object');
});

test('NDJSON keeps the digits of decimals, and refuses what UTF-8 cannot hold', async () => {
  const decimals = { a: { as: 'decimal', precision: 18, scale: 9 } } as const;
  expect((await stored('{"a":123456789.123456789}', decimals, { file: 'rows.ndjson' })).rows).toEqual([
    ['123456789.123456789'],
  ]);
  const latin = stored(Buffer.from('{"a":"\xfc"}', 'latin1'), { a: {} }, { file: 'rows.ndjson' });
  await expect(latin).rejects.toThrowError('rows.ndjson, line 1: the bytes are no UTF-8');
  const half = stored('{"a":"\\ud800"}', { a: {} }, { file: 'rows.ndjson' });
  await expect(half).rejects.toThrowError('the text of “a” ends within a character');
});

test('two rows with one key are an error that names both', async () => {
  const columns = { id: { as: 'integer' } } as const;
  await expect(stored('id\n1\n-1\n9007199254740993\n-1\n', columns, { key: 'id' })).rejects.toThrowError(
    'rows.csv: the rows 2 and 4 have the same key “-1” (column “id”).',
  );
  expect((await stored('id\n1\n-1\n', columns, { key: 'id' })).facts.rows).toBe(2);
});

test('rows of any block and order are read, and the file begins again behind its last row', async () => {
  const count = 20_000;
  const lines = Array.from({ length: count }, (_, i) => `${i === 10_000 ? '9007199254740993' : i},text ${i}`);
  const columns = { id: { as: 'integer' }, note: { maxLength: 20 } } as const;
  const { values, generator, facts } = await stored(`id,note\n${lines.join('\n')}\n`, columns);
  expect(facts).toMatchObject({ rows: count, isWhole: true });
  expect(values(8_190, 4).map(([, note]) => note)).toEqual(['text 8190', 'text 8191', 'text 8192', 'text 8193']);
  expect(values(9_999, 3).map(([id]) => id)).toEqual([9_999n, 9007199254740993n, 10_001n]);
  expect(values(count, 2)).toEqual(values(0, 2));
  const { columns: picked } = generator.pick(Float64Array.of(19_999, 0, 12));
  expect(decodeColumn(picked[1]!, { kind: 'text', maxLength: 20, fixed: false, ascii: false }, 3)).toEqual([
    'text 19999',
    'text 0',
    'text 12',
  ]);
});

test('a file with the key has each row once, and no more rows are read than wanted', async () => {
  const { values, facts } = await stored('id\n1\n2\n3\n', { id: { as: 'integer' } }, { key: 'id', most: 2 });
  expect(facts).toEqual({ rows: 2, isWhole: false });
  expect(() => values(2, 1)).toThrowError('rows.csv has 2 rows, and row 3 is needed');
});

test('a file that has changed since the run began is refused', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'rows.csv');
  writeFileSync(path, 'a\n1\n');
  const request = {
    from: { file: 'rows.csv' },
    path,
    to: join(folder, 'to'),
    sha256: '0',
    columns: {},
    key: null,
    most: 1,
  };
  await expect(storeRows(request, () => {}, new AbortController().signal)).rejects.toThrowError('has changed since');
});
