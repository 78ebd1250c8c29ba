import * as v from 'valibot';
import { expect, test } from 'vitest';
import { indexSchema, plannedIndexes } from './indexes.ts';

test('each index of a table has a name of its own at the server and in results', () => {
  const indexes = [
    { columns: ['a'], where: 'a > 50' },
    { columns: ['a'], where: 'a < 20' },
    { columns: ['b'], name: 'first' },
    { columns: ['a', 'b'], include: ['c'] },
    { columns: ['a'], where: 'a = 7' },
  ].map((index) => v.parse(indexSchema, index));
  const planned = plannedIndexes(indexes, ['a', 'b', 'c'], 't', 'sqlite');
  expect(planned.map(({ name, label }) => [name, label])).toEqual([
    ['t_i1', 'a of some rows'],
    ['t_i2', 'a of some rows (2)'],
    ['t_i_first', 'first'],
    ['t_i4', 'a, b including c'],
    ['t_i5', 'a of some rows (3)'],
  ]);
});
