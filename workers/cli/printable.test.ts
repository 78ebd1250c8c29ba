import { expect, test } from 'vitest';
import { printable } from './printable.ts';

test('no text moves the cursor, sets a title, hides a line or turns the order of letters round', () => {
  for (const evil of ['\u001b[2J', '\u001b]0;title\u0007', '\u009b2J', '\r', '\b', '\u202e', '\u2066', '\u200f'])
    expect(printable(`a${evil}b`)).not.toContain(evil[0]);
});

test('line ends, tabs and letters of any language stay', () => {
  expect(printable('a\tb\nÄ語 ±\u00a03 %')).toBe('a\tb\nÄ語 ±\u00a03 %');
});
