import { expect, it } from 'vitest';
import { errorTable, meaningOfWords, meaningSaid, type WordsRow } from './error-table.ts';

it('a row gives its meaning to each of its codes, and the last row of a code counts', () => {
  const table = errorTable([
    [[1, 'A'], 'syntax'],
    ['B', 'lockTimeout', null, 'retryable'],
    [1, 'limit', 'Use less.'],
  ]);
  expect(table.get(1)).toEqual({ kind: 'limit', hint: 'Use less.', retryable: false });
  expect(table.get('A')).toEqual({ kind: 'syntax', hint: undefined, retryable: false });
  expect(table.get('B')).toEqual({ kind: 'lockTimeout', hint: undefined, retryable: true });
});

const words: readonly WordsRow[] = [
  [/disk/, 'diskFull', 'Free space.'],
  [/./, 'other'],
];

it('the first row whose words fit counts', () => {
  expect(meaningOfWords(words, 'The disk is full')?.kind).toBe('diskFull');
  expect(meaningOfWords(words, 'The table is full')?.kind).toBe('other');
  expect(meaningOfWords(words, '')).toBeUndefined();
});

it('words of a code count for that code alone', () => {
  const rows = words.map((row) => [[7, 8], ...row] as const);
  expect(meaningSaid(rows, 8, 'The disk is full')?.kind).toBe('diskFull');
  expect(meaningSaid(rows, 9, 'The disk is full')).toBeUndefined();
  expect(meaningSaid(rows, null, 'The disk is full')).toBeUndefined();
});
