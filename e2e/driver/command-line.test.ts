import { expect, test } from 'vitest';
import { terminalErrorText } from '#cli/dispatch.ts';
import { DynoError } from '#model/error.ts';
import { printedError } from './command-line.ts';

test.each([
  new DynoError('other', 'There is no run “x”.'),
  new DynoError('other', 'The file cannot be written.', { code: 'EACCES', hint: 'Choose another folder.' }),
  new DynoError('other', 'Two sections are unknown:\nwrong\nfalse', { hint: 'There are:\nsummary\nlatency' }),
])('an error of the command line is thrown as it was printed, also one of several lines', ({ data }) => {
  expect(printedError(`A note before it.\n${terminalErrorText(data)}\n`)?.data).toEqual(data);
});

test('output without an error has none', () => {
  expect(printedError('Usage: dyno report RUN\n')).toBeNull();
});
