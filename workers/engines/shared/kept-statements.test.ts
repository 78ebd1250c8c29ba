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

test('what no experiment runs is left out, and texts that differ in values are one statement', () => {
  const rows = [
    ['SELECT 1', 4, 0.5, 1],
    ['SET a = 1', 9, 1, 0],
    ['SELECT 2', 2, 0.125, 4],
    ['SELECT 3', 0, 0.2, 4],
    ['DELETE FROM dyno.dyno_0a1b2c3d_12_00_orders', 2, 900, 4],
    ['<insufficient privilege>', 2, 0.1, 1],
  ];
  expect(keptStatements(rows, language('postgres'))).toEqual([
    { text: 'SELECT ?', calls: 6, meanMs: 0.375, rowsPerCall: 2 },
  ]);
});
