import { describe, expect, it } from 'vitest';
import { toCsv } from './csv.ts';

describe('toCsv', () => {
  it('quotes what needs it and leaves unmeasured fields empty', () => {
    expect(
      toCsv({
        columns: ['a', 'b "c"'],
        rows: [
          ['x, y', 1.5],
          [null, Number.NaN],
        ],
      }),
    ).toBe('a,"b ""c"""\r\n"x, y",1.5\r\n,\r\n');
  });

  it('does not let text become a formula', () => {
    expect(toCsv({ columns: ['a'], rows: [['=HYPERLINK("x")'], [-1]] })).toBe('a\r\n"\'=HYPERLINK(""x"")"\r\n-1\r\n');
  });

  it.each([
    [' =cmd|calc', "' =cmd|calc"],
    ['a;=cmd|calc', '"a;\'=cmd|calc"'],
    ['a\t@cmd', '"a\t\'@cmd"'],
    ['\n+cmd', '"\'\n+cmd"'],
    ['＝cmd', "'＝cmd"],
    ['wait 5-10', 'wait 5-10'],
  ])('does not let %j become one behind blanks and other separators', (text, field) => {
    expect(toCsv({ columns: ['a'], rows: [[text]] })).toBe(`a\r\n${field}\r\n`);
  });
});
