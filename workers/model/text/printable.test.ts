import { expect, it, test } from 'vitest';
import { asItem, oneLine, printable } from './printable.ts';

const direction = ['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'];
const lineEnds = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];
const controls = ['\u001b[2J', '\u001b]0;title\u0007', '\u009b2J', '\u009d0;t\u009c', '\b', '\u0000', '\u007f'];

test('no text moves the cursor, sets a title, hides a line or turns the order of letters round', () => {
  for (const evil of [...controls, ...direction, '\r', '\u2028']) expect(printable(`a${evil}b`)).not.toContain(evil[0]);
});

test('line ends, tabs and letters of any language stay', () => {
  expect(printable('a\tb\nÄ語 ±\u00a03 %')).toBe('a\tb\nÄ語 ±\u00a03 %');
});

it.each([...lineEnds, ...direction, '\t', '\u001b'])('puts a name with %j on one line', (evil) =>
  expect(oneLine(`a${evil}It only reads.`)).toBe('a It only reads.'),
);

it('keeps letters of every language on one line', () => {
  expect(oneLine('Verkäufe 語 ± 3 %')).toBe('Verkäufe 語 ± 3 %');
});

it.each(lineEnds)('has no line of an item begin as another item does, after %j', (end) => {
  expect(asItem(`went away${end}ok  login\u001b[2J`)).toBe('went away\n    ok  login\ufffd[2J');
});
