import { expect, test } from 'vitest';
import type { Dataset } from '#model/dataset/dataset.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import type { Control } from '../worker/control.ts';
import { buildRest, hasRest, makeFirstIndexes, stagedTables, tableStages } from './table-build.ts';

const dataset: Dataset = {
  rows: 10,
  seed: 1,
  key: 'id',
  columns: {
    at: { type: 'timestamp', from: '2020-01-01', to: '2021-01-01', nulls: 0 },
    id: { type: 'sequence', start: 1, nulls: 0 },
  },
  indexes: [
    { columns: ['at', 'id'], unique: false, kind: 'btree', visible: true },
    { columns: ['id'], unique: true, kind: 'hash', visible: true },
  ],
};
const stagesOf = (settings: Partial<Settings>) =>
  tableStages(dataset, { ...defaultSettings, ...settings }, 't', {}, 'postgres');

/** Records the requests to a control connection. The n-th answer took n ms. */
function noted() {
  const asked: unknown[] = [];
  const control = {
    async ask(request: {
      readonly call: string;
      readonly table: { readonly key: number | null };
      readonly index?: { readonly name: string };
    }) {
      const { call, table, index } = request;
      asked.push([call, index?.name ?? null, table.key]);
      return { ms: asked.length };
    },
  } as unknown as Control;
  return { asked, control };
}
const signal = new AbortController().signal;

test('by default everything is there before the first row, and nothing is left to make', async () => {
  const stages = stagesOf({});
  expect(hasRest(stages)).toBe(false);
  const { asked, control } = noted();
  await makeFirstIndexes(control, stages, signal);
  expect(asked).toEqual([
    ['addIndex', 't_i1', 1],
    ['addIndex', 't_i2', 1],
  ]);
  expect(await buildRest(control, stages, true, signal)).toEqual([]);
});

test('what comes after the rows is made one by one, the key first, each with its time', async () => {
  const stages = stagesOf({ keyCreation: 'afterLoad', indexCreation: 'afterLoad' });
  expect(stages.first).toMatchObject({ key: null, indexes: [] });
  const { asked, control } = noted();
  await makeFirstIndexes(control, stages, signal);
  expect(asked).toEqual([]);
  expect(await buildRest(control, stages, true, signal)).toEqual([
    { part: 'key', ms: 1, counted: true },
    { part: 'index on at, id', ms: 2, counted: true },
    { part: 'index on hash id', ms: 3, counted: true },
  ]);
  expect(asked).toEqual([
    ['addKey', null, 1],
    ['addIndex', 't_i1', 1],
    ['addIndex', 't_i2', 1],
  ]);
});

test('none leaves them out for good', () => {
  const stages = stagesOf({ keyCreation: 'none', indexCreation: 'none' });
  expect(hasRest(stages)).toBe(false);
  expect(stages.complete).toMatchObject({ key: null, indexes: [] });
});

test('a table in partitions is spread by its key, which may come later', () => {
  const stages = stagesOf({ keyCreation: 'afterLoad', partitions: 4 });
  expect(stages.first).toMatchObject({ key: null, partitions: { count: 4, by: 1 } });
  expect(stagesOf({}).first.partitions).toBeUndefined();
});

test('timestamps are columns of what they are stored as', () => {
  const kindOf = (dates: Settings['dates']) => stagesOf({ dates }).first.columns[0]?.type;
  expect(kindOf('native')).toEqual({ kind: 'timestamp' });
  expect(kindOf('ticks')).toEqual({ kind: 'bigint' });
  expect(kindOf('isoText')).toEqual({ kind: 'text', maxLength: 27, fixed: true, ascii: true });
});

test('tables are made in the order of the file, refer to those before, and can be dropped in the order of their names', () => {
  const key = { type: 'sequence', start: 1, nulls: 0 } as const;
  const reference = (table: string) => ({ type: 'reference', table, rows: 10, key, position: 1, nulls: 0 }) as const;
  const table = (columns: Dataset['columns']): Dataset => ({
    rows: 10,
    seed: 1,
    key: 'id',
    columns: { id: key, ...columns },
  });
  const experiment = {
    dataset: table({ sale: reference('sales') }),
    tables: {
      zoos: table({}),
      sales: table({ at: reference('zoos'), old: { type: 'reference', rows: 5, key, position: 1, nulls: 0 } }),
    },
  };
  const made = stagedTables(experiment, defaultSettings, 't', {}, 'postgres');
  const names = Object.values(made).map(({ stages }) => stages.complete.name);
  expect(names).toEqual(['t_02_zoos', 't_01_sales', 't']);
  expect(names.toSorted()).toEqual(names.toReversed());
  const named = stagedTables(
    { ...experiment, dataset: { ...experiment.dataset, name: 'bills' } },
    defaultSettings,
    't',
    {},
    'postgres',
  );
  expect(Object.entries(named).map(([name, { stages }]) => [name, stages.complete.name])).toEqual([
    ['zoos', 't_02_zoos'],
    ['sales', 't_01_sales'],
    ['bills', 't_00_bills'],
  ]);
  const keys = Object.values(made).map(({ stages }) => stages.first.foreignKeys);
  expect(keys).toEqual([
    undefined,
    [{ column: 1, table: 't_02_zoos', key: 'id' }],
    [{ column: 1, table: 't_01_sales', key: 'id' }],
  ]);
  const without = stagedTables(experiment, { ...defaultSettings, foreignKeys: false }, 't', {}, 'postgres');
  expect(Object.values(without).every(({ stages }) => stages.first.foreignKeys === undefined)).toBe(true);
});
