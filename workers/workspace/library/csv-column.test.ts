import { expect, test } from 'vitest';
import { columnOfFile, wrongInFile } from './csv-column.ts';
import { parseCsv } from './csv-records.ts';

const column = (csv: string, more: object = {}) =>
  columnOfFile(parseCsv(csv, 'x.csv'), { file: 'x.csv', column: 'v', ...more });

test('an empty field is null, and "" an empty text', () => {
  expect(column('n,v\r\n1,""\r\n2,\r\n3,a\r\n4\r\n').values).toEqual(['', null, 'a', null]);
  expect(column('v\n""\n\nb\n').values).toEqual(['', 'b']);
});

test('a word stands for null where it has no quotes; the empty field is then an empty text', () => {
  const csv = 'n,v\n1,\\N\n2,"\\N"\n3,\n4,""\n5,NULL\n';
  expect(column(csv, { nullAs: '\\N' }).values).toEqual([null, '\\N', '', '', 'NULL']);
  expect(column(csv, { nullAs: 'NULL' }).values).toEqual(['\\N', '\\N', '', '', null]);
  expect(column(csv, { nullAs: null }).values).toEqual(['\\N', '\\N', '', '', 'NULL']);
});

test('a value that is not of the type is named with its line, also behind fields of several lines', () => {
  const found = column('n,v\n"two\nlines",1\n\n3,x\n');
  expect(found.lines).toEqual([2, 5]);
  expect(wrongInFile(found, { file: 'x.csv', column: 'v' }, 'integer')?.message).toBe(
    'x.csv, line 5, column “v”: “x” is no integer.',
  );
  expect(wrongInFile(found, { file: 'x.csv', column: 'v' }, 'text')).toBeNull();
  const empty = column('n,v\n1,""\n');
  expect(wrongInFile(empty, { file: 'x.csv', column: 'v' }, 'integer')?.data.hint).toContain('`""` an empty text');
});
