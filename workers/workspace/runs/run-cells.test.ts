import { expect, test } from 'vitest';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
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
