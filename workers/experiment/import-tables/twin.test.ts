import * as v from 'valibot';
import { expect, test } from 'vitest';
import type { ColumnFacts, ColumnStatistics, TableFacts } from '#engine-api/table-facts.ts';
import { tablesSchema } from '#model/dataset/tables.ts';
import { columnText, twinOf } from './twin.ts';

const none: ColumnStatistics = {
  nullShare: 0,
  distinct: null,
  common: [],
  bounds: [],
  meanBytes: null,
  rowOrder: null,
};

const column = (
  name: string,
  type: string,
  statistics: Partial<ColumnStatistics> | null,
  more: Partial<ColumnFacts> = {},
) => ({
  ...{ name, type, args: [], isNullable: false, isCounted: false, isComputed: false, isArray: false, labels: null },
  statistics: statistics === null ? null : { ...none, ...statistics },
  ...more,
});

const table = (name: string, columns: readonly ColumnFacts[], more: Partial<TableFacts> = {}): TableFacts => ({
  ...{ schema: null, name, rows: 1_000, key: [], foreignKeys: [], indexes: [], joint: [], notes: [] },
  columns,
  ...more,
});

const usual = { scale: 1, keepValues: false };
const columnsOf = (facts: readonly TableFacts[], options = usual) => {
  const { tables, told } = twinOf(facts, options);
  expect(v.safeParse(tablesSchema, tables).issues, JSON.stringify(told)).toBeUndefined();
  return Object.fromEntries(
    Object.entries(tables).map(([name, one]) => [name, one.columns as Record<string, Record<string, unknown>>]),
  );
};

test('frequent numbers, histograms, nulls and the order of rows are those of the server', () => {
  const amount = column(
    'amount',
    'numeric',
    {
      ...{ nullShare: 0.2, distinct: 300, rowOrder: 0.61 },
      common: [{ value: 9.5, share: 0.4 }],
      bounds: [1, 2.25, 80],
    },
    { args: ['8', '2'], isNullable: true },
  );
  const { sales } = columnsOf([table('sales', [amount])]);
  expect(sales!.amount).toMatchObject({
    ...{ type: 'frequencies', as: 'decimal', precision: 8, scale: 2, values: [9.5], shares: [0.5] },
    ...{ bounds: [1, 2.25, 80], rowOrder: 0.61, nulls: 0.2 },
  });
  // 400 draws of d values find 299 of them.
  expect(sales!.amount!.distinct).toBeGreaterThan(500);
});

test('frequent texts are made up, of the same length and share, unless they are kept', () => {
  const status = column('status', 'character varying', {
    ...{ distinct: 3, meanBytes: 6 },
    common: [
      { value: 'delivered', share: 0.7 },
      { value: 'lost', share: 0.2 },
      { value: 'gone', share: 0.1 },
    ],
  });
  const { sales } = columnsOf([table('sales', [status])]);
  const { values, shares } = sales!.status as {
    readonly values: readonly string[];
    readonly shares: readonly number[];
  };
  expect(shares).toEqual([0.7, 0.2, 0.1]);
  expect(values.map(({ length }) => length)).toEqual([9, 4, 4]);
  expect(new Set(values).size).toBe(3);
  expect(JSON.stringify(sales)).not.toMatch(/delivered|lost|gone/);
  const kept = columnsOf([table('sales', [status])], { ...usual, keepValues: true });
  expect(kept.sales!.status!.values).toEqual(['delivered', 'lost', 'gone']);
});

test('no bound of a text is in the file, even where values are kept', () => {
  const name = column('name', 'text', { distinct: 900, meanBytes: 7, bounds: ['Ann Canary', 'Bob', 'Zoe'] });
  for (const keepValues of [true, false]) {
    const { people } = columnsOf([table('people', [name])], { ...usual, keepValues });
    expect(people!.name).toMatchObject({ type: 'frequencies', as: 'text', minLength: 3, maxLength: 10, meanLength: 7 });
    expect(JSON.stringify(people)).not.toContain('Canary');
  }
});

test('a foreign key draws keys of the other table with the skew of its own column', () => {
  const customers = table('customers', [column('id', 'integer', { distinct: 1_000, bounds: [1, 1_000] })], {
    key: ['id'],
  });
  const common = [
    { value: 17, share: 0.1 },
    { value: 4, share: 0.05 },
  ];
  const foreignKey = { columns: ['customer'], schema: null, table: 'customers', referred: ['id'] };
  const orders = table('orders', [column('customer', 'integer', { distinct: 400, common, bounds: [1, 500, 999] })], {
    foreignKeys: [foreignKey],
  });
  const columns = columnsOf([orders, customers]);
  expect(columns.customers!.id).toMatchObject({ type: 'sequence', start: 1 });
  expect(columns.orders!.customer).toMatchObject({ type: 'reference', table: 'customers', shares: [0.1, 0.05] });
  expect(Object.keys(columns)).toEqual(['customers', 'orders']);
});

