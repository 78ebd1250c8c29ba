import { expect, test } from 'vitest';
import { secondsToRead } from './reading-time.ts';

const first = { atMs: 5_000, bytes: 1_000 };

test('what is left of a file takes as long as what was read, byte for byte', () => {
  expect(secondsToRead(first, { atMs: 7_000, bytes: 3_000 }, 10_000)).toBe(7);
  expect(secondsToRead(first, { atMs: 7_000, bytes: 10_000 }, 10_000)).toBe(0);
});

test('nothing is said in the first second, and where nothing was read since', () => {
  expect(secondsToRead(first, { atMs: 5_900, bytes: 3_000 }, 10_000)).toBeNull();
  expect(secondsToRead(first, { atMs: 9_000, bytes: 1_000 }, 10_000)).toBeNull();
});
