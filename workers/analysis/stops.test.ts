import { expect, test } from 'vitest';
import { addStops } from './stops.ts';

const one = { gcPauses: 3, gcLongestMs: 8, loopLongestMs: 9, noProcessorMs: 20 };
const other = { gcPauses: 4, gcLongestMs: 2, loopLongestMs: 30, noProcessorMs: 5 };

test('pauses and waits add up, and the longest is the longest of all', () => {
  expect(addStops([one, other])).toEqual({ gcPauses: 7, gcLongestMs: 8, loopLongestMs: 30, noProcessorMs: 25 });
});

test('what one of them does not tell is not known of all', () => {
  expect(addStops([one, { ...other, noProcessorMs: null }])?.noProcessorMs).toBeNull();
  expect(addStops([one, undefined])).toBeNull();
  expect(addStops([])).toBeNull();
});
