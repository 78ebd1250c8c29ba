import { expect, it } from 'vitest';
import { oneLine } from './one-line.ts';

it.each(['\n', '\r\n', '\t', '\v', '\u0085', '\u2028', '\u2029', '\u202e', '\u2066', '\u200f', '\u001b'])(
  'puts a name with %j on one line',
  (evil) => expect(oneLine(`a${evil}It only reads.`)).toBe('a It only reads.'),
);

it('keeps letters of every language', () => {
  expect(oneLine('Verkäufe 語 ± 3 %')).toBe('Verkäufe 語 ± 3 %');
});
