import { expect, test } from 'vitest';
import { addedVariant } from './add-variant.tsx';

const path = ['statements', 'search', 'text'];
const level = (text: string) => ({ statements: { search: { text } } });

test('the first variant makes a factor with the value as it is', () => {
  expect(addedVariant({ statements: { search: { text: 'SELECT 1' } } }, 'search', path, 'SELECT 1')).toEqual({
    path: ['factors', 'search'],
    value: { unchanged: {}, 'variant 1': level('SELECT 1') },
    factor: 'search',
    level: 'variant 1',
  });
});

test('further variants are levels of the factor that changes the place', () => {
  const factors = { connections: [1, 2], texts: { a: {}, 'variant 1': level('SELECT 2') } };
  expect(addedVariant({ factors }, 'search', path, 'SELECT 1')).toEqual({
    path: ['factors', 'texts', 'variant 2'],
    value: level('SELECT 1'),
    factor: 'texts',
    level: 'variant 2',
  });
});

test('a new factor has a name of its own', () => {
  const factors = { search: { a: { fetchSize: 5 } } };
  expect(addedVariant({ factors }, 'search', path, '').path).toEqual(['factors', 'search 2']);
  expect(addedVariant({}, 'target', path, '').path).toEqual(['factors', 'target 2']);
});
