import { expect, test } from 'vitest';
import { rowsInView } from './row-window.ts';

const box = { heightPx: 460, rowPx: 46, count: 1_000 };

test('a long table has the rows in view and a few around them', () => {
  expect(rowsInView({ ...box, scrollPx: 0 })).toEqual({ from: 0, to: 18 });
  expect(rowsInView({ ...box, scrollPx: 46 * 500 })).toEqual({ from: 492, to: 518 });
});

test('at its end it has the last row, also where a filter has shortened it', () => {
  expect(rowsInView({ ...box, scrollPx: 46 * 990 })).toEqual({ from: 982, to: 1_000 });
  expect(rowsInView({ ...box, count: 60, scrollPx: 46 * 990 })).toEqual({ from: 52, to: 60 });
});
