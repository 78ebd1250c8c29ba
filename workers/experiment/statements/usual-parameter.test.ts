import { expect, test } from 'vitest';
import { usualParameter } from './usual-parameter.ts';

const dataset = {
  key: 'id',
  columns: { id: { type: 'uuid4' }, payload: { type: 'text', length: 20 }, no: { type: 'sequence' } },
};

test('a parameter is read from the name of a key or column, and is a whole number otherwise', () => {
  expect(usualParameter({ dataset }, 'id')).toEqual({ type: 'key' });
  expect(usualParameter({ dataset }, 'payload')).toEqual({ type: 'text', length: 20 });
  expect(usualParameter({ dataset }, 'no')).toEqual({ type: 'integer' });
  expect(usualParameter({ dataset }, 'least')).toEqual({ type: 'integer' });
  expect(usualParameter({ tables: { sales: { key: 'sale', columns: {} } } }, 'sale')).toEqual({
    type: 'key',
    table: 'sales',
  });
  expect(usualParameter({}, 'id')).toEqual({ type: 'integer' });
});
