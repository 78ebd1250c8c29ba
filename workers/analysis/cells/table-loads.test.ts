import { expect, test } from 'vitest';
import type { TrialResult } from '#protocol/measurement.ts';
import { tableLoadsOf } from './table-loads.ts';

const trial = (salesMs: number | null): TrialResult =>
  (salesMs === null
    ? {}
    : {
        tableLoads: [
          { table: 'shops', rows: 10, bytes: 80, ms: 100 },
          { table: 'sales', rows: 1_000, bytes: 24_000, ms: salesMs },
        ],
      }) as unknown as TrialResult;

test('a table from a file has its rows and bytes per second over the repeats that loaded it', () => {
  const [shops, sales, ...others] = tableLoadsOf([trial(500), trial(null), trial(1_000)]);
  expect(shops).toMatchObject({ table: 'shops', rows: 10, bytes: 80 });
  expect(sales).toMatchObject({
    ...{ table: 'sales', rows: 1_000, bytes: 24_000 },
    rowsPerSecond: { value: 1_500, n: 2 },
    bytesPerSecond: { value: 36_000, n: 2 },
  });
  expect(others).toEqual([]);
});

test('a cell whose trials loaded no table from a file has no rates of loads', () => {
  expect(tableLoadsOf([trial(null)])).toEqual([]);
});
