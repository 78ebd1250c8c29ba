import { expect, test } from 'vitest';
import { createRunReader } from '#analysis/journal/read-run.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { leaderboard } from './leaderboard.ts';
import { measuredTrial } from './measured-trial.ts';

const records = [...fixtureJournal({})];
const modelOf = (read: readonly JournalRecord[]) => {
  const reader = createRunReader();
  for (const record of read) reader.add(record);
  return reader.model({ live: true });
};
const modelAfter = (count: number) => modelOf(records.slice(0, count));
/** The leaderboard of a whole run, with room for all cells. */
const wholeBoard = leaderboard(modelOf([...fixtureJournal({ connections: [1] })]));
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

test('the fastest is first, and every bar is as long as its value is a part of the fastest one', () => {
  const { places } = wholeBoard;
  const contenders = places.filter(({ isReference }) => !isReference);
  const values = contenders.map(({ value }) => value!);
  expect(values).toEqual(values.toSorted((a, b) => b - a));
  expect(values[0]! / values.at(-1)!).toBeGreaterThan(20);
  for (const { value, share } of contenders) expect(share).toBeCloseTo(value! / values[0]!, 10);
  expect(places.every(({ done, planned }) => done === planned)).toBe(true);
});

test('while the measurements decide how many repeats it takes, none are planned', () => {
  const open = { min: 2, max: 3, relativeMargin: 0.1 };
  const varied = records.map((record) =>
    record.record === 'header'
      ? { ...record, plan: { ...record.plan, measure: { ...record.plan.measure, repeats: open } } }
      : record,
  );
  const planned = (read: readonly JournalRecord[]) =>
    new Set(leaderboard(modelOf(read)).places.map((one) => one.planned));
  expect(planned(varied)).toEqual(new Set([null]));
  expect(planned(records)).toEqual(new Set([3]));
});

test('a reference competes with nobody: it stands below the others, without a bar', () => {
  const { places } = wholeBoard;
  const references = places.filter(({ isReference }) => isReference);
  expect(references.length).toBeGreaterThan(0);
  expect(references.every(({ share, value }) => share === 0 && value! > 0)).toBe(true);
  expect(places.indexOf(references[0]!)).toBe(places.length - references.length);
});

test('the figures are those of the last second of a trial, and of the whole trial once it is over', () => {
  const running = measuredTrial(modelAfter(resultAt))!;
  expect(running).toMatchObject({ isOver: false, figures: { perSecond: expect.any(Number) } });
  expect(running.client!.utilisation).toBeGreaterThanOrEqual(0);
  const over = measuredTrial(modelAfter(resultAt + 1))!;
  const { record, result } = { result: null, ...records[resultAt]! };
  expect(record).toBe('result');
  const { totals, elapsedMs } = result!;
  expect(over.isOver).toBe(true);
  expect(over.figures.perSecond).toBeCloseTo((totals.rows * 1_000) / elapsedMs, 6);
});

test('a trial shorter than a second shows its figures while the next one has none', () => {
  const noSeconds = records.filter(({ record }) => record !== 'snapshot');
  const at = noSeconds.findIndex(({ record }) => record === 'result');
  const next = noSeconds.findIndex(({ record }, i) => i > at && record === 'phase');
  const model = modelOf(noSeconds.slice(0, next + 1));
  expect(measuredTrial(model)).toMatchObject({
    isOver: true,
    figures: { perSecond: expect.any(Number), latency: { ms: expect.any(Number) } },
  });
});
