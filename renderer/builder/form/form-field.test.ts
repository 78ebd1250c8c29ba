import { expect, test } from 'vitest';
import { documentedKey, fieldAt, labelAt } from './form-field.ts';

test('the field of a key has the name, unit, bounds and default of its record', () => {
  expect(fieldAt(['measure', 'timeoutSeconds'])).toMatchObject({
    label: 'Time-out',
    title: 'Time-out (s)',
    kind: 'number',
    numbers: { whole: false, min: 1, max: 604_800, unit: 's' },
    defaultValue: '600',
    required: false,
  });
  expect(fieldAt(['dataset', 'rows'])).toMatchObject({ required: true, numbers: { whole: true, unit: 'rows' } });
});

test('a share that the form shows in per cent has bounds in per cent', () => {
  expect(fieldAt(['measure', 'search', 'relativeStep'])).toMatchObject({
    title: 'Search in steps of (%)',
    numbers: { min: 1, max: 50, unit: '%' },
    defaultValue: '0.05',
  });
});

test('a key that takes a number or a word is a number with the word as its default', () => {
  expect(fieldAt(['measure', 'until', 'rows'])).toMatchObject({ kind: 'number', defaultValue: 'all', first: 'all' });
});

test('keys of entries and of named items are found below any number or name', () => {
  expect(fieldAt(['measure', 'stages', 3, 'seconds'])).toMatchObject({ required: true, first: 10 });
  expect(fieldAt(['tables', 'shops', 'indexes', 0, 'unique'])).toMatchObject({ kind: 'choice', isBoolean: true });
  expect(labelAt(['statements', 'look-up', 'expectRows'])).toBe('Number of rows');
  expect(labelAt(['measure', 'nowhere'])).toBeUndefined();
});

test('keys are documented without numbers and names', () => {
  expect(documentedKey(['measure', 'stages', 3, 'seconds'])).toBe('measure.stages[].seconds');
  expect(documentedKey(['tables', 'shops', 'indexes', 0, 'kind'])).toBe('tables.NAME.indexes[].kind');
});
