import { expect, test } from 'vitest';
import type { Dataset } from './dataset.ts';
import { variedDataset } from './varied-dataset.ts';

const dataset: Dataset = {
  rows: 10,
  seed: 1,
  key: 'id',
  columns: { other: { type: 'boolean', trueShare: 0.5, nulls: 0 }, id: { type: 'uuid4', nulls: 0 } },
};

test('the key becomes of the kind asked for, in its place', () => {
  const { columns, ...rest } = variedDataset(dataset, { keyKind: 'sequence' });
  expect(Object.keys(columns)).toEqual(['other', 'id']);
  expect(columns.id).toEqual({ type: 'sequence', start: 1, nulls: 0 });
  expect(rest).toEqual({ rows: 10, seed: 1, key: 'id' });
  expect(variedDataset(dataset, { keyKind: 'uuid7' }).columns.id?.type).toBe('uuid7');
});

test('columns that hold nulls hold as many as asked for, the others none', () => {
  const half = { type: 'boolean', trueShare: 0.5, nulls: 0.5 } as const;
  const holding = { ...dataset, columns: { ...dataset.columns, half } };
  const nullsOf = (nullShare: number) =>
    Object.values(variedDataset(holding, { nullShare }).columns).map(({ nulls }) => nulls);
  expect(nullsOf(0.1)).toEqual([0, 0, 0.1]);
  expect(nullsOf(0)).toEqual([0, 0, 0]);
  expect(nullsOf(-1)).toEqual([0, 0, 0.5]);
});

test('as the dataset says it, and where there is no key, nothing changes', () => {
  const { key: _, ...keyless } = dataset;
  expect(variedDataset(dataset, {})).toBe(dataset);
  expect(variedDataset(keyless, { keyKind: 'uuid7' })).toBe(keyless);
});
