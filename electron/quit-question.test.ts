import { expect, test } from 'vitest';
import { questionOf } from './quit-question.ts';

test('nothing is asked where nothing is unsaved and nothing runs', () => {
  expect(questionOf([], [], [])).toBeNull();
});

test('unsaved changes are kept for the next start, unless the user discards them', () => {
  expect(questionOf([], ['orders', 'shop'], [])).toEqual({
    message: 'The changes of “orders”, “shop” are not saved.',
    detail: 'They are there again when Dyno starts the next time.',
    stay: 'Keep Editing',
    go: 'Quit Without Saving',
    discard: 'Discard Changes and Quit',
  });
});

test('a password in plain is named as lost', () => {
  expect(questionOf([], ['orders'], ['orders'])?.detail).toContain('Of “orders” a part is lost');
});

test('a live run is named first; the changes are kept there, too', () => {
  const asked = questionOf(['nightly'], ['orders'], []);
  expect(asked).toMatchObject({
    message: 'Dyno is still running “nightly”.',
    go: 'Cancel Run and Quit',
    discard: null,
  });
  expect(asked?.detail).toContain('The changes of “orders” are not saved. They are there again');
});
