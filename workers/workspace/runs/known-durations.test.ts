import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { testHome } from '#integration/home.fixture.ts';
import { noDurations } from '#planning/durations.ts';
import { readDurations, rememberDurations } from './known-durations.ts';

it('keeps the durations of the latest kinds of trials, and not of all that there ever were', async () => {
  await using test = testHome();
  expect(readDurations(test.home)).toMatchObject({ isEmpty: true });
  const earlier = Array.from({ length: 1_000 }, (_, i) => [`kind ${i}`, 1] as const);
  rememberDurations(test.home, { ...noDurations, trials: new Map(earlier), rounds: new Map([['e', 6]]) });
  rememberDurations(test.home, {
    ...noDurations,
    trials: new Map([
      ['kind 3', 2],
      ['new', 4],
    ]),
  });
  const { trials, rounds, isEmpty } = readDurations(test.home);
  expect(isEmpty).toBe(false);
  expect([...rounds]).toEqual([['e', 6]]);
  expect(trials.size).toBe(1_000);
  expect(['kind 0', 'kind 1', 'kind 3', 'new'].map((key) => trials.get(key))).toEqual([undefined, 1, 2, 4]);
});

it('keeps the other figures beside a table that took less than a millisecond', async () => {
  await using test = testHome();
  rememberDurations(test.home, { ...noDurations, trials: new Map([['t', 3]]), tables: new Map([['t', 0.0002]]) });
  const { trials, tables, isEmpty } = readDurations(test.home);
  expect(isEmpty).toBe(false);
  expect([trials.get('t'), tables.get('t')]).toEqual([3, 0.001]);
});

it('begins anew after a damaged file', async () => {
  await using test = testHome();
  writeFileSync(test.home.durations, '{"trials": {"a": -1}}');
  expect(readDurations(test.home)).toMatchObject({ isEmpty: true });
  rememberDurations(test.home, { ...noDurations, starts: new Map([['e', 2.5]]) });
  expect(readDurations(test.home).starts.get('e')).toBe(2.5);
});
