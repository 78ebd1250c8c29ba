import { expect, test } from 'vitest';
import { digitsOf, exactNumber, parseExactly, textOf } from './exact-json.ts';

test.each([
  '{"a":12345678901234567.89,"b":[9223372036854775807,-0.10],"c":"1.50","d":null}',
  '[0.0000001,1E-7,1e308,0.1,-12,true]',
])('%s is written as it was read', (text) => {
  expect(JSON.stringify(parseExactly(text))).toBe(text);
});

test('numbers that JavaScript writes the same are numbers', () => {
  expect(parseExactly('[1,-2.5,1e-7,0]')).toEqual([1, -2.5, 1e-7, 0]);
  expect(textOf(parseExactly('1.50'))).toBe('1.50');
  expect([digitsOf(1.5), digitsOf('1.50'), digitsOf(exactNumber('1.50'))]).toEqual([null, null, '1.50']);
});
