import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatUpTo } from '../format/format.ts';
import { type NumberRules, readNumber } from './read-number.ts';

const rows: NumberRules = { unit: 'rows', whole: true, min: 1, max: 1_000_000_000 };
const seconds: NumberRules = { unit: 's', min: 0.1 };
const german: NumberRules = { decimalSign: ',' };

test.each([
  ['0,5', {}, 0.5, '= 0.5'],
  ['1,2', {}, 1.2, '= 1.2'],
  ['0.5', {}, 0.5, null],
  ['.5', {}, 0.5, '= 0.5'],
  ['-3', {}, -3, null],
  ['−3', {}, -3, null],
  ['1e6', {}, 1_000_000, '= 1,000,000'],
  ['20000', rows, 20_000, null],
  ['100k', rows, 100_000, '= 100,000\u00a0rows'],
  ['1.5M', rows, 1_500_000, '= 1,500,000\u00a0rows'],
  ['1,5 M', rows, 1_500_000, '= 1,500,000\u00a0rows'],
  ['1G', rows, 1_000_000_000, '= 1,000,000,000\u00a0rows'],
  ['1 000 000', rows, 1_000_000, '= 1,000,000\u00a0rows'],
  ["1'000'000", rows, 1_000_000, '= 1,000,000\u00a0rows'],
  ['1_000', rows, 1_000, '= 1,000\u00a0rows'],
  ['1.000.000', rows, 1_000_000, '= 1,000,000\u00a0rows'],
  ['1.000,5', {}, 1_000.5, '= 1,000.5'],
  ['1,000.5', {}, 1_000.5, null],
  ['1234,567', {}, 1_234.567, '= 1,234.567'],
  ['０，５', {}, 0.5, '= 0.5'],
  ['500ms', seconds, 0.5, '= 0.5\u00a0s'],
  ['500 ms', { unit: 'ms' }, 500, null],
  ['2 s', { unit: 'ms', whole: true }, 2_000, '= 2,000\u00a0ms'],
  ['0,1 s', { unit: 'ms', whole: true }, 100, '= 100\u00a0ms'],
  ['1.5min', seconds, 90, '= 90\u00a0s'],
  ['1 min 30 s', seconds, 90, '= 90\u00a0s'],
  ['1h30min', seconds, 5_400, '= 5,400\u00a0s'],
  ['2h', { unit: 'min' }, 120, '= 120\u00a0min'],
  ['64M', { unit: 'KB', whole: true }, 65_536, '= 65,536\u00a0KB'],
  ['1.5 GB', { unit: 'MiB', whole: true }, 1_536, '= 1,536\u00a0MiB'],
  ['5%', { unit: 'share', min: 0, max: 1 }, 0.05, '= 0.05'],
  ['2,5 %', { unit: '%' }, 2.5, '= 2.5\u00a0%'],
  ['6k/min', { unit: '1/s' }, 100, '= 100/s'],
  ['600/min', { unit: '1/s' }, 10, '= 10/s'],
  ['10k/s', { unit: '1/s' }, 10_000, '= 10,000/s'],
  ['1 Gbit/s', { unit: 'Mbit/s' }, 1_000, '= 1,000\u00a0Mbit/s'],
  ['5432', { unit: 'digits', whole: true }, 5_432, null],
] as const)('“%s” with %o is %s', (typed, rules, value, understood) => {
  expect(readNumber(typed, rules)).toMatchObject({ value, understood });
});

test('a separator before three digits is read by a rule that is named, or is asked about', () => {
  expect(readNumber('1.000', rows)).toEqual({
    value: 1_000,
    problem: null,
    understood: '= 1,000\u00a0rows (the point separates thousands)',
  });
  expect(readNumber('1,000', rows).understood).toBe('= 1,000\u00a0rows (the comma separates thousands)');
  expect(readNumber('1.250', seconds).understood).toBe('= 1.25\u00a0s (the point is the decimal sign)');
  expect(readNumber('1,250', seconds).understood).toBe('= 1,250\u00a0s (the comma separates thousands)');
  expect(readNumber('1,250', german)).toMatchObject({
    value: 1.25,
    understood: '= 1.25 (the comma is the decimal sign)',
  });
  expect(readNumber('1.250', german)).toMatchObject({ value: 1_250 });
  expect(readNumber('1.250k', rows)).toMatchObject({
    value: null,
    problem: '“1.250” has two meanings: write 1250, or 1.25.',
  });
});

