import { expect, test } from 'vitest';
import { shortenedRows } from './shortened-rows.ts';

test('a long list of rows ends after two, with the number of the others', () => {
  const rows = Array.from({ length: 500 }, (_, i) => `(?${2 * i + 1}, ?${2 * i + 2})`).join(', ');
  expect(shortenedRows(`INSERT INTO t (a, b) VALUES ${rows} RETURNING a`)).toBe(
    'INSERT INTO t (a, b) VALUES (?1, ?2), (?3, ?4), … 498 more RETURNING a',
  );
});

test('a list that is cut off has no number', () => {
  expect(shortenedRows('INSERT INTO t VALUES (?1), (?2), (?3), (?4), (?5), (?6), (?…')).toBe(
    'INSERT INTO t VALUES (?1), (?2), …',
  );
});

test('short lists, texts and calls stay as they are', () => {
  for (const statement of [
    'INSERT INTO t VALUES (1, 2), (3, 4), (5, 6), (7, 8)',
    "INSERT INTO t VALUES ('a'), ('b'), ('c'), ('d'), ('e'), ('f')",
    'SELECT f(a), g(b), h(c), i(d), j(e), k(f) FROM t',
    'SELECT a FROM t WHERE b IN ($1, $2, $3, $4, $5, $6, $7)',
  ])
    expect(shortenedRows(statement)).toBe(statement);
});
