import { expect, test } from 'vitest';
import { DynoError } from '#model/error.ts';
import { CsvReader } from '#runner/rows/csv-reader.ts';
import { Sfc32 } from '#stats/random/random.ts';
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
  const [head, ...records] = parseCsv('a,b\r\n"",\r\n\r\n"x\r\ny",""\r\nz\r\n', 'x.csv');
  const field = (text: string, quoted: boolean) => ({ text, quoted });
  expect(head).toEqual({ line: 1, fields: [field('a', false), field('b', false)] });
  expect(records).toEqual([
    { line: 2, fields: [field('', true), field('', false)] },
    { line: 4, fields: [field('x\r\ny', true), field('', true)] },
    { line: 6, fields: [field('z', false)] },
  ]);
});

test.each([
  ['word,note\nalpha,"one\nbeta,two\n', 2, /never closed/],
  ['word\nalpha\n"several\nlines"\n\nbe"ta"\n', 6, /in the middle of a field/],
  ['word,note\n"al"pha,1\n', 2, /after the closing quote/],
  ['word\r\n"several\r\nlines\r\n"\r\nbe"ta"\r\n', 5, /in the middle of a field/],
])('%j: a quote that is out of place is an error with file, line and what to do', (text, line, what) => {
  const thrown = thrownBy(() => parseCsv(text, 'words.csv'));
  expect(thrown.message).toMatch(new RegExp(`^words\\.csv, line ${line}: `));
  expect(thrown.message).toMatch(what);
  expect(thrown.data).toMatchObject({ kind: 'badInput', hint: expect.stringContaining('"say ""hello"""') });
});

test('the reader of rows, which reads bytes in pieces, finds the same records and mistakes as the parser of lists', () => {
  const random = new Sfc32(7);
  const outcomes = { records: 0, ragged: 0, quotes: 0 };
  for (let tried = 0; tried < 5_000; tried++) {
    const text = `a,b\n${madeRecords(random)}`;
    const read = readInPieces(text, random);
    let records: ReturnType<typeof parseCsv>;
    try {
      records = parseCsv(text, 'x.csv');
    } catch (thrown) {
      // A record before the mistake may have too many fields.
      if (!/the record has/.test(String(read))) {
        expect(String(read), JSON.stringify(text)).toBe((thrown as Error).message);
        outcomes.quotes++;
      }
      continue;
    }
    const ragged = records.find(({ fields }) => fields.length !== 2);
    if (ragged) {
      expect(String(read), JSON.stringify(text)).toBe(
        `x.csv, line ${ragged.line}: the record has ${ragged.fields.length} fields, and the header 2.`,
      );
      outcomes.ragged++;
    } else {
      const texts = records.slice(1).map(({ fields }) => fields.map((field) => field.text));
      expect(read, JSON.stringify(text)).toEqual(texts);
      outcomes.records++;
    }
  }
  expect(Math.min(...Object.values(outcomes)), JSON.stringify(outcomes)).toBeGreaterThan(200);
});

/** A few records of mostly two fields, now and then with a sign at a wrong place. */
function madeRecords(random: Sfc32): string {
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)]!;
  const fields = ['', 'x', ' é ', '""', '"a""b"', '"a\r\nb"', '"c,\rd"', 'long text'] as const;
  const record = () => [pick(fields), ...(random.below(30) === 0 ? [] : [pick(fields)])].join(',');
  const ends = ['\n', '\r\n', '\r', '\n\n', '\r\n\r\n'] as const;
  const text = Array.from({ length: 1 + random.below(5) }, () => record() + pick(ends)).join('');
  if (random.below(4) > 0) return text;
  const at = random.below(text.length);
  return text.slice(0, at) + pick(['"', ',', '\r', '\n', 'y']) + text.slice(at);
}

/** The records that CsvReader finds below the header, or its message. */
function readInPieces(text: string, random: Sfc32): readonly (readonly string[])[] | string {
  const records: string[][] = [];
  let record: string[] = [];
  const reader = new CsvReader({
    file: 'x.csv',
    nullAs: null,
    onHead: (names) => new Map(names.map((name, at) => [name, [at]])),
    sink: {
      value(column, bytes, start, end) {
        record[column] = Buffer.from(bytes.subarray(start, end)).toString();
      },
      noValue() {},
      endRow() {
        records.push(record);
        record = [];
        return true;
      },
    },
  });
  const bytes = Buffer.from(text);
  try {
    for (let at = 0; at < bytes.length; ) {
      const end = at + 1 + random.below(5);
      reader.push(Uint8Array.from(bytes.subarray(at, end)), end >= bytes.length);
      at = end;
    }
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return records;
}

function thrownBy(call: () => unknown): DynoError {
  try {
    call();
  } catch (thrown) {
    if (thrown instanceof DynoError) return thrown;
    throw thrown;
  }
  return expect.unreachable('it was accepted');
}
