import { expect, test } from 'vitest';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import type { ErrorData } from '#model/error.ts';
import { exceptionsTable } from './exceptions-table.ts';

const error: ErrorData = { kind: 'other', code: null, message: 'It broke.', hint: 'Mend it.', retryable: false };

test('failed trials of one cell share a row for each reason, and many of them are counted', () => {
  const whatOf = (repeats: number) => {
    const model = fixtureRun({ connections: [1], repeats });
    const trials = model.trials.map((view) =>
      view.trial.variant.includes('prepared') && view.trial.target === 'PostgreSQL' && view.result
        ? { ...view, result: { ...view.result, status: 'failed' as const, error } }
        : view,
    );
    const numbers = trials.filter(({ result }) => result?.status === 'failed').map(({ trial }) => trial.number);
    const rows = exceptionsTable({ ...model, trials }).rows.filter(({ cells }) => cells.includes('PostgreSQL'));
    return { numbers, texts: rows.map(({ cells }) => cells.slice(-2)) };
  };
  const few = whatOf(3);
  expect(few.texts).toEqual([[`trials ${few.numbers.join(', ')} failed`, 'It broke. Mend it.']]);
  const one = whatOf(1);
  expect(one.texts).toEqual([[`trial ${one.numbers[0]} failed`, 'It broke. Mend it.']]);
  const many = whatOf(6);
  expect(many.texts).toEqual([[`6 trials, the first of them trial ${many.numbers[0]}, failed`, 'It broke. Mend it.']]);
});
