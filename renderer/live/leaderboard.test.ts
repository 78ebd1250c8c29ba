import { expect, test } from 'vitest';
import { createRunReader } from '#analysis/journal/read-run.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { currentTrial } from './current-trial.ts';
import { leaderboard } from './leaderboard.ts';

const records = [...fixtureJournal({})];
const modelAfter = (count: number) => {
  const reader = createRunReader();
  for (const record of records.slice(0, count)) reader.add(record);
  return reader.model({ live: true });
};
const resultAt = records.findIndex(({ record }) => record === 'result');

test('the board has all its places from the beginning, and fills as results arrive', () => {
  const first = leaderboard(modelAfter(resultAt));
  expect(first.places.length).toBeGreaterThan(2);
  expect(first.places.every(({ value, share, done }) => value === null && share === 0 && done === 0)).toBe(true);
  const next = leaderboard(modelAfter(resultAt + 1));
  expect(next.places).toHaveLength(first.places.length);
  expect(next.places[0]).toMatchObject({ done: 1, share: 1 });
  expect(next.places.slice(1).every(({ value }) => value === null)).toBe(true);
});

test('the fastest is first, no bar is longer than its, and none of a measured cell is empty', () => {
  const { places } = leaderboard(modelAfter(records.length));
  const values = places.map(({ value }) => value ?? 0);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  expect(places[0]!.share).toBe(1);
  for (const { share } of places) expect(share).toBeGreaterThan(0);
  expect(places.every(({ done, planned }) => done === planned)).toBe(true);
});

test('the current trial is the one without a result, and there is none once it has one', () => {
  const before = currentTrial(modelAfter(resultAt));
  expect(before).not.toBeNull();
  expect(before!.rowsPerSecond).toBeGreaterThan(0);
  expect(before!.client!.utilisation).toBeGreaterThanOrEqual(0);
  expect(currentTrial(modelAfter(resultAt + 1))).toBeNull();
});
