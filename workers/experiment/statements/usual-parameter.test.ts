import { expect, test } from 'vitest';
import { findEngine } from '#engines/catalog.ts';
import { namedParameters } from '#model/statements/program-parameters.ts';
import { usualParameter } from './usual-parameter.ts';

const dataset = {
  rows: 500,
  key: 'id',
  columns: { id: { type: 'uuid4' }, payload: { type: 'text', length: 20 }, no: { type: 'sequence' } },
};
const tables = {
  sales: {
    rows: 1_000,
    key: 'sale',
    columns: {
      sale: { type: 'sequence' },
      email: { type: 'text', length: 20, nulls: 0.1 },
      state: { type: 'oneOf', values: ['new', 'paid'] },
      at: { type: 'timestamp' },
    },
  },
};
const language = findEngine('postgres')!.descriptor.statements!;

test('without a use, a parameter is read from the name of a key or column, or from words in its name', () => {
  const usual = (name: string) => usualParameter({ dataset, tables }, name, null, null);
  expect(usual('id')).toEqual({ type: 'key' });
  expect(usual('sale')).toEqual({ type: 'key', table: 'sales' });
  expect(usual('payload')).toEqual({ type: 'text', length: 20 });
  expect(usual('no')).toEqual({ type: 'integer', min: 1, max: 500 });
  expect(usual('created_at')).toEqual({ type: 'timestamp' });
  expect(usual('least')).toEqual({ type: 'integer', min: 1, max: 1000 });
});

test('a named dataset is found by its name alone', () => {
  const named = { dataset: { ...dataset, name: 'bills' }, tables };
  const use = (text: string) => {
    const [[name, found] = ['', null]] = namedParameters(text, language).uses;
    return usualParameter(named, name, found, language);
  };
  expect(use('SELECT * FROM {bills} WHERE id = $1')).toEqual({ type: 'key' });
  expect(use('SELECT * FROM {bills} WHERE payload = $1')).toMatchObject({ text: 'SELECT payload FROM {bills}' });
  expect(use('SELECT * FROM {table} WHERE id = $1')).not.toEqual({ type: 'key' });
});

/** The sources of the parameters of a statement. */
const sources = (text: string) =>
  Object.fromEntries(
    [...namedParameters(text, language).uses].map(([name, use]) => [
      name,
      usualParameter({ dataset, tables }, name, use, language),
    ]),
  );

test('an INSERT gets new keys, and values of the columns', () => {
  const columns = { sale: { type: 'newKey', table: 'sales' }, email: { type: 'text', length: 20 } };
  expect(sources('INSERT INTO {sales} (sale, email, at) VALUES ($1, $2, $3)')).toEqual({
    ...columns,
    at: { type: 'timestamp' },
  });
  expect(sources('INSERT INTO {table} VALUES (?, ?, ?)')).toMatchObject({
    p1: { type: 'newKey' },
    p2: { type: 'text', length: 20 },
    p3: { type: 'integer', min: 1_000_000_000_000 },
  });
});

test('a look-up gets values that the column has', () => {
  expect(sources('SELECT * FROM {sales} s WHERE s.sale = $1 AND state = $2 AND lower(email) = $3 LIMIT $4')).toEqual({
    sale: { type: 'key', table: 'sales' },
    state: { type: 'oneOf', values: ['new', 'paid'] },
    email: { type: 'query', text: 'SELECT email FROM {sales}' },
    row_limit: { type: 'integer', min: 1, max: 100 },
  });
});

test('the values of a table that Dyno does not make come from its first rows, or from the name of the column', () => {
  expect(sources('SELECT * FROM shop.orders WHERE "Ref" = $1')).toEqual({
    ref: { type: 'query', text: 'SELECT "Ref" FROM shop.orders LIMIT 10000' },
  });
  expect(sources('INSERT INTO shop.orders (ordered_at, qty) VALUES ($1, $2)')).toEqual({
    ordered_at: { type: 'timestamp' },
    qty: { type: 'integer', min: 1, max: 1000 },
  });
});
