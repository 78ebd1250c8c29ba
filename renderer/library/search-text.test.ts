import { expect, test } from 'vitest';
import type { LibraryEntry } from '#protocol/ipc.ts';
import { isFound } from './search-text.ts';

const entry: LibraryEntry = {
  id: 'gallery:search-limit',
  name: 'Highest rate within a limit',
  question: 'How many lists can be read each second?',
  topic: 'load',
  origin: 'gallery',
  targets: ['sqlite'],
  modifiedAt: '',
  text: 'about: |\n  Look at p99 below the limit.\nworkload: { operation: readRange }',
  problem: null,
};

test('an experiment is found by every word of its file, in any case and order', () => {
  for (const search of ['p99', 'P99 highest', 'readrange', 'sqlite', '', '  '])
    expect(isFound(entry, null, search)).toBe(true);
  for (const search of ['p999', 'p99 deadlock']) expect(isFound(entry, null, search)).toBe(false);
});
