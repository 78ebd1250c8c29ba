import { expect, test } from 'vitest';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { ComparedAnswers } from '#protocol/measurement.ts';
import { answerTable } from './answer-table.ts';

/** A trial with these comparisons. It has only the properties that the table reads. */
type Answers = readonly Omit<ComparedAnswers, 'statement' | 'baseline'>[];
const model = (answers: Answers = [], otherAnswers: readonly object[] = [], sampledAnswers: readonly object[] = []) =>
  ({
    cells: [{ variant: 'new', target: 'a', otherAnswers, sampledAnswers }],
    plan: { targets: [{ name: 'b' }, { name: 'a' }], variants: ['old', 'new'].map((id) => ({ id, label: id })) },
    trials: [
      {
        trial: { variant: 'new', target: 'a' },
        result: { answers: answers.map((one) => ({ statement: 'search', baseline: 'old', ...one })) },
      },
      { trial: { variant: 'new', target: 'b' }, result: null },
    ],
  }) as unknown as RunModel;

const difference = {
  parameters: [{ name: 'day', value: '3' }],
  digests: { baseline: 'aa', own: 'bb' },
};
const pairs = [{ baseline: ['1', null], own: null }];

test('equal answers need no reason; others have it, with their values and the rows side by side', () => {
  const equal = answerTable(model([{ outcome: 'equal', draws: 20 }]));
  expect(equal.rows.map(({ cells }) => cells)).toEqual([['new', 'a', 'search', 'old', 'equal for 20 draws']]);
  expect(equal.note).toContain('a level changes');
  const sampled = { statement: 'search', baseline: 'old', outcome: 'equal', draws: 7, isSampled: true };
  expect(answerTable(model([{ outcome: 'equal', draws: 20 }], [], [sampled])).rows.map(({ cells }) => cells)).toEqual([
    ['new', 'a', 'search', 'old', 'before the clock', 'equal for 20 draws'],
    ['new', 'a', 'search', 'old', 'in the measured phase', 'equal for 7 draws'],
  ]);
  const { rows } = answerTable(
    model([
      {
        ...{ outcome: 'differ', draws: 2, why: 'it returned 0 rows instead of 1' },
        difference: { ...difference, rows: { columns: ['id', 'city'], pairs } },
      },
      { outcome: 'differ', draws: 1, why: 'it returned other rows', difference },
      { outcome: 'cannotTell', draws: 20, why: 'rows tie' },
    ]),
  );
  expect(rows.map(({ cells }) => cells.slice(4))).toEqual([
    [
      { text: 'differ in draw 2', tone: 'bad' },
      'It returned 0 rows instead of 1, for day = 3.',
      { text: ['(id, city)', '(1, NULL)'] },
      { text: ['(id, city)', 'no row'] },
    ],
    [
      { text: 'differ in draw 1', tone: 'bad' },
      expect.stringMatching(/only their digests are kept: bb, and aa there/),
      { text: [''] },
      { text: [''] },
    ],
    [{ text: 'cannot tell', tone: 'differs' }, 'Rows tie.', { text: [''] }, { text: [''] }],
  ]);
});

test('answers of two targets stand side by side', () => {
  const other = { variant: 'new', target: 'b' };
  const { note, rows } = answerTable(model([], [{ statement: 'search', outcome: 'equal', draws: 20, other }]));
  expect(rows.map(({ cells }) => cells)).toEqual([['new', 'a', 'search', 'b', 'equal for 20 draws']]);
  expect(note).toContain('no verdict');
});

test('nothing is shown where nothing was compared', () => {
  expect(answerTable(model()).rows).toEqual([]);
});
