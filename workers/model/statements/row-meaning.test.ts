import { expect, test } from 'vitest';
import { leavesRowsOf, rowMeaning } from './row-meaning.ts';
import type { StatementLanguage } from './statement-text.ts';

const sql: StatementLanguage = { language: 'sql', quoting: ['dollar', 'eString'] };
const mysql: StatementLanguage = { language: 'sql', quoting: ['backslash', 'backtick', 'hash'] };
const json: StatementLanguage = { language: 'json' };
const rql: StatementLanguage = { language: 'rql' };

test.each([
  ['SELECT name FROM shop.customers WHERE id = :id', 'shop.customers', ['id']],
  [
    'select * from "Orders" o where (o."day" = :day and :code = o.code) order by day limit 1;',
    'orders',
    ['day', 'code'],
  ],
  ['SELECT note FROM {table} WHERE id = :id::uuid FOR UPDATE', '{table}', ['id']],
  ['UPDATE shop.lines SET note = :note WHERE tenant = :tenant AND no = :no', 'shop.lines', ['tenant', 'no']],
])('a look-up by equality alone: %s', (text, table, parameters) => {
  expect(rowMeaning(text, sql).lookUp).toMatchObject({ table, parameters });
});

test.each([
  'SELECT * FROM orders WHERE id = :id AND status = 1',
  "SELECT * FROM orders WHERE id = :id AND status = 'open'",
  'SELECT * FROM orders WHERE day >= :day',
  'SELECT * FROM orders WHERE id = :id OR code = :code',
  'SELECT * FROM orders o JOIN lines l ON l.order_id = o.id WHERE o.id = :id',
  'SELECT * FROM orders, lines WHERE orders.id = :id',
  'SELECT * FROM orders WHERE lower(code) = :code',
  'SELECT * FROM orders',
])('a call may find nothing for another reason: %s', (text) => {
  expect(rowMeaning(text, sql).lookUp).toBeNull();
});

test('commands and queries of other languages are read alike', () => {
  expect(rowMeaning('{ "find": "orders", "filter": { "_id": { "$oid": "$id" } }, "limit": 1 }', json)).toMatchObject({
    command: 'select',
    reads: ['orders'],
    lookUp: { table: 'orders', parameters: ['id'] },
  });
  expect(rowMeaning('{ "find": "orders", "filter": { "code": "$code", "qty": 3 } }', json).lookUp).toBeNull();
  expect(rowMeaning('{ "distinct": "orders", "key": "code" }', json).reads).toEqual(['orders']);
  expect(rowMeaning('{ "count": "orders" }', json).oneRow).toBe(true);
  expect(rowMeaning('{ "update": "o", "updates": [{ "q": {}, "u": {}, "upsert": true }] }', json).command).toBe(
    'other',
  );
  expect(rowMeaning("from {table} where code = $code and 'day' = $day select name", rql)).toMatchObject({
    command: 'select',
    lookUp: { table: '{table}', columns: ['code', 'day'], parameters: ['code', 'day'] },
  });
  expect(rowMeaning('SELECT a FROM `my orders` WHERE b = :b', mysql).reads).toEqual(['my orders']);
});

test.each([
  ['SELECT count(*) FROM orders WHERE day = :day', true],
  ['SELECT coalesce(sum(price), 0) AS total, max(day) FROM orders', true],
  ['SELECT day, count(*) FROM orders GROUP BY day', false],
  ['SELECT count(*) FROM orders HAVING count(*) > 3', false],
  ['SELECT id, sum(price) OVER (ORDER BY day) FROM orders', false],
  ['SELECT id, (SELECT count(*) FROM lines) AS n FROM orders', false],
  ['SELECT count FROM orders', false],
])('an aggregate without groups returns one row: %s', (text, oneRow) => {
  expect(rowMeaning(text, sql)).toMatchObject({ command: 'select', oneRow });
});

test.each([
  'CALL pay(:id)',
  'EXEC pay :id',
  'INSERT INTO t VALUES (:a) ON CONFLICT DO NOTHING',
  'INSERT IGNORE INTO t VALUES (:a)',
  'INSERT OR REPLACE INTO t VALUES (:a)',
  'INSERT INTO t VALUES (:a) ON DUPLICATE KEY UPDATE b = 1',
  'REPLACE INTO t VALUES (:a)',
  'MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = 1',
  'WITH gone AS (DELETE FROM t RETURNING id) SELECT * FROM gone',
  'SELECT a INTO b FROM t',
])('the rows of a procedure or an upsert have no meaning: %s', (text) => {
  expect(rowMeaning(text, mysql).command).toBe('other');
});

test('rows that depend on the time or on locks of others are known', () => {
  expect(rowMeaning('SELECT id FROM jobs FOR UPDATE SKIP LOCKED', sql)).toMatchObject({
    command: 'select',
    isMoving: true,
  });
  expect(rowMeaning('SELECT id FROM jobs WHERE at > now()', sql).isMoving).toBe(true);
  expect(rowMeaning("SELECT id FROM jobs WHERE at > datetime('now')", sql).isMoving).toBe(true);
  expect(rowMeaning('SELECT id FROM jobs WHERE locked = 1', sql).isMoving).toBe(false);
});

test('a change leaves the rows of another statement as they are, or not', () => {
  const of = (text: string) => rowMeaning(text, sql);
  const byCode = of('SELECT id, price FROM orders WHERE code = :code');
  const leaves = (text: string) => leavesRowsOf(of(text), byCode);
  expect(leaves('UPDATE shop.orders SET price = :price WHERE id = :id')).toBe(true);
  expect(leaves('UPDATE orders SET code = :code WHERE id = :id')).toBe(false);
  expect(leaves('INSERT INTO orders VALUES (:id, :code)')).toBe(false);
  expect(leaves('INSERT INTO lines VALUES (:id, :code)')).toBe(true);
  expect(leaves('DELETE FROM lines WHERE id = :id')).toBe(false);
  expect(leaves('CALL pay(:id)')).toBe(false);
  expect(leavesRowsOf(of('CALL pay(:id)'), of('INSERT INTO orders VALUES (:id, :code)'))).toBe(true);
  const pays = of('UPDATE account SET balance = balance - :amount WHERE id = :id');
  expect(leavesRowsOf(pays, pays)).toBe(true);
  const takes = of("UPDATE jobs SET state = 'done' WHERE state = 'ready'");
  expect(leavesRowsOf(takes, takes)).toBe(false);
});