test.each([
  ['abc', rows, '“abc” is not understood. Write a whole number, such as 20000, 20k or 2M.'],
  ['1,2', rows, 'A whole number is needed.'],
  ['0', rows, 'At least 1\u00a0rows.'],
  ['2G', rows, 'At most 1,000,000,000\u00a0rows.'],
  ['500ms', rows, '“ms” does not fit here. Write a whole number, such as 20000, 20k or 2M.'],
  ['5m', seconds, '“m” has several meanings. Write a number of s, or with a unit: 500 ms, 2 s, 5 min, 1 h.'],
  ['5M', seconds, '“M” has several meanings. Write a number of s, or with a unit: 500 ms, 2 s, 5 min, 1 h.'],
  ['1,00,000', rows, 'The separators in “1,00,000” are neither between thousands nor before decimals.'],
  ['1.5.', {}, 'The separators in “1.5.” are neither between thousands nor before decimals.'],
  ['9007199254740993', {}, 'This number has more digits than can be kept.'],
  ['5,432', { unit: 'digits', whole: true }, 'Write digits alone.'],
  ['0x10', {}, '“x10” does not fit here. Write a number, such as 0.5, 20000 or 20k.'],
  ['1.5 ms', { unit: 'ms', whole: true }, 'A whole number is needed.'],
  ['1.5 ms', { unit: 's', whole: true }, 'A whole number is needed; this is 0.0015\u00a0s.'],
] as const)('“%s” with %o has a problem', (typed, rules, problem) => {
  expect(readNumber(typed, rules).problem).toBe(problem);
});

test('every number that is shown is read as itself', () => {
  fc.assert(
    fc.property(fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })), (number) => {
      // Minus zero is zero.
      const value = number || 0;
      expect(readNumber(String(number))).toMatchObject({ value, problem: null });
      if (Number.isInteger(number) && Math.abs(number) < 1e15)
        expect(readNumber(formatUpTo(number), { whole: true })).toMatchObject({ value, problem: null });
    }),
  );
});

test('decimals have one meaning with comma and point, unless three digits follow', () => {
  const parts = fc
    .tuple(fc.nat(99_999), fc.stringMatching(/^\d{1,8}$/))
    .filter(([, fraction]) => fraction.length !== 3);
  fc.assert(
    fc.property(parts, fc.constantFrom<NumberRules>({}, german), ([whole, fraction], rules) => {
      const value = Number(`${whole}.${fraction}`);
      expect(readNumber(`${whole},${fraction}`, rules).value).toBe(value);
      expect(readNumber(`${whole}.${fraction}`, rules).value).toBe(value);
    }),
  );
});

test('a text gives its number and every difference, or a problem; it never throws', () => {
  // The sign of an exponent goes with that of the number: 5e-7 is written as it is kept.
  const digits = (text: string) => text.replace(/[^\d.e]/g, '');
  const piece = fc.constantFrom(...'0123456789.,kMGmsh% -+e_/’', 'ms', 'min', 'rows', '１');
  const rules = fc.constantFrom<NumberRules>({}, rows, seconds, german, { unit: 'KB' }, { unit: 'digits' });
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), rules, (pieces, by) => {
      const text = pieces.join('');
      const { value, problem, understood } = readNumber(text, by);
      if (value === null) expect(problem === null).toBe(text.trim() === '');
      // A number that is not written as it is kept is shown.
      else if (understood === null) expect(digits(text.normalize('NFKC'))).toContain(digits(String(Math.abs(value))));
    }),
    { numRuns: 5_000 },
  );
});

test('a scale, a unit and plain digits agree', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 900_000 }), (count) => {
      expect(readNumber(`${count}k`, {}).value).toBe(count * 1_000);
      expect(readNumber(`${count} s`, { unit: 'ms' }).value).toBe(readNumber(`${count * 1_000}`, { unit: 'ms' }).value);
      expect(readNumber(`${count}ms`, { unit: 's' }).value).toBe(count / 1_000);
    }),
  );
});
