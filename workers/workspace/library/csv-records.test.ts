import { expect, test } from 'vitest';
import { DynoError } from '#model/error.ts';
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
  [
    '"a,b,c";d\n1,5;2',
    [
      ['a,b,c', 'd'],
      ['1,5', '2'],
    ],
  ],
  [
    'a\tb\n1\t2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  ['', []],
])('%j', (text, records) => {
  expect(parseCsv(text, 'words.csv').map(({ fields }) => fields.map((field) => field.text))).toEqual(records);
});

test('a field between quotes is told from one without, and records have the lines that they begin on', () => {
  const [head, ...records] = parseCsv('a,b\r\n"",\r\n\r\n"x\r\ny",""\r\n', 'x.csv');
  const field = (text: string, quoted: boolean) => ({ text, quoted });
  expect(head).toEqual({ line: 1, fields: [field('a', false), field('b', false)] });
  expect(records).toEqual([
    { line: 2, fields: [field('', true), field('', false)] },
    { line: 4, fields: [field('x\r\ny', true), field('', true)] },
  ]);
});

test.each([
  ['word,note\nalpha,"one\nbeta,two\n', 2, /never closed/],
  ['word\nalpha\n"several\nlines"\n\nbe"ta"\n', 6, /in the middle of a field/],
  ['word,note\n"al"pha,1\n', 2, /after the closing quote/],
])('%j: a quote that is out of place is an error with file, line and what to do', (text, line, what) => {
  const thrown = thrownBy(() => parseCsv(text, 'words.csv'));
  expect(thrown.message).toMatch(new RegExp(`^words\\.csv, line ${line}: `));
  expect(thrown.message).toMatch(what);
  expect(thrown.data).toMatchObject({ kind: 'badInput', hint: expect.stringContaining('"say ""hello"""') });
});

function thrownBy(call: () => unknown): DynoError {
  try {
    call();
  } catch (thrown) {
    if (thrown instanceof DynoError) return thrown;
    throw thrown;
  }
  return expect.unreachable('it was accepted');
}
