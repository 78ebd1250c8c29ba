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
  ['mysql', 'INSERT INTO `t` VALUES (?, ...) ', 'INSERT INTO `t` VALUES (?, ...)'],
])('on %s no value stays in %s', (engine, text, expected) => {
  expect(withoutValues(text, language(engine))).toBe(expected);
});

test('what no experiment runs is left out, and a text comes once', () => {
  const rows = [
    ['SELECT 1', 4, 0.5, 1],
    ['SET a = 1', 9, 1, 0],
    ['SELECT 2', 2, 0.1, 1],
    ['<insufficient privilege>', 2, 0.1, 1],
  ];
  expect(keptStatements(rows, language('postgres'))).toEqual([
    { text: 'SELECT ?', calls: 4, meanMs: 0.5, rowsPerCall: 1 },
  ]);
});