test('columns with statistics together draw together, and each keeps its other values', () => {
  const city = column('city', 'text', {
    distinct: 50,
    common: [
      { value: 'Paris', share: 0.5 },
      { value: 'Lyon', share: 0.2 },
    ],
  });
  const zone = column('zone', 'integer', {
    distinct: 2,
    common: [
      { value: 1, share: 0.6 },
      { value: 2, share: 0.4 },
    ],
  });
  const joint = {
    columns: ['city', 'zone'],
    common: [{ values: ['Paris', '1'], share: 0.5 }],
    dependencies: [{ from: ['city'], to: 'zone', degree: 0.9 }],
  };
  const { places } = columnsOf([table('places', [city, zone], { joint: [joint] })]);
  expect(places!.city).toMatchObject({ row: 'group 1', jointly: 1, together: 0.9, shares: [0.5, 0.2] });
  expect(places!.zone).toMatchObject({ row: 'group 1', jointly: 1, values: [1, 1, 2], shares: [0.5, 0.1, 0.4] });
});

test('the scale changes rows, and the number of different values where it grows with the table', () => {
  const facts = table('t', [
    column('code', 'text', { distinct: 900, meanBytes: 8, common: [{ value: 'x', share: 0.1 }] }),
    column('kind', 'integer', { distinct: 20, bounds: [1, 40] }),
  ]);
  const { tables } = twinOf([facts], { ...usual, scale: 0.1 });
  expect(tables.t!.rows).toBe(100);
  const { code, kind } = tables.t!.columns as Record<string, Record<string, number>>;
  expect(kind!.distinct).toBeLessThan(30);
  expect(code!.distinct).toBeLessThan(3_000);
});

test('labels, booleans and times keep their shares; what has no counterpart is told with its place', () => {
  const facts = table(
    'facts',
    [
      column('state', 'state', { common: [{ value: 'on', share: 0.9 }] }, { labels: ['off', 'on'] }),
      column('flag', 'boolean', {
        common: [
          { value: true, share: 0.25 },
          { value: false, share: 0.75 },
        ],
      }),
      column('day', 'date', { distinct: 31, bounds: ['2026-01-01', '2026-01-31'] }),
      column('at', 'timestamp with time zone', {
        distinct: 900,
        bounds: ['2026-01-01T00:00:00+02:00', '2026-01-02T12:00:00.5+00:00'],
      }),
      column('place', 'point', {}),
    ],
    {
      indexes: [
        {
          name: 'by_place',
          parts: [{ column: 'place' }],
          include: [],
          where: null,
          unique: false,
          kind: null,
          method: 'spgist',
          visible: true,
        },
      ],
      notes: ['The server has a note.'],
    },
  );
  const { told } = twinOf([facts], usual);
  const columns = columnsOf([facts]).facts!;
  expect(columns.state).toMatchObject({ type: 'oneOf', values: ['off', 'on'], weights: [0.1, 0.9] });
  expect(columns.flag).toMatchObject({ type: 'boolean', trueShare: 0.25 });
  expect(columns.day).toMatchObject({ as: 'date', bounds: ['2026-01-01', '2026-01-31'] });
  expect(columns.at).toMatchObject({ as: 'timestamp', bounds: ['2025-12-31T22:00:00Z', '2026-01-02T12:00:00.5Z'] });
  expect(columns.place).toBeUndefined();
  expect(told).toContain('The server has a note.');
  expect(told.join('\n')).toMatch(/facts\.place: the column place was left out, because .*point/);
  expect(told.join('\n')).toMatch(
    /facts, index by_place: it was left out, because Dyno has no index of the kind spgist/,
  );
  expect(columnText(columns.day!)).toBe('date: a histogram of 2 bounds');
});

test('where the server knows the number of different values alone, the range and the lengths are those of the definition', () => {
  const facts = table('t', [
    column('born', 'date', { nullShare: null, distinct: 40 }),
    column('name', 'varchar', { nullShare: null, distinct: 20 }, { args: ['30'], isNullable: true }),
    column('amount', 'integer', { nullShare: null, distinct: 9 }),
  ]);
  const { t } = columnsOf([facts]);
  expect(t!.born).toMatchObject({
    type: 'frequencies',
    as: 'date',
    bounds: ['2020-01-01', '2026-01-01'],
    distinct: 40,
  });
  expect(t!.name).toMatchObject({ as: 'text', distinct: 20, maxLength: 30, nulls: 0.1 });
  expect(t!.amount).toMatchObject({ as: 'integer', bounds: [0, 2_147_483_647], distinct: 9 });
});

test('statistics of the server that Dyno collects for no table by itself are statements of setup', () => {
  const facts = table('Orders', [column('City', 'text', { distinct: 3 }), column('place', 'point', {})], {
    collected: [
      { text: 'CREATE STATISTICS {own} (mcv) ON "{columns}" FROM {}', columns: ['City'], separator: '", "' },
      { text: 'CREATE STATISTICS {own} ON "{columns}" FROM {}', columns: ['City', 'place'], separator: '", "' },
    ],
  });
  // The twin has no column for a point.
  expect(twinOf([facts], usual).setup).toEqual({
    statistics_1: 'CREATE STATISTICS {statistics_1} (mcv) ON "city" FROM {orders}',
  });
});
