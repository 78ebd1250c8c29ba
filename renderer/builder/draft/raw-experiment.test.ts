import { expect, test } from 'vitest';
import { at, listAt, readRaw, recordAt, variedBy } from './raw-experiment.ts';

test('reads values by path', () => {
  const raw = readRaw('targets: [a, { name: b }]\ndataset:\n  rows: 5 # comment');
  expect(at(raw, ['dataset', 'rows'])).toBe(5);
  expect(at(raw, ['targets', 1, 'name'])).toBe('b');
  expect(at(raw, ['targets', 'x', 'name'])).toBeUndefined();
});

test('answers empty collections where the file has something else', () => {
  const raw = readRaw('factors: 3');
  expect(recordAt(raw, ['factors'])).toEqual({});
  expect(listAt(raw, ['targets'])).toEqual([]);
});

test('is null for text that is no mapping', () => {
  expect(readRaw('a: [')).toBeNull();
  expect(readRaw('- a')).toBeNull();
  expect(readRaw('a: *missing')).toBeNull();
});

test('is null for text that the file may not hold, because the form could not change it', () => {
  expect(readRaw('name: !secret x')).toBeNull();
  expect(readRaw('name: a\nname: b')).toBeNull();
});

test('a factor varies the setting it is named after, or those of its named levels', () => {
  expect(variedBy('method', ['bulk'])).toEqual(['method']);
  expect(variedBy('method', { a: { method: 'bulk' }, b: { connections: 2 } })).toEqual(['method', 'connections']);
});
