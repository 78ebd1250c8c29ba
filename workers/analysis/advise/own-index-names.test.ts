import { expect, test } from 'vitest';
import { type Candidate, indexOf } from './candidate.ts';
import { tablesWithDrops, withOwnNames } from './own-index-names.ts';

const dropOf = (index: ReturnType<typeof indexOf>): Candidate => ({
  ...{ kind: 'redundantIndex', title: 'no index', why: '', tables: ['orders'], statements: [], change: {} },
  steps: [{ do: 'dropIndex', table: 'orders', index }],
});

const rows = [
  ['BY_CODE', 'CODE'],
  ['by_code_sold', 'code'],
  ['by_code_sold', 'sold'],
  ['twice_1', 'city'],
  ['twice_2', 'city'],
  ['of_words', null],
];
const nameOf = (index: ReturnType<typeof indexOf>) =>
  withOwnNames([dropOf(index)], new Map([['orders', rows]])).flatMap(({ steps }) =>
    steps.map((step) => (step.do === 'dropIndex' ? (step.ownName ?? null) : null)),
  );

test('an index to drop has the name that the only index with its columns has in the user’s own table', () => {
  expect(tablesWithDrops([dropOf(indexOf(['code']))])).toEqual(['orders']);
  expect(nameOf(indexOf(['code']))).toEqual(['BY_CODE']);
  expect(nameOf(indexOf(['code', 'sold']))).toEqual(['by_code_sold']);
});

test('no name is guessed where several indexes have the columns, or the index has more than columns', () => {
  expect(nameOf(indexOf(['city']))).toEqual([null]);
  expect(nameOf(indexOf(['sold']))).toEqual([null]);
  expect(nameOf(indexOf(['code'], { where: 'sold > 1' }))).toEqual([null]);
  expect(nameOf(indexOf([{ expression: 'lower(code)' }]))).toEqual([null]);
});
