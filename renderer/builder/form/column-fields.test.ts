import { expect, test } from 'vitest';
import { columnFields, columnTypes } from './column-fields.ts';

const names = (spec: Readonly<Record<string, unknown>>) => columnFields(spec).map(({ name }) => name);

test('every type has the fields of its schema, but those that have a place of their own', () => {
  expect(columnTypes).toContain('timestamp');
  expect(columnFields({ type: 'timestamp' })).toEqual([
    { name: 'from', kind: 'text', options: [], byDefault: '2020-01-01' },
    { name: 'to', kind: 'text', options: [], byDefault: '2026-01-01' },
  ]);
  expect(names({ type: 'uuid4' })).toEqual([]);
  expect(columnFields({ type: 'decimal' })[0]).toMatchObject({ name: 'precision', kind: 'number', byDefault: '12' });
});

test('an alphabet is a choice', () => {
  const alphabet = columnFields({ type: 'text' }).find(({ name }) => name === 'alphabet');
  expect(alphabet).toMatchObject({ kind: 'choice', byDefault: 'alphanumeric' });
  expect(alphabet?.options).toContain('unicode');
});

test('a fixed length leaves no room for a range, and the other way round', () => {
  expect(names({ type: 'bytes' })).toEqual(['length', 'minLength', 'maxLength']);
  expect(names({ type: 'bytes', length: 16 })).toEqual(['length']);
  expect(names({ type: 'bytes', minLength: 1 })).toEqual(['minLength', 'maxLength']);
  expect(names({ type: 'bytes', length: 16, minLength: 1 })).toEqual(['length', 'minLength']);
});

test('an unknown type has no fields', () => {
  expect(names({ type: 'txet' })).toEqual([]);
});
