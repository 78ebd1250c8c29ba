import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { queryPlanOf } from './query-plan.ts';

const database = new DatabaseSync(':memory:');
database.exec(`
  CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b INTEGER);
  CREATE TABLE "odd name" (id INTEGER PRIMARY KEY, t_id INTEGER);
  CREATE INDEX t_a ON t (a);
`);
const steps = async (text: string, ...values: readonly string[]) =>
  (await queryPlanOf(database, text, values)).steps.map(
    ({ depth, kind, operator, table, index }) => [depth, kind, operator, table, index] as const,
  );

test('a scan, a search by key and one by index have their kinds, tables and indexes', async () => {
  expect(await steps('SELECT * FROM t WHERE b = 1')).toEqual([[0, 'fullScan', 'SCAN', 't', null]]);
  expect(await steps('SELECT * FROM t WHERE a = ?', 'x')).toEqual([[0, 'indexSeek', 'SEARCH USING INDEX', 't', 't_a']]);
  expect(await steps('SELECT * FROM t WHERE id = 1')).toEqual([
    [0, 'indexSeek', 'SEARCH USING INTEGER PRIMARY KEY', 't', null],
  ]);
  expect(await steps('SELECT a FROM t')).toEqual([[0, 'indexScan', 'SCAN USING COVERING INDEX', 't', 't_a']]);
  expect(await steps('SELECT * FROM t WHERE upper(a) = ?', 'X')).toEqual([[0, 'fullScan', 'SCAN', 't', null]]);
});

test('sorts and steps of sub-queries are in the tree', async () => {
  expect(await steps('SELECT * FROM t ORDER BY b')).toEqual([
    [0, 'fullScan', 'SCAN', 't', null],
    [0, 'sort', 'USE TEMP B-TREE FOR ORDER BY', null, null],
  ]);
  expect(await steps('SELECT a FROM t UNION ALL SELECT t_id FROM "odd name"')).toEqual([
    [0, 'other', 'COMPOUND QUERY', null, null],
    [1, 'other', 'LEFT-MOST SUBQUERY', null, null],
    [2, 'indexScan', 'SCAN USING COVERING INDEX', 't', 't_a'],
    [1, 'other', 'UNION ALL', null, null],
    [2, 'fullScan', 'SCAN', 'odd name', null],
  ]);
});

test('the plan is printed as the shell of SQLite prints it', async () => {
  const { text, printed } = await queryPlanOf(database, 'SELECT a FROM t UNION ALL SELECT t_id FROM "odd name"', []);
  expect(text).toBe('SELECT a FROM t UNION ALL SELECT t_id FROM "odd name"');
  expect(printed?.split('\n')).toEqual([
    'QUERY PLAN',
    '`--COMPOUND QUERY',
    '   |--LEFT-MOST SUBQUERY',
    '   |  `--SCAN t USING COVERING INDEX t_a',
    '   `--UNION ALL',
    '      `--SCAN odd name',
  ]);
});

test('scans of a statement with LIMIT or EXISTS may stop before their last row', async () => {
  const extents = async (text: string) => (await queryPlanOf(database, text, [])).steps.map(({ extent }) => extent);
  expect(await extents('SELECT * FROM t WHERE b = 1')).toEqual(['toEnd']);
  expect(await extents('SELECT * FROM t WHERE b = 1 LIMIT 1')).toEqual(['mayStop']);
});

test('a statement without a step has no plan', async () => {
  await expect(steps('CREATE TABLE u (id)')).rejects.toThrow('names no step');
});
