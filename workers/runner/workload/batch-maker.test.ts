import { describe, expect, test } from 'vitest';
import { keyIndex, tableColumns } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import type { ClientJob } from '#protocol/messages.ts';
import { createGenerator } from '../generator/generator.ts';
import { createBatchMaker } from './batch-maker.ts';
import { numberRange } from './numbering.ts';
import { workingRows } from './working-set.ts';

const rows = 1_000;
const measure = { repeats: 1, timeoutSeconds: 60, order: 'declared', seed: 1 } as const;
const dataset: Dataset = {
  rows,
  seed: 1,
  key: 'id',
  columns: {
    id: { type: 'sequence', start: 0, nulls: 0 },
    amount: { type: 'integer', min: 0, max: 999_999, nulls: 0 },
  },
};

/** Values of the first column of batches that 500 calls send; keys are row numbers. */
function firstValues(settings: Partial<Settings>): readonly number[] {
  const job: ClientJob = {
    worker: 0,
    workers: 1,
    connections: 1,
    settings: { ...defaultSettings, ...settings },
    dataset,
    table: { name: 't', columns: tableColumns(dataset), key: keyIndex(dataset), options: {} },
    measure: { ...measure, until: 'time', rows, seconds: 1, warmupSeconds: 0, warmupRows: 0 },
    loadedRows: rows,
    trialSeed: 7,
  };
  const { rowsPerCall } = job.settings;
  const calls = 500;
  const numbering = numberRange(rows, rows + calls * rowsPerCall, rowsPerCall);
  const { columns } = createBatchMaker(job, createGenerator(dataset), rowsPerCall, false).make(
    numbering,
    0,
    calls,
    null,
  );
  const vector = columns[0]!;
  if (vector.kind !== 'number') throw new Error('keys are numbers');
  return [...vector.values];
}

describe.each(['readByKey', 'update', 'readRange'] as const)('%s', (operation) => {
  test.each(['uniform', 'zipf', 'hotspot'] as const)(
    '%s: calls choose from the working set alone, and from all of it',
    (keyDistribution) => {
      const chosen = firstValues({ operation, keyDistribution, workingSet: 0.05, rangeRows: 10 });
      const last = operation === 'readRange' ? 40 : 49;
      expect(Math.min(...chosen)).toBe(0);
      expect(Math.max(...chosen)).toBe(last);
    },
  );

  test('without one they choose from all rows', () => {
    expect(Math.max(...firstValues({ operation, rangeRows: 10 }))).toBeGreaterThan(900);
  });
});

test('ranges over a column begin in the lowest share of its values', () => {
  const chosen = firstValues({ operation: 'readRange', rangeColumn: 'amount', rangeRows: 10, workingSet: 0.1 });
  expect(Math.max(...chosen)).toBeGreaterThan(80_000);
  expect(Math.max(...chosen)).toBeLessThan(100_000);
});

test('calls of several keys name each once, though the set is no larger', () => {
  const chosen = firstValues({ operation: 'readByKey', rowsPerCall: 20, workingSet: 0.02 });
  for (let at = 0; at < chosen.length; at += 20) expect(new Set(chosen.slice(at, at + 20)).size).toBe(20);
  expect(new Set(chosen).size).toBe(20);
});

test('a working set has a row at least, where there are any', () => {
  expect([
    workingRows(1_000, { workingSet: 0.000_001 }),
    workingRows(0, { workingSet: 0.5 }),
    workingRows(7, {}),
  ]).toEqual([1, 0, 7]);
});
