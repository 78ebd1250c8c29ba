import { expect, test } from 'vitest';
import { unknownStep } from '#engine-api/query-plan.ts';
import type { ColumnFacts, TableFacts } from '#engine-api/table-facts.ts';
import { twinWithValues } from '#experiment/import-tables/twin.ts';
import type { PlansByName } from '#model/dataset/dataset.ts';
import type { AnsweredQuery, TableFigures } from '#protocol/table-figures.ts';
import { compareTwin } from './compare-twin.ts';
import { comparedTables, twinQueries } from './twin-queries.ts';

const column = (name: string, type: string, statistics: Partial<ColumnFacts['statistics']>): ColumnFacts => ({
  ...{ name, type, args: [], isNullable: true, isCounted: false, isComputed: false, isArray: false, labels: null },
  statistics: { nullShare: 0, distinct: null, common: [], bounds: [], meanBytes: null, rowOrder: null, ...statistics },
});

const bounds = Array.from({ length: 101 }, (_, i) => i * 10);
const people: TableFacts = {
  ...{ schema: 'shop', name: 'People', rows: 1_000, key: ['id'], foreignKeys: [], notes: [] },
  columns: [
    column('id', 'integer', { distinct: 1_000, bounds: [1, 1_000], rowOrder: 1 }),
    column('City', 'text', {
      distinct: 2,
      meanBytes: 6,
      common: [
        { value: 'Canary', share: 0.6 },
        { value: 'Berlin', share: 0.4 },
      ],
    }),
    column('region', 'text', {
      distinct: 2,
      meanBytes: 4,
      common: [
        { value: 'west', share: 0.6 },
        { value: 'east', share: 0.4 },
      ],
    }),
  ],
  indexes: [
    {
      ...{ name: 'people_city', parts: [{ column: 'City' }], include: [], where: null, unique: false },
      ...{ kind: 'btree' as const, method: 'btree', visible: true },
    },
  ],
  joint: [{ columns: ['City', 'region'], common: [{ values: ['Canary', 'west'], share: 0.6 }], dependencies: [] }],
};
const bills: TableFacts = {
  ...{ schema: 'shop', name: 'bills', rows: 5_000, key: ['id'], indexes: [], joint: [], notes: [] },
  columns: [
    column('id', 'integer', { distinct: 5_000, bounds: [1, 5_000], rowOrder: 1 }),
    column('person', 'integer', {
      distinct: 1_000,
      common: [
        { value: 17, share: 0.2 },
        { value: 18, share: 0.0002 },
        { value: 19, share: 0.01 },
      ],
    }),
    column('total', 'integer', { distinct: 900, bounds, nullShare: 0.25 }),
  ],
  foreignKeys: [{ columns: ['person'], schema: 'shop', table: 'People', referred: ['id'] }],
};

const text = { kind: 'text', maxLength: 20, fixed: false, ascii: true } as const;
const plans: PlansByName = {
  people: {
    name: 'dyno_x_people',
    key: 0,
    columns: [
      { name: 'id', type: { kind: 'bigint' }, nullable: false },
      { name: 'city', type: text, nullable: true },
      { name: 'region', type: text, nullable: true },
    ],
    indexes: [{ name: 'dyno_x_people_1', label: 'city', parts: [{ column: 1 }], unique: false, kind: 'btree' }],
    options: {},
  },
  bills: {
    name: 'dyno_x_bills',
    key: 0,
    columns: ['id', 'person', 'total'].map((name) => ({ name, type: { kind: 'bigint' }, nullable: false })),
    options: {},
  },
};

const made = (scale = 1) => twinWithValues([people, bills], { scale, keepValues: false });
const parts = (scale = 1) => {
  const tables = comparedTables(made(scale), plans);
  return { tables, queries: twinQueries(made(scale), tables), plans, scale, isSameEngine: true };
};

test('queries have values of the statistics on the original, and made-up texts or ranks on the twin', () => {
  const { queries } = parts();
  const names = queries.map(({ name }) => name);
  expect(names).toContain('shop.People: the most frequent City and region together');
  expect(names).toContain('shop.bills with shop.People: shop.People.City, the most frequent value');
  expect(names).toContain('shop.bills: total, the top tenth');
  expect(names).toContain('shop.bills: total, null');
  expect(names.length).toBeLessThanOrEqual(10);
  expect(new Set(names).size).toBe(names.length);
  const together = queries.find(({ name }) => name.includes('together'))!;
  expect(together.original.where.map(({ value }) => value)).toEqual(['Canary', 'west']);
  for (const { value } of together.twin.where) expect(value).toMatch(/^[A-Z]+$/);
  const favourite = queries.find(({ name }) => name === 'shop.bills: person, the most frequent value')!;
  expect([favourite.original.where[0]!.value, favourite.twin.where[0]!.value]).toEqual([17, { rank: 1 }]);
  // One row of the value 18 is there by chance.
  const rare = queries.find(({ name }) => name === 'shop.bills: person, the rarest listed value')!;
  expect([rare.original.where[0]!.value, rare.twin.where[0]!.value]).toEqual([19, { rank: 2 }]);
  expect(names.join()).not.toMatch(/Canary|Berlin|west|17/);
});

const plan = (table: string, index: string) => ({
  ...{ command: 'EXPLAIN', executed: false, text: '', printed: null },
  steps: [
    { ...unknownStep, operator: 'Bitmap Heap Scan', table },
    { ...unknownStep, depth: 1, operator: `Bitmap Index Scan`, index },
  ],
});
const figures = (
  query: Partial<AnsweredQuery>,
  counted: readonly (number | null)[],
  queries: number,
): TableFigures => ({
  counted,
  columns: Array.from({ length: 6 }, () => null),
  queries: Array.from({ length: queries }, () => ({ estimated: 10, rows: 8, plan: null, why: null, ...query })),
});

test('plans are the same if operators, tables and the columns of indexes are', () => {
  const all = parts();
  const count = all.queries.length;
  const original = figures({ plan: plan('People', 'people_city') }, [1_000, 5_000], count);
  const twin = figures({ plan: plan('dyno_x_people', 'dyno_x_people_1') }, [1_000, 4_000], count);
  const [same] = compareTwin({ ...all, original, twin }).queries;
  expect(same).toMatchObject({
    sameShape: true,
    twinPlan: [
      { table: 'people', index: null },
      { table: null, index: 'city' },
    ],
  });
  const other = figures({ plan: plan('dyno_x_people', 'dyno_x_people_pkey') }, [1_000, 4_000], count);
  expect(compareTwin({ ...all, original, twin: other }).queries[0]).toMatchObject({ sameShape: false });
  expect(compareTwin({ ...all, original, twin, isSameEngine: false }).queries[0]!.sameShape).toBeNull();
});

test('figures of the original have the size of the twin, and unknown ones have no factor', () => {
  const all = parts(0.1);
  const count = all.queries.length;
  const found = compareTwin({
    ...all,
    original: figures({ estimated: 1_000, rows: null }, [1_000, null], count),
    twin: figures({ estimated: 50, rows: 40 }, [100, 500], count),
  });
  expect(found.tables.map(({ rows }) => rows)).toEqual([
    { original: 100, twin: 100, off: 1 },
    { original: 500, twin: 500, off: 1 },
  ]);
  expect(found.queries[0]).toMatchObject({
    estimated: { original: 100, twin: 50, off: 2 },
    rows: { original: null, twin: 40, off: null },
  });
  const total = found.columns.find((one) => one.column === 'total')!;
  expect(total).toMatchObject({ from: 'statistics', nulls: { original: 125, twin: null, off: null } });
});
