import { expect, it } from 'vitest';
import { bytesOfText } from './size-text.ts';

it.each([
  ['64kB', 1, 65_536],
  ['1 GiB', 1, 2 ** 30],
  ['1.5g', 1, 1.5 * 2 ** 30],
  ['16384', 8_192, 2 ** 27],
  ['0.25', 2 ** 30, 2 ** 28],
  ['12B', 8_192, 12],
  ['30s', 1, null],
  ['on', 1, null],
  ['', 1, null],
])('%s (of %d bytes without a unit) is %s bytes', (text, bytesOfOne, bytes) => {
  expect(bytesOfText(text, bytesOfOne)).toBe(bytes);
});
