import { expect, test } from 'vitest';
import { parseCsv } from './csv-records.ts';

test.each([
  [
    'a,b\r\n1,2\r\n',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,b\n1,\n,2',
    [
      ['a', 'b'],
      ['1', ''],
      ['', '2'],
    ],
  ],
  [
    '"a ""x""","b,c"\n"two\nlines",2',
    [
      ['a "x"', 'b,c'],
      ['two\nlines', '2'],
    ],
  ],
  ['\uFEFFa\n1\n\n2\n', [['a'], ['1'], ['2']]],
  ['', []],
])('%j', (text, records) => {
  expect(parseCsv(text)).toEqual(records);
});
