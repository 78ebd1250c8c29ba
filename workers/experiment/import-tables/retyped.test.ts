import { expect, test } from 'vitest';
import type { ColumnFacts, TableFacts } from '#engine-api/table-facts.ts';
import { choiceKey, retyped, rowBytes } from './retyped.ts';
import { twinOf } from './twin.ts';

const column = (name: string, type: string, common: readonly (string | number)[]): ColumnFacts => ({
  ...{ name, type, args: [], isNullable: false, isCounted: false, isComputed: false, isArray: false, labels: null },
  statistics: {
    ...{ nullShare: 0, distinct: common.length, bounds: [], meanBytes: 4, rowOrder: null },
    common: common.map((value) => ({ value, share: 1 / common.length })),
  },
});
const index = (name: string) => ({
  ...{ name: `by_${name}`, parts: [{ column: name }], include: [], where: null, unique: false },
  ...{ kind: 'btree' as const, method: 'btree', visible: true },
});
const orders: TableFacts = {
  ...{ schema: null, name: 'orders', rows: 100, key: ['id'], foreignKeys: [], notes: [] },
  columns: [column('id', 'integer', []), column('place', 'point', [1, 2]), column('code', 'varchar', ['7', '8', 'x'])],
  indexes: [index('place'), index('code')],
  joint: [{ columns: ['place', 'code'], common: [], dependencies: [] }],
};

const columnsOf = (facts: readonly TableFacts[]) =>
  (twinOf(facts, { scale: 1, keepValues: false }).tables.orders as { columns: Record<string, unknown> }).columns;

test('a column gets the type that was chosen, with the values that the type has', () => {
  const facts = retyped([orders], {
    [choiceKey(orders, 'place')]: 'integer',
    [choiceKey(orders, 'code')]: 'integer',
  });
  expect(columnsOf([orders])).not.toHaveProperty('place');
  expect(columnsOf(facts)).toMatchObject({
    place: { type: 'frequencies', as: 'integer', values: [1, 2] },
    code: { type: 'frequencies', as: 'integer', values: [7, 8] },
  });
  expect(facts[0]!.indexes).toHaveLength(2);
});

test('a column is left out with its indexes and statistics, and a key stays', () => {
  const [left] = retyped([orders], {
    [choiceKey(orders, 'place')]: 'leftOut',
    [choiceKey(orders, 'id')]: 'leftOut',
  });
  expect(left!.columns.map(({ name }) => name)).toEqual(['id', 'code']);
  expect(left!.indexes.map(({ name }) => name)).toEqual(['by_code']);
  expect(left!.joint).toEqual([]);
  expect(rowBytes(orders)).toBe(12);
});
