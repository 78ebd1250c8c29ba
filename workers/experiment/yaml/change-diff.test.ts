import { expect, test } from 'vitest';
import { changeDiff } from './change-diff.ts';

const file = {
  dataset: { rows: 10 },
  tables: { sales: { rows: 5, indexes: [{ columns: ['a'] }, { columns: ['b'] }] } },
  statements: {
    search: { text: 'SELECT id\nFROM {sales}\nWHERE a = :a\n' },
    each: { text: { postgres: 'SELECT 1', default: 'SELECT 2' } },
  },
};
const signs = { same: ' ', old: '-', new: '+' } as const;
const shown = (change: Parameters<typeof changeDiff>[1]) =>
  changeDiff(file, change).map(({ place, lines }) => [place, ...lines.map(({ kind, text }) => signs[kind] + text)]);

test('lines of texts, items of lists and single values that a change replaces', () => {
  expect(
    shown({
      dataset: { rows: 20 },
      tables: { sales: { indexes: [{ columns: ['a'] }, { columns: ['b', 'c'], unique: true }] } },
      statements: { search: { text: 'SELECT id\nFROM {sales} s\nWHERE a = :a' } },
    }),
  ).toEqual([
    ['dataset.rows', '-10', '+20'],
    ['tables.sales.indexes', ' { columns: [a] }', '-{ columns: [b] }', '+{ columns: [b, c], unique: true }'],
    ['statements.search.text', ' SELECT id', '-FROM {sales}', '+FROM {sales} s', ' WHERE a = :a'],
  ]);
});

test('the text of an engine is compared with the text that the engine has', () => {
  const text = (of: string, engine: string) => shown({ statements: { [of]: { text: { [engine]: 'SELECT 3' } } } });
  expect(text('each', 'postgres')).toEqual([['statements.each.text.postgres', '-SELECT 1', '+SELECT 3']]);
  expect(text('each', 'oracle')).toEqual([['statements.each.text.oracle', '-SELECT 2', '+SELECT 3']]);
  expect(text('search', 'oracle')[0]!.slice(-1)).toEqual(['+SELECT 3']);
});

test('a new part has new lines only, and what is equal is left out', () => {
  expect(shown({ tables: { more: { rows: 1, columns: { id: { type: 'sequence' } } } } })).toEqual([
    ['tables.more.rows', '+1'],
    ['tables.more.columns.id', '+{ type: sequence }'],
  ]);
  expect(shown({ dataset: { rows: 10 } })).toEqual([]);
});
