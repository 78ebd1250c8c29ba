import { expect, test } from 'vitest';
import { findEngine } from '../catalog.ts';
import { keptStatements, withoutValues } from './kept-statements.ts';

const language = (engine: string) => findEngine(engine)!.descriptor.statements!;

test.each([
  [
    'postgres',
    "SELECT * FROM t WHERE id = $1 AND name = 'Ann' -- Bob\nLIMIT 10",
    'SELECT * FROM t WHERE id = $1 AND name = ? LIMIT ?',
  ],
  ['postgres', "/* Carol */ UPDATE t1 SET a = E'x\\'y', b = $$z$$, c = 1.5e3", 'UPDATE t1 SET a = ?, b = ?, c = ?'],
  ['mysql', 'SELECT `a` FROM `t` WHERE b = "Dan" AND c IN (1, 2)', 'SELECT `a` FROM `t` WHERE b = ? AND c IN (?, ?)'],
  [
    'postgres',
    'SELECT a FROM t GROUP BY 1, 2 HAVING b > 3 ORDER BY 2 DESC NULLS LAST, c + 4',
    'SELECT a FROM t GROUP BY 1, 2 HAVING b > ? ORDER BY 2 DESC NULLS LAST, c + ?',
  ],
  [
    'postgres',
    'SELECT a::numeric(9, 2), CAST(b AS varchar(7)), char(65) FROM (SELECT 1 ORDER BY 1) s',
    'SELECT a::numeric(9, 2), CAST(b AS varchar(7)), char(?) FROM (SELECT ? ORDER BY 1) s',
  ],
  [
    'mysql',
    "SELECT /*+ BKA(t1) */ a /* Eve */ FROM t WHERE d = DATE '2020-01-01' LIMIT 5",
    'SELECT /*+ BKA(t1) */ a FROM t WHERE d = ? LIMIT ?',
  ],
  ['oracle', "SELECT /*+ QB_NAME('Eve') */ a FROM t", 'SELECT a FROM t'],
  [
    'sqlserver',
    "SELECT TOP (5) a, CONVERT(decimal(9, 2), b) FROM [t] WITH (NOLOCK) WHERE c = N'Eve' AND d = @P0",
    'SELECT TOP (?) a, CONVERT(decimal(9, 2), b) FROM [t] WITH (NOLOCK) WHERE c = ? AND d = @P0',
  ],
  ['mysql', 'INSERT INTO `t` VALUES (?, ...) ', 'INSERT INTO `t` VALUES (?, ...)'],
])('on %s no value stays in %s', (engine, text, expected) => {
  expect(withoutValues(text, language(engine))).toBe(expected);
});

test('what no experiment runs is counted by its kind, and texts that differ in values are one statement', () => {
  const rows = [
    ['SELECT 1', 4, 0.5, 1],
    ['SET a = 1', 9, 1, 0],
    ['SELECT 2', 2, 0.125, 4],
    ['SELECT 3', 0, 0.2, 4],
    ['DELETE FROM dyno.dyno_0a1b2c3d_12_00_orders', 2, 900, 4],
    ['<insufficient privilege>', 2, 0.1, 1],
    ['CREATE INDEX orders_of_ann ON orders (id)', 1, 20, 0],
    ['VACUUM orders', 1, 10, 0],
    ['SELECT relname FROM pg_catalog.pg_class WHERE oid = $1', 3, 1, 1],
    ['SELECT set_config($1, $2, $3)', 1, 1, 1],
    ['SELECT a FROM t WHERE b IN (1, 2', 1, 5, 1, true],
    ['CALL pay(7)', 1, 2, 0],
  ];
  expect(keptStatements(rows, language('postgres'))).toEqual({
    statements: [{ text: 'SELECT ?', calls: 6, meanMs: 0.375, rowsPerCall: 2 }],
    others: [
      { kind: 'dyno', texts: 1, calls: 2, totalMs: 1800, words: ['DELETE FROM'] },
      { kind: 'definition', texts: 2, calls: 2, totalMs: 30, words: ['CREATE INDEX', 'VACUUM'] },
      { kind: 'session', texts: 1, calls: 9, totalMs: 9, words: ['SET'] },
      { kind: 'cut', texts: 1, calls: 1, totalMs: 5, words: ['SELECT'] },
      { kind: 'catalog', texts: 2, calls: 4, totalMs: 4, words: ['SELECT'] },
      { kind: 'other', texts: 1, calls: 1, totalMs: 2, words: ['CALL'] },
      { kind: 'hidden', texts: 1, calls: 2, totalMs: 0.2, words: [] },
    ],
    ...{ totalMs: 1852.45, totalCalls: 27, since: null },
  });
});

test('the totals are those that the server tells', () => {
  const totals = { totalMs: 90, totalCalls: 9, since: '2026-11-30T10:00:00Z' };
  expect(keptStatements([['SELECT 1', 4, 0.5, 1]], language('postgres'), totals)).toMatchObject(totals);
});
