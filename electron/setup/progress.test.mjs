import { expect, it } from 'vitest';
import { progressText } from './progress.mjs';

it('shows what is done, the total, and the time left at the rate so far', () => {
  expect(progressText({ done: 26e6, of: 52e6 }, 4_000)).toBe('26 of 52 MB, about 4 s left');
  expect(progressText({ done: 100, of: 400, unit: 'packages' }, 10_000)).toBe('100 of 400 packages, about 30 s left');
  expect(progressText({ done: 12.4, of: 10, unit: 's' }, 12_400)).toBe('10 of 10 s, finishing');
});

it('shows no time left at an early rate or without a total', () => {
  expect(progressText({ done: 1e6, of: 52e6 }, 3_000)).toBe('1 of 52 MB, 3 s');
  expect(progressText({ done: 31e6 }, 12_000)).toBe('31 MB so far, 12 s');
  expect(progressText({ done: 3, unit: 's' }, 3_000)).toBe('3 s so far');
});
