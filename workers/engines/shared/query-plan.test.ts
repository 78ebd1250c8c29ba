import { expect, test } from 'vitest';
import { mayStopEarly } from './query-plan.ts';

test.each([
  'SELECT * FROM t LIMIT 3',
  'SELECT * FROM t FETCH FIRST 3 ROWS ONLY',
  'SELECT TOP (3) * FROM t',
  'SELECT * FROM t WHERE EXISTS (SELECT 1 FROM u)',
  'SELECT * FROM t WHERE a IN (\n SELECT a FROM u)',
  'SELECT * FROM t WHERE a > ANY (SELECT a FROM u)',
])('%s may stop before the last row', (text) => {
  expect(mayStopEarly(text)).toBe(true);
});

test.each([
  "SELECT * FROM t WHERE a = 'no limit' ORDER BY b",
  'SELECT a AS "limit" FROM t -- LIMIT 3\n /* top */',
  'SELECT * FROM t WHERE a IN (1, 2)',
  'SELECT limits FROM t',
])('%s reads all rows', (text) => {
  expect(mayStopEarly(text)).toBe(false);
});
