import { expect, test } from 'vitest';
import { twinOf } from '#experiment/import-tables/twin.ts';
import { answeredDatabase } from '../answered-database.fixture.ts';
import { findParser } from '../statements/sqlfluff.fixture.ts';
import { errorToken, resultTokens } from '../wire/tds-server.fixture.ts';
import { columnsSql, histogramsSql, indexesSql, referencesSql, tablesSql } from './table-facts.ts';

type Cells = readonly (readonly (string | null)[])[];

/** The catalog of a database of SQL Server 2022 with two tables; bits, counts and lengths come as text here. */
const catalog: Readonly<Record<string, readonly [columns: readonly string[], rows: Cells]>> = {
  [tablesSql]: [
    ['id', 'schema_name', 'table_name', 'row_count', 'partitions'],
    [
      ['11', 'dbo', 'customers', '1000', '1'],
      ['12', 'sales', 'orders', '5000', '3'],
    ],
  ],
  [columnsSql]: [
    ['id', 'name', 'type_name', 'max_length', 'digits', 'scale', 'is_nullable', 'is_identity', 'is_computed'],
    [
      ['11', 'id', 'int', '4', '10', '0', '0', '1', '0'],
      ['11', 'city', 'nvarchar', '60', '0', '0', '1', '0', '0'],
      ['12', 'id', 'bigint', '8', '19', '0', '0', '0', '0'],
      ['12', 'customer_id', 'int', '4', '10', '0', '0', '0', '0'],
      ['12', 'total', 'decimal', '9', '10', '2', '0', '0', '0'],
      ['12', 'placed', 'datetime2', '8', '27', '7', '0', '0', '0'],
      ['12', 'note', 'nvarchar', '-1', '0', '0', '1', '0', '0'],
    ],
  ],
  [indexesSql]: [
    [
      'id',
      'name',
      'kind',
      'is_unique',
      'is_key',
      'is_disabled',
      'condition',
      'column_name',
      'is_descending',
      'is_included',
    ],
    [
      ['11', 'pk_customers', 'CLUSTERED', '1', '1', '0', null, 'id', '0', '0'],
      ['12', 'pk_orders', 'CLUSTERED', '1', '1', '0', null, 'id', '0', '0'],
      ['12', 'by_time', 'NONCLUSTERED', '0', '0', '0', '([total]>(0))', 'placed', '1', '0'],
      ['12', 'by_time', 'NONCLUSTERED', '0', '0', '0', '([total]>(0))', 'total', '0', '1'],
      ['12', 'by_place', 'SPATIAL', '0', '0', '0', null, 'note', '0', '0'],
    ],
  ],
  [referencesSql]: [
    ['id', 'name', 'schema_name', 'table_name', 'column_name', 'referred'],
    [['12', 'fk_customer', 'dbo', 'customers', 'customer_id', 'id']],
  ],
  [histogramsSql]: [
    ['id', 'column_name', 'sampled', 'changes', 'high_key', 'range_rows', 'equal_rows', 'distinct_rows'],
    [
      ['11', 'city', '1000', '0', null, '0', '100', '0'],
      ['11', 'city', '1000', '0', 'Berlin', '0', '600', '0'],
      ['11', 'city', '1000', '0', 'Canary', '0', '300', '0'],
      ['11', 'id', '1000', '0', '1', '0', '1', '0'],
      ['11', 'id', '1000', '0', '1000', '998', '1', '998'],
      ['12', 'customer_id', '5000', '2000', '7', '0', '1000', '0'],
      ['12', 'customer_id', '5000', '2000', '1000', '3996', '4', '900'],
      ['12', 'placed', '5000', '2000', '2026-01-01 00:00:00.0000000', '0', '1', '0'],
      ['12', 'placed', '5000', '2000', '2026-06-30 12:00:00.0000000', '4998', '1', '4990'],
    ],
  ],
};

/** A server with this catalog. `refused`: the text that it answers with an error. */
async function serverWith(refused: string | null, babelfish: string | null = null) {
  const asked: string[] = [];
  const server = await answeredDatabase((text) => {
    const answer = catalog[text];
    if (answer === undefined) return null;
    asked.push(text);
    if (text === refused) return errorToken(208, 16, 'Invalid object name ‘sys.dm_db_stats_histogram’.');
    return resultTokens(...(answer as Parameters<typeof resultTokens>));
  }, babelfish);
  return { ...server, asked };
}

