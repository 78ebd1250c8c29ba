import { expect, test } from 'vitest';
import { fixtureJournal, readRun } from '#analysis/run-model/run.fixture.ts';
import { digitsWithin } from '#model/format/format.ts';
import { variantText } from '#planning/variant-of.ts';
import { cellsOf } from './run-cells.ts';

const records = [...fixtureJournal({})];
const { plan } = records.find((record) => record.record === 'header')!;
const targets = records.flatMap((record) => (record.record === 'target' ? [record.target] : []));
const results = records.flatMap((record) => (record.record === 'result' ? [record.result] : []));

test('the fastest cell of a run is first, and references are not among them', () => {
  const cells = cellsOf(plan, targets, results);
  const values = cells.map(({ value }) => value);
  expect(values.length).toBeGreaterThan(1);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  const asReference = targets.map((one) => ({ ...one, descriptor: { ...one.descriptor, reference: true as const } }));
  expect(cellsOf(plan, asReference, results)).toEqual([]);
});

test('a run without results has no fastest cell, and a failed trial counts for nothing', () => {
  expect(cellsOf(plan, targets, [])).toEqual([]);
  const failed = results.map((result) => ({ ...result, status: 'failed' as const }));
  expect(cellsOf(plan, targets, failed)).toEqual([]);
});

test('the list of runs shows the number of each cell that the run itself shows', () => {
  const uneven = records.map((record) =>
    record.record === 'result'
      ? {
          ...record,
          result: { ...record.result, elapsedMs: record.result.elapsedMs * (1 + (record.result.number % 5)) },
        }
      : record,
  );
  const run = readRun(uneven);
  const own = uneven.flatMap((record) => (record.record === 'result' ? [record.result] : []));
  const cells = cellsOf(plan, targets, own);
  expect(cells.length).toBeGreaterThan(1);
  for (const { label, target, value, digits } of cells) {
    const cell = run.cells.find((one) => variantText(plan, one.variant) === label && one.target === target)!;
    expect(value).toBeCloseTo(cell.rowsPerSecond!.value, 6);
    expect(digits).toBe(digitsWithin(cell.rowsPerSecond!));
  }
});
