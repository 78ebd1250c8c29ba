import { expect, test } from 'vitest';
import type { OperationPlan } from '#engine-api/operation.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { table } from '../../conformance/rows.ts';
import { statementsOf as drda } from '../../drda/statements/statements.ts';
import { pipeline } from '../../mongodb/statements/reads.ts';
import { statementsOf as mysql } from '../../mysql/statements/statements.ts';
import { statementsOf as oracle } from '../../oracle/statements/statements.ts';
import { statementsOf as postgres } from '../../postgres/statements/statements.ts';
import { orderedQuery } from '../../ravendb/queries.ts';
import { statementsOf as sqlserver } from '../../sqlserver/statements/statements.ts';
import { orderSql } from './order.ts';

const rows = table('dyno_t');
const sorted: OperationPlan['settings'] = { ...defaultSettings, operation: 'scan', orderBy: 'price' };
const nowhere = () => '';

test('a scan asks for an order where it is to have one, and for none else', () => {
  const quote = (name: string) => `"${name}"`;
  expect(orderSql(rows, sorted, quote)).toBe(' ORDER BY "price"');
  expect([orderSql(rows, {}, quote), orderSql(rows, defaultSettings, quote)]).toEqual(['', '']);
});

test.each([
  ['drda', drda(rows, 'scan', sorted).sql(1, nowhere), drda(rows, 'scan', defaultSettings).sql(1, nowhere)],
  [
    'mysql',
    mysql('dyno', rows, 'scan', sorted).sql(1, nowhere),
    mysql('dyno', rows, 'scan', defaultSettings).sql(1, nowhere),
  ],
  [
    'oracle',
    oracle(rows, 'scan', sorted, 'values').one(nowhere),
    oracle(rows, 'scan', defaultSettings, 'values').one(nowhere),
  ],
  ['postgres', postgres(rows, 'scan', sorted).sql(1, nowhere), postgres(rows, 'scan', defaultSettings).sql(1, nowhere)],
  [
    'sqlserver',
    sqlserver(rows, 'scan', sorted).sql(1, nowhere),
    sqlserver(rows, 'scan', defaultSettings).sql(1, nowhere),
  ],
] as const)('%s puts it at the end of its SELECT', (_, text, plain) => {
  expect(text).toMatch(/ ORDER BY ["`[]?price["`\]]?$/i);
  expect(text.startsWith(plain)).toBe(true);
  expect(plain).not.toMatch(/ORDER BY/i);
});

test('MongoDB sorts in a stage, RavenDB by an index and numbers as numbers', () => {
  expect(pipeline({ filter: {}, sort: { price: 1 } })).toEqual([{ $sort: { price: 1 } }]);
  expect(orderedQuery(rows, 4, { dates: 'text' })).toBe("from 'dyno_t' order by 'price' as double");
  expect(orderedQuery(rows, 1, { dates: 'text' })).toBe("from 'dyno_t' order by 'text'");
});
