import { expect, test } from 'vitest';
import { findEngine } from '#engines/catalog.ts';
import { namedParameters } from './program-parameters.ts';

const named = (engine: string, text: string) => namedParameters(text, findEngine(engine)!.descriptor.statements!);

test.each([
  ['postgres', 'SELECT * FROM orders WHERE id = $1', 'SELECT * FROM orders WHERE id = :id'],
  ['postgres', 'SELECT * FROM o WHERE id = $1 OR other = $1', 'SELECT * FROM o WHERE id = :id OR other = :id'],
  ['postgres', 'SELECT a FROM t WHERE at BETWEEN $1 AND $2', 'SELECT a FROM t WHERE at BETWEEN :at AND :at_2'],
  ['postgres', 'SELECT a FROM t WHERE a = %s AND b IN (%s, %s)', 'SELECT a FROM t WHERE a = :a AND b IN (:b, :b_2)'],
  ['postgres', 'SELECT a FROM t WHERE a = %(who)s', 'SELECT a FROM t WHERE a = :who'],
  ['postgres', "SELECT a FROM t WHERE data ? 'x' AND a = ?", "SELECT a FROM t WHERE data ? 'x' AND a = :a"],
  ['postgres', "SELECT a FROM t WHERE d ?| $1 AND e::text = '$2'", "SELECT a FROM t WHERE d ?| :p1 AND e::text = '$2'"],
  ['postgres', 'SELECT a FROM t LIMIT ? OFFSET ?', 'SELECT a FROM t LIMIT :row_limit OFFSET :row_limit_2'],
  ['postgres', 'SELECT 5 % 3 FROM t WHERE a::int = :CustomerId', 'SELECT 5 % 3 FROM t WHERE a::int = :customer_id'],
  ['mysql', 'INSERT INTO t (a, b) VALUES (?, ?)', 'INSERT INTO t (a, b) VALUES (:a, :b)'],
  ['mysql', 'UPDATE t SET a = ?, b = b + ? WHERE id = ?', 'UPDATE t SET a = :a, b = b + :b WHERE id = :id'],
  [
    'mysql',
    "SELECT '?', `a?` -- ?\nFROM t WHERE lower(a) = lower(?)",
    "SELECT '?', `a?` -- ?\nFROM t WHERE lower(a) = lower(:a)",
  ],
  [
    'sqlserver',
    'SELECT TOP (@n) * FROM t WHERE a = @p1 AND @@rowcount > 0',
    'SELECT TOP (:n) * FROM t WHERE a = :a AND @@rowcount > 0',
  ],
  ['sqlserver', 'SELECT * FROM t WHERE Name LIKE @Name', 'SELECT * FROM t WHERE Name LIKE :name'],
  [
    'oracle',
    'DELETE FROM t x WHERE x.id = :1 AND x.kind = :kind',
    'DELETE FROM t x WHERE x.id = :id AND x.kind = :kind',
  ],
  ['sqlite', 'SELECT a FROM t WHERE ?1 = a AND b > ?2', 'SELECT a FROM t WHERE :a = a AND b > :b'],
  [
    'drda',
    'SELECT a FROM t WHERE a = ? FETCH FIRST ? ROWS ONLY',
    'SELECT a FROM t WHERE a = :a FETCH FIRST :row_limit ROWS ONLY',
  ],
])('on %s the parameters of %s get names', (engine, text, expected) => {
  expect(named(engine, text).text).toBe(expected);
});

test('a statement with thousands of parameters stays as it is', () => {
  const text = `SELECT a FROM t WHERE a IN (${Array<string>(100_000).fill('?').join(',')})`;
  expect(named('mysql', text)).toMatchObject({ text, signs: [] });
});

test.each([
  ['postgres', 'CREATE FUNCTION f(int) RETURNS int RETURN $1 + 1'],
  ['postgres', "SELECT $x$ $1 ? $x$, data @> '{}', tags ?& array['a']"],
  ['sqlserver', 'DECLARE @a int = 1; SELECT * FROM t WHERE a = @a'],
  ['mysql', 'SELECT @a := 1'],
])('on %s nothing is a parameter in %s', (engine, text) => {
  expect(named(engine, text)).toMatchObject({ text, signs: [] });
});

test('the uses of the parameters are known by their new names', () => {
  const { uses, signs } = named('postgres', 'INSERT INTO shop.orders (id, state) VALUES ($1, upper($2)) -- $3');
  expect(signs).toEqual(['$1', '$2']);
  expect(uses.get('id')).toMatchObject({
    role: 'insert',
    column: 'id',
    table: { name: 'orders', written: 'shop.orders' },
  });
  expect(uses.get('state')).toMatchObject({ role: 'insert', column: 'state', position: 1 });
  const joined = named('mysql', 'SELECT 1 FROM a x JOIN b ON x.i = b.i WHERE b.k = ? AND x.j >= ?').uses;
  expect(joined.get('k')).toMatchObject({ role: 'compare', table: { name: 'b' } });
  expect(joined.get('j')).toMatchObject({ role: 'compare', table: { name: 'a' } });
});
