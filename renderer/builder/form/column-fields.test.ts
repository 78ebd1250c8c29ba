import * as v from 'valibot';
import { expect, test } from 'vitest';
import { columnSchema } from '#model/dataset/column-specs.ts';
import { columnTypes, newColumn, valueFields, withNulls } from './column-fields.ts';

const names = (spec: Readonly<Record<string, unknown>>) => valueFields(spec).map(({ name }) => name);

test('every type has the fields of its schema, except those that the table shows in columns', () => {
  expect(columnTypes).toContain('timestamp');
  expect(valueFields({ type: 'timestamp' })).toMatchObject([
    { name: 'from', kind: 'text', options: [], defaultValue: '2020-01-01' },
    { name: 'to', kind: 'text', options: [], defaultValue: '2026-01-01' },
    { name: 'distinct', kind: 'number' },
    {
      name: 'distribution',
      kind: 'choice',
      options: ['uniform', 'normal', 'exponential', 'zipf'],
      defaultValue: 'uniform',
    },
  ]);
  expect(names({ type: 'uuid4' })).toEqual([]);
  expect(valueFields({ type: 'decimal' })[0]).toMatchObject({ name: 'precision', kind: 'number', defaultValue: '12' });
});

test('an alphabet is a choice', () => {
  const alphabet = valueFields({ type: 'text' }).find(({ name }) => name === 'alphabet');
  expect(alphabet).toMatchObject({ kind: 'choice', defaultValue: 'alphanumeric' });
  expect(alphabet?.options).toContain('unicode');
});

test('a fixed length and a range exclude each other', () => {
  expect(names({ type: 'bytes' })).toEqual(['length', 'minLength', 'maxLength']);
  expect(names({ type: 'bytes', length: 16 })).toEqual(['length']);
  expect(names({ type: 'bytes', minLength: 1 })).toEqual(['minLength', 'maxLength']);
  expect(names({ type: 'bytes', length: 16, minLength: 1 })).toEqual(['length', 'minLength']);
});

test('an unknown type has no fields', () => {
  expect(names({ type: 'txet' })).toEqual([]);
});

test('a key that does not apply to a distribution has no field, unless the file has it', () => {
  expect(names({ type: 'integer' })).toEqual(['min', 'max', 'distribution']);
  expect(names({ type: 'integer', distribution: 'zipf' })).toContain('exponent');
  expect(names({ type: 'integer', distribution: 'normal' })).toEqual([
    'min',
    'max',
    'distribution',
    'mean',
    'deviation',
  ]);
  expect(names({ type: 'integer', exponent: 2 })).toContain('exponent');
  expect(names({ type: 'reference', distribution: 'sequential' })).toContain('children');
});

test('values are listed or counted; lists and what is nested have kinds of their own', () => {
  expect(names({ type: 'oneOf', values: ['a'] })).toEqual(['values', 'weights', 'distribution']);
  expect(names({ type: 'oneOf', count: 3 })).toEqual(['count', 'distribution']);
  const kinds = Object.fromEntries(valueFields({ type: 'oneOf' }).map(({ name, kind }) => [name, kind]));
  expect(kinds).toMatchObject({ values: 'values', weights: 'numbers', count: 'number', distribution: 'choice' });
  expect(valueFields({ type: 'document' })).toMatchObject([{ name: 'fields', kind: 'nested' }]);
});

test.each(columnTypes)('a new %s column is a valid one', (type) => {
  const others = { at: { type: 'timestamp' }, amount: { type: 'decimal' } };
  expect(v.safeParse(columnSchema, newColumn(type, others)).issues).toBeUndefined();
});

test.each(columnTypes)('a column that becomes a %s column keeps its share of nulls', (type) => {
  const others = { at: { type: 'timestamp' }, amount: { type: 'decimal' } };
  const column = withNulls({ type: 'text', length: 20, nulls: 0.1 }, newColumn(type, others));
  expect(v.parse(columnSchema, column)).toMatchObject({ type, nulls: 0.1 });
  expect(withNulls({ type: 'text' }, column)).toBe(column);
});
