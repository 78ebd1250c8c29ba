import { expect, test } from 'vitest';
import { addPauses } from './pauses.ts';

const one = { gcPauses: 3, gcLongestMs: 8, loopLongestMs: 9, noProcessorMs: 20 };
const other = { gcPauses: 4, gcLongestMs: 2, loopLongestMs: 30, noProcessorMs: 5 };

test('pauses and waits add up, and the longest is the longest of all', () => {
  expect(addPauses([one, other])).toEqual({ gcPauses: 7, gcLongestMs: 8, loopLongestMs: 30, noProcessorMs: 25 });
});

test('a value missing in one of them is unknown for all', () => {
  expect(addPauses([one, { ...other, noProcessorMs: null }]).noProcessorMs).toBeNull();
});
