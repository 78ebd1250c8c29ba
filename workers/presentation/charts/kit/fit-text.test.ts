import { expect, test } from 'vitest';
import { fitLevels, fitName, fitText, textPx } from './fit-text.ts';

const fitted = (label: string, characters: number) => fitLevels(label, textPx('x'.repeat(characters), 13) + 1, 13);

test('a name of a variant that is too wide keeps its levels, and loses parts of the names of its factors', () => {
  const label = 'Rows per call: 1 · Calls per commit: 10';
  expect(fitted(label, 39)).toBe(label);
  expect(fitted(label, 34)).toBe('Rows per ca…: 1 · Calls per c…: 10');
  expect(fitted(label, 28)).toBe('Rows per…: 1 · Calls pe…: 10');
});

test('a level that names itself stays whole', () => {
  expect(fitted('prepared · Rows per call: 1 · Connections: 2', 34)).toBe('prepared · Rows p…: 1 · Connec…: 2');
});

test('a name that has no levels, or factors too many to be shortened, is cut off at its end', () => {
  expect(fitted('bulk load in binary format', 10)).toBe('bulk load…');
  expect(fitted('Rows per call: 1 · Calls per commit: 10', 16)).toBe('Rows per call:…');
});

test('a name that is too wide loses its middle, because names differ at their ends', () => {
  const cut = (name: string, characters: number) => fitName(name, textPx('x'.repeat(characters), 13) + 1, 13);
  expect(cut('PostgreSQL 18 of the east', 25)).toBe('PostgreSQL 18 of the east');
  expect(cut('PostgreSQL 18 of the east', 15)).toBe('Postgre…he east');
  expect(cut('PostgreSQL 18 of the west', 15)).toBe('Postgre…he west');
  expect(cut('数据库服务器', 7)).toBe('数据…器');
});

test('a character of Chinese takes the width of two, and no character is cut in halves', () => {
  expect(textPx('数据库', 13)).toBe(textPx('sixsix', 13));
  expect(fitText('数据库服务器', textPx('x'.repeat(7), 13) + 1, 13)).toBe('数据库…');
  expect(fitText('🐘🐘🐘🐘', textPx('x'.repeat(6), 13) + 1, 13)).toBe('🐘🐘…');
});
