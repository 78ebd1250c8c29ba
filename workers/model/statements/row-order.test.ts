import { expect, test } from 'vitest';
import { readsOwnTables } from './own-tables.ts';
import { rowOrder } from './row-order.ts';

const sql = { language: 'sql' } as const;
const json = { language: 'json' } as const;
const rql = { language: 'rql' } as const;

test('the sort keys of the outermost query', () => {
  const keysOf = (text: string) => rowOrder(text, sql).keys;
  expect(keysOf('SELECT id FROM t')).toEqual([]);
  expect(
    keysOf('SELECT id, b AS city FROM t ORDER BY City DESC NULLS LAST, 1, lower(x) FETCH FIRST 3 ROWS ONLY'),
  ).toEqual(['city', 1, null]);
  expect(keysOf('SELECT s.id, x.id FROM t s JOIN t x ON true ORDER BY x.id, s.other')).toEqual([2, null]);
  expect(keysOf('SELECT city, sum(a) FROM t GROUP BY city ORDER BY sum(a) DESC')).toEqual([2]);
  expect(keysOf('SELECT DISTINCT s.city, id FROM t s ORDER BY s.city')).toEqual([1]);
  expect(keysOf('SELECT id FROM (SELECT id FROM t ORDER BY id) x')).toEqual([]);
  expect(keysOf('SELECT id FROM t WHERE id IN (SELECT id FROM u ORDER BY a) ORDER BY id LIMIT 3')).toEqual(['id']);
  expect(rowOrder('from {orders} order by city as double desc limit 3', rql)).toMatchObject({
    keys: ['city'],
    isLimited: true,
  });
});

test('the order of a command', () => {
  const orderOf = (command: object) => rowOrder(JSON.stringify(command), json);
  expect(orderOf({ find: '{t}', sort: { city: 1, 'a.b': 1 }, limit: 3, skip: 1 })).toMatchObject({
    ...{ keys: ['city', null], isLimited: true, skips: true, unsettled: null },
  });
  const pipeline = (...stages: readonly object[]) => orderOf({ aggregate: '{t}', pipeline: stages, cursor: {} });
  expect(pipeline({ $sort: { a: 1 } }, { $group: { _id: '$b' } }).keys).toEqual([]);
  expect(pipeline({ $group: { _id: '$b' } }, { $sort: { _id: 1 } }, { $limit: 3 })).toMatchObject({
    ...{ keys: ['_id'], isLimited: true, unsettled: null },
  });
  expect(pipeline({ $limit: 3 }, { $match: { a: 1 } }).unsettled).not.toBeNull();
  expect(pipeline({ $group: { _id: '$b', one: { $first: '$a' } } }).unsettled).toBe('$first');
  expect(pipeline({ $sample: { size: 3 } }).moving).not.toBeNull();
});

test('the time, random numbers and the plan give reasons', () => {
  expect(rowOrder('SELECT now() FROM t', sql).moving).not.toBeNull();
  expect(rowOrder('SELECT random() FROM t', sql).moving).toBe('random()');
  expect(rowOrder('SELECT random FROM t', sql).moving).toBeNull();
  expect(rowOrder('SELECT string_agg(city, 1) FROM t', sql).unsettled).toBe('string_agg()');
  expect(rowOrder('SELECT s.city, count(*) AS n FROM t s GROUP BY s.city', sql).unsettled).toBeNull();
  expect(rowOrder('SELECT city, id FROM t GROUP BY city', sql).unsettled).toMatch(/column id/);
});

test('rows of other tables than Dyno’s own are told apart, and a doubt counts as another table', () => {
  const own = [
    'SELECT id FROM {stores}',
    'SELECT id FROM {stores} s, {sales} x LEFT JOIN {sales} y ON true WHERE s.id IN (SELECT store FROM {sales})',
    'WITH a AS (SELECT id FROM {stores}), b (id) AS (SELECT id FROM a) SELECT * FROM a JOIN b ON a.id = b.id',
    'SELECT * FROM (SELECT id FROM {stores}) s, {sales} x',
  ];
  const others = [
    'SELECT 1',
    'SELECT id FROM stores',
    'SELECT id FROM {stores}, secret',
    'SELECT id FROM (SELECT id FROM {stores}) s, secret',
    'SELECT id FROM {stores} JOIN secret ON true',
    'SELECT id FROM {stores} UNION SELECT id FROM secret',
    'SELECT (SELECT max(id) FROM secret) FROM {stores}',
    'SELECT id FROM {stores} s JOIN LATERAL secret ON true',
    'WITH a AS (TABLE secret) SELECT * FROM a, {stores}',
    'SELECT id FROM {stores}, "secret"',
  ];
  for (const text of own) expect(readsOwnTables(text, sql), text).toBe(true);
  for (const text of others) expect(readsOwnTables(text, sql), text).toBe(false);
  const command = (more: object) => JSON.stringify({ aggregate: '{stores}', ...more });
  expect(readsOwnTables(command({ pipeline: [{ $lookup: { from: '{sales}', as: 'x' } }] }), json)).toBe(true);
  expect(readsOwnTables(command({ pipeline: [{ $lookup: { from: 'secret', as: 'x' } }] }), json)).toBe(false);
  expect(readsOwnTables(command({ pipeline: [{ $unionWith: 'secret' }] }), json)).toBe(false);
  expect(readsOwnTables(JSON.stringify({ find: 'secret' }), json)).toBe(false);
});
