import { expect, test } from 'vitest';
import type { Dataset } from './dataset.ts';
import { uuidOrders } from './uuid-order.ts';
import { variedDataset } from './varied-dataset.ts';
import { withUuidOrder } from './with-uuid-order.ts';

const dataset: Dataset = {
  rows: 10,
  seed: 1,
  key: 'id',
  columns: { other: { type: 'boolean', trueShare: 0.5, nulls: 0 }, id: { type: 'uuid4', nulls: 0 } },
};

test('the key becomes of the kind asked for, in its place', () => {
  const { columns, ...rest } = variedDataset(dataset, { keyKind: 'sequence' }, 'bytes');
  expect(Object.keys(columns)).toEqual(['other', 'id']);
  expect(columns.id).toEqual({ type: 'sequence', start: 1, nulls: 0 });
  expect(rest).toEqual({ rows: 10, seed: 1, key: 'id' });
  expect(variedDataset(dataset, { keyKind: 'uuid7' }, 'bytes').columns.id?.type).toBe('uuid7');
});

test.each(uuidOrders)('sequential uuids ascend as the engine compares them: %s', (order) => {
  const sequential = { type: 'uuidSequential', order, nulls: 0 };
  expect(variedDataset(dataset, { keyKind: 'uuidSequential' }, order).columns.id).toEqual(sequential);
  const key = { type: 'uuidSequential', order: 'asEngine', nulls: 0 } as const;
  const parent = { type: 'reference', table: 'stores', rows: 5, key, position: 1, nulls: 0 } as const;
  const fixed = { ...key, order: 'bytes' } as const;
  const experiment = {
    dataset: { ...dataset, columns: { id: key, parent, fixed } },
    statements: { read: { parameters: { store: parent } } },
  };
  expect(withUuidOrder(experiment, order)).toEqual({
    dataset: { ...dataset, columns: { id: sequential, parent: { ...parent, key: sequential }, fixed } },
    statements: { read: { parameters: { store: { ...parent, key: sequential } } } },
  });
});

test('columns that hold nulls hold as many as asked for, the others none', () => {
  const half = { type: 'boolean', trueShare: 0.5, nulls: 0.5 } as const;
  const holding = { ...dataset, columns: { ...dataset.columns, half } };
  const nullsOf = (nullShare: number) =>
    Object.values(variedDataset(holding, { nullShare }, 'bytes').columns).map(({ nulls }) => nulls);
  expect(nullsOf(0.1)).toEqual([0, 0, 0.1]);
  expect(nullsOf(0)).toEqual([0, 0, 0]);
  expect(nullsOf(-1)).toEqual([0, 0, 0.5]);
});

test('timestamp columns have as many distinct times as asked for, other columns as before', () => {
  const at = { type: 'timestamp', from: '2020-01-01', to: '2026-01-01', distinct: 7, nulls: 0 } as const;
  const timed = { ...dataset, columns: { ...dataset.columns, at } };
  const varied = variedDataset(timed, { distinctTimes: 100 }, 'bytes').columns;
  expect(varied).toEqual({ ...timed.columns, at: { ...at, distinct: 100 } });
  expect(variedDataset(timed, { distinctTimes: 0 }, 'bytes')).toBe(timed);
});

test('as the dataset says it, and where there is no key, nothing changes', () => {
  const { key: _, ...keyless } = dataset;
  expect(variedDataset(dataset, {}, 'bytes')).toBe(dataset);
  expect(variedDataset(keyless, { keyKind: 'uuid7' }, 'bytes')).toBe(keyless);
});