test('definitions, keys, references, indexes and histograms become facts, and a twin', async () => {
  await using server = await serverWith(null);
  const facts = await server.database.tableFacts!([]);
  expect(server.asked).toEqual([tablesSql, columnsSql, indexesSql, referencesSql, histogramsSql]);
  const [customers, orders] = facts;
  expect(customers).toMatchObject({ schema: null, name: 'customers', rows: 1_000, key: ['id'] });
  expect(customers!.columns[0]).toMatchObject({
    type: 'int',
    isCounted: true,
    statistics: { rowOrder: 1, distinct: 1_000 },
  });
  expect(customers!.columns[1]).toMatchObject({
    ...{ type: 'nvarchar', args: ['30'], isNullable: true },
    statistics: {
      nullShare: 0.1,
      distinct: 2,
      common: [
        { value: 'Berlin', share: 0.6 },
        { value: 'Canary', share: 0.3 },
      ],
    },
  });
  expect(orders).toMatchObject({
    ...{ schema: 'sales', name: 'orders', rows: 5_000, key: ['id'] },
    foreignKeys: [{ columns: ['customer_id'], schema: null, table: 'customers', referred: ['id'] }],
    indexes: [
      {
        name: 'by_time',
        parts: [{ column: 'placed', desc: true }],
        include: ['total'],
        where: '([total]>(0))',
        kind: 'btree',
      },
      { name: 'by_place', kind: null, method: 'spatial' },
    ],
  });
  const [, customer, total, placed] = orders!.columns;
  expect(customer!.statistics!.common).toEqual([{ value: 7, share: 0.2 }]);
  expect(total).toMatchObject({ args: ['10', '2'], statistics: null });
  expect(placed!.statistics!.bounds.at(-1)).toBe('2026-06-30 12:00:00.0000000');
  expect(orders!.notes.join('\n')).toMatch(
    /no statistics of total, note in orders[\s\S]*2000 changes[\s\S]*3 partitions/,
  );
  const { tables } = twinOf(facts, { scale: 1, keepValues: false });
  expect(JSON.stringify(tables)).not.toContain('Canary');
  expect(tables.orders).toMatchObject({ columns: { customer_id: { type: 'reference', table: 'customers' } } });
});

test('one table is asked for by its name, and one of another schema with it', async () => {
  await using server = await serverWith(null);
  const names = async (schema: string | null, name: string) =>
    (await server.database.tableFacts!([{ schema, name }])).map((one) => one.name);
  expect(await names(null, 'customers')).toEqual(['customers']);
  expect(await names(null, 'orders')).toEqual([]);
  expect(await names('sales', 'orders')).toEqual(['orders']);
});

test('a server without the view gives definitions, and the reason', async () => {
  await using server = await serverWith(histogramsSql);
  const [customers] = await server.database.tableFacts!([]);
  // A unique index tells the number of different values.
  expect(customers!.columns.map(({ statistics }) => statistics?.distinct ?? null)).toEqual([1_000, null]);
  expect(customers!.notes[0]).toMatch(/Histograms could not be read \(.*2016 SP1 CU2/);
});

test('Babelfish says where its statistics are', async () => {
  await using server = await serverWith(null, '4.0');
  await expect(server.database.tableFacts!([])).rejects.toThrow(/no histograms/);
});

test('queries that compare a twin are T-SQL', { timeout: 120_000 }, async ({ skip }) => {
  await using server = await serverWith(null);
  const texts = server.database.tableQueries!;
  const orders = { schema: 'sales', name: 'orders' };
  const query = {
    table: orders,
    where: [{ column: { name: 'placed' }, operator: 'atLeast', value: '2026-01-01T00:00:00Z', isTime: true }],
    joined: {
      table: { schema: null, name: "cust]'omers" },
      on: [{ column: { name: 'customer_id' }, other: { name: 'id' } }],
      where: [{ column: { name: 'city' }, operator: 'is', value: "O'Hara", isTime: false }],
    },
  } as const;
  expect(texts.count(query)).toBe(
    "SELECT COUNT(*) AS n FROM [sales].[orders] a JOIN [dbo].[cust]]'omers] b ON b.[id] = a.[customer_id] WHERE a.[placed] >= N'2026-01-01 00:00:00' AND b.[city] = N'O''Hara'",
  );
  const parser = findParser();
  if (parser === null) return skip();
  const plain = { ...query, joined: { ...query.joined, table: { schema: null, name: 'customers' } } };
  const all = [
    ...Object.keys(catalog),
    texts.rows(plain),
    texts.count(plain),
    texts.figures(orders, { name: 'note', isText: true }),
    texts.figures(orders, { name: 'total' }),
    texts.frequent(orders, { name: 'total' }),
  ];
  expect(parser.check(all).flatMap((wrong, i) => (wrong === null ? [] : [`${wrong}\n${all[i]}`]))).toEqual([]);
});
