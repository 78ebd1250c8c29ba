import { expect, test } from 'vitest';
import type { Database } from '#engine-api/database.ts';
import { descriptor } from '#engines/noop/descriptor.ts';
import type { Batch, TableChecksum } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import type { Dataset, TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { createGenerator } from '../generator/generator.ts';
import { createChecksumSum } from './checksum.ts';
import { verifyRanges } from './verify-ranges.ts';

const rows = 5_000;
const dataset: Dataset = {
  rows,
  seed: 9,
  key: 'id',
  columns: {
    id: { type: 'sequence', start: 1, nulls: 0 },
    at: { type: 'timestamp', from: '2020-01-01', to: '2021-01-01', nulls: 0.2 },
    text: { type: 'text', length: 8, alphabet: 'alphanumeric', nulls: 0 },
  },
};

/** A server that keeps all rows and compares what it stores, less those that `forgets` says it does not find. */
function serverOf(dates: Settings['dates'], forgets: (row: number) => boolean, spoilsSums = false): Database {
  const generator = createGenerator(dataset, { dates });
  const types = tableColumns(dataset, { dates }).map(({ type }) => type);
  const all = generator.fill(0, rows, null);
  const stored = decodeColumn(all.columns[1]!, types[1]!, rows);
  const inside = ({ columns }: Batch): readonly number[] => {
    const [low, high] = columns.map((side) => decodeColumn(side, types[1]!, 1)[0]!);
    return Array.from({ length: rows }, (_, row) => row).filter((row) => {
      const value = stored[row] ?? null;
      return value !== null && value >= low! && value < high! && !forgets(row);
    });
  };
  const session = {
    prepare: async () => ({
      encode: (batch: Batch) => batch,
      run: (call: unknown) => inside(call as Batch).length,
    }),
    [Symbol.asyncDispose]: async () => {},
  };
  return {
    openSession: async () => session,
    async checksum(_table: TablePlan, range: { readonly bounds: Batch }): Promise<TableChecksum> {
      const sum = createChecksumSum(types);
      sum.add(generator.pick(Float64Array.from(inside(range.bounds))));
      const total = sum.total();
      return spoilsSums ? { ...total, columns: [...total.columns.slice(0, 2), '1'] } : total;
    },
  } as unknown as Database;
}

const check = (dates: Settings['dates'], server: Database) => {
  const table: TablePlan = { name: 't', columns: tableColumns(dataset, { dates }), key: 0, options: {} };
  const settings: Settings = { ...defaultSettings, operation: 'readRange', rangeColumn: 'at', rangeRows: 200, dates };
  return verifyRanges(descriptor, server, table, dataset, settings, rows, new AbortController().signal);
};

test.each(['native', 'isoText', 'ticks'] as const)('five ranges are right, dates stored as %s', async (dates) => {
  const found = await check(
    dates,
    serverOf(dates, () => false),
  );
  expect(found).toMatchObject({ ranges: 5, wrong: null });
  expect(found.rows).toBeGreaterThan(5 * 150);
  expect(found.rows).toBeLessThan(5 * 250);
});

test('all ways of storing give the same number of rows', async () => {
  const found = await Promise.all(
    (['native', 'isoText', 'ticks'] as const).map((dates) =>
      check(
        dates,
        serverOf(dates, () => false),
      ),
    ),
  );
  expect(new Set(found.map((one) => one.rows)).size).toBe(1);
});

test('a row that is not found is reported', async () => {
  const { wrong } = await check(
    'isoText',
    serverOf('isoText', (row) => row % 50 === 0),
  );
  expect(wrong).toMatch(/^readRange of at from .* returns \d+ rows instead of \d+\.$/);
});

test('a wrong value is reported with its column', async () => {
  const { wrong } = await check(
    'native',
    serverOf('native', () => false, true),
  );
  expect(wrong).toMatch(/the checksum of text differs\.$/);
});
