import { expect, test } from 'vitest';
import { indexOf } from '#analysis/advise/candidate.ts';
import { descriptor as mongodb } from '#engines/mongodb/descriptor.ts';
import { descriptor as mysql } from '#engines/mysql/descriptor.ts';
import { descriptor as postgres } from '#engines/postgres/descriptor.ts';
import { stepText } from './advice-steps.ts';

const of = (index: ReturnType<typeof indexOf>) => ({ do: 'createIndex', table: 'orders', index }) as const;

test('an index is created in the dialect of the target, under a name that says what it is of', () => {
  const partial = indexOf(['customer', { column: 'sold', order: 'desc' }], {
    include: ['cents'],
    where: "status = 'open'",
  });
  expect(stepText(of(partial), postgres)).toBe(
    "CREATE INDEX orders_customer_sold_some ON orders (customer, sold DESC) INCLUDE (cents) WHERE status = 'open'",
  );
  expect(stepText(of(indexOf([{ expression: 'lower(name)' }])), postgres)).toBe(
    'CREATE INDEX orders_lower_name ON orders ((lower(name)))',
  );
  expect(stepText(of(indexOf(['order'])), mysql)).toBe('CREATE INDEX orders_order ON orders (`order`)');
  expect(stepText(of(indexOf([{ column: 'doc', path: 'address.city' }])), mongodb)).toBe(
    '{"createIndexes":"orders","indexes":[{"key":{"doc.address.city":1},"name":"orders_doc_address_city"}]}',
  );
});

test('an index is dropped with or without the table, as the engine wants it', () => {
  const drop = { do: 'dropIndex', table: 'orders', index: indexOf(['customer']) } as const;
  expect(stepText(drop, postgres)).toBe('DROP INDEX orders_customer');
  expect(stepText(drop, mysql)).toBe('DROP INDEX orders_customer ON orders');
  expect(stepText(drop, mongodb)).toBe('{ "dropIndexes": "orders", "index": {"customer":1} }');
});

test('an index is dropped by the name that it has at the server, in quotes', () => {
  const drop = { do: 'dropIndex', table: 'orders', index: indexOf(['customer']), ownName: 'By `Customer`' } as const;
  expect(stepText(drop, postgres)).toBe('DROP INDEX "By `Customer`"');
  expect(stepText(drop, mysql)).toBe('DROP INDEX `By ``Customer``` ON orders');
});

test('statistics are collected by the statement of the level', () => {
  const text = 'CREATE STATISTICS {statistics_1} ON city, zip FROM {orders}';
  expect(stepText({ do: 'setUp', name: 'statistics_1', text }, postgres)).toBe(
    'CREATE STATISTICS statistics_1 ON city, zip FROM orders',
  );
});

test('a setting has quotes unless it is a number, and a long list of keys is shortened', () => {
  expect(stepText({ do: 'set', name: 'work_mem', value: '16384kB' }, postgres)).toBe("SET work_mem = '16384kB'");
  expect(stepText({ do: 'set', name: 'sort_buffer_size', value: '1024' }, mysql)).toBe('SET sort_buffer_size = 1024');
  const keys = Array.from({ length: 9 }, (_, i) => `:id_${i + 1}`).join(', ');
  const text = `SELECT a FROM {orders} WHERE id IN (${keys})`;
  expect(stepText({ do: 'replaceText', statement: 'find', text }, postgres)).toBe(
    'SELECT a FROM orders WHERE id IN (:id_1, …, :id_9)',
  );
});
