import { expect, test } from 'vitest';
import { findEngine } from '#engines/catalog.ts';
import { writesOwnTables } from './own-tables.ts';

const writes = (engine: string, text: string) => writesOwnTables(text, findEngine(engine)!.descriptor.statements!);

test.each([
  ['postgres', 'INSERT INTO {orders} (id) VALUES (:id) ON CONFLICT (id) DO UPDATE SET n = 1'],
  ['postgres', 'INSERT INTO {orders} SELECT * FROM theirs'],
  ['postgres', 'WITH gone AS (DELETE FROM {orders} WHERE id = :id RETURNING id) INSERT INTO {log} SELECT id FROM gone'],
  ['postgres', 'SELECT id, {price}(id) FROM {orders} WHERE id = :id FOR UPDATE'],
  ['mysql', 'UPDATE IGNORE {orders} AS o JOIN {customers} c ON c.id = o.customer SET o.n = 1'],
  ['mysql', 'INSERT INTO {orders} (id) VALUES (:id) ON DUPLICATE KEY UPDATE n = 1'],
  ['sqlserver', 'DELETE o FROM {orders} o WHERE o.id = :id'],
  ['sqlserver', 'MERGE INTO {orders} AS o USING {news} AS n ON o.id = n.id WHEN MATCHED THEN DELETE;'],
  ['mongodb', '{ "update": "{orders}", "updates": [{ "q": {}, "u": { "$set": { "n": 1 } } }] }'],
])('%s writes to tables of Dyno alone: %s', (engine, text) => {
  expect(writes(engine, text)).toBe(true);
});

test.each([
  ['postgres', 'INSERT INTO theirs SELECT * FROM {orders}'],
  ['postgres', 'UPDATE theirs SET n = (SELECT max(n) FROM {orders})'],
  ['postgres', 'DELETE FROM theirs USING {orders} o WHERE o.id = theirs.id'],
  ['postgres', 'WITH gone AS (DELETE FROM theirs RETURNING id) SELECT * FROM gone, {orders}'],
  ['postgres', 'DELETE FROM theirs /* {orders} */'],
  ['postgres', 'CALL change({orders})'],
  ['postgres', 'SELECT change(id) FROM theirs'],
  ['mongodb', '{ "aggregate": "{orders}", "pipeline": [{ "$merge": "theirs" }] }'],
  ['mongodb', '{ "delete": "theirs", "deletes": [{ "q": { "id": "{orders}" }, "limit": 1 }] }'],
])('%s may write to other tables: %s', (engine, text) => {
  expect(writes(engine, text)).toBe(false);
});
