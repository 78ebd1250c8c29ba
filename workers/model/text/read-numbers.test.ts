import { expect, test } from 'vitest';
import { readNumbers } from './read-numbers.ts';

test.each([
  ['3, 2, 1', [3, 2, 1], null],
  ['1,2', [1, 2], '= 1; 2'],
  ['0,5', [0, 5], '= 0; 5'],
  ['0,5; 0,25', [0.5, 0.25], '= 0.5; 0.25'],
  ['1k, 1M', [1_000, 1_000_000], '= 1000; 1000000'],
  ['1; 2', [1, 2], null],
  ['', [], null],
] as const)('“%s” is a list', (typed, items, understood) => {
  expect(readNumbers(typed)).toEqual({ items, problem: null, understood });
});

test('a thousand with a comma is not the items 1 and 0', () => {
  expect(readNumbers('1,000')).toMatchObject({ items: [1, '000'], understood: null });
  expect(readNumbers('1,000').problem).toContain('“000” begins with zeros.');
});

test('an item that is no number stays as it is, with the reason', () => {
  expect(readNumbers('3, two')).toMatchObject({ items: [3, 'two'] });
  expect(readNumbers('3, two').problem).toContain('“two” is not understood.');
});
