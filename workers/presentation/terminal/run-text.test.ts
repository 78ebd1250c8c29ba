import { expect, it } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import { renderText } from './run-text.ts';

it('tells what failed before the table, and what is doubtful after it', () => {
  const run = madeRun({
    trial: ({ repeat }) =>
      repeat === 1
        ? {
            result: {
              status: 'failed',
              error: {
                kind: 'serverGone',
                code: '57P01',
                message: 'The server went away.',
                hint: '',
                retryable: false,
              },
            },
          }
        : {},
    repeats: 2,
  });
  const text = renderText(run);
  const places = ['\nFailed:\n', 'rows/s ', '\nCaveats:\n'].map((part) => text.indexOf(part));
  expect(Math.min(...places)).toBeGreaterThan(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
});
