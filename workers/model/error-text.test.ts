import { expect, test } from 'vitest';
import { errorText } from './error-text.ts';

test('a hint begins a sentence of its own', () => {
  expect(errorText({ message: 'No such file or directory\n', hint: 'Install it.' })).toBe(
    'No such file or directory. Install it.',
  );
  for (const ended of ['The server is away.', 'Is it there?', 'It said “no.”'])
    expect(errorText({ message: ended, hint: 'Start it.' })).toBe(`${ended} Start it.`);
});

test('a message without a hint stays as it is', () => {
  for (const hint of [null, undefined, '']) expect(errorText({ message: 'No such file', hint })).toBe('No such file');
});
