import { expect, test } from 'vitest';
import { Sfc32 } from '#stats/random/random.ts';
import type { RunModel } from '../run-model/run-model.ts';
import { compareRunTimes, type RunTimeComparison, timedCells } from './compare-run-times.ts';
import { madeTimes } from './made-times.fixture.ts';

/** A run of two cells with two statements. `slower`: the second statement takes twice as long in the first cell. */
const timed = (seed: number, slower: boolean): RunModel =>
  madeTimes(new Sfc32(seed), {
    ...{ variants: 2, targets: 1, repeats: 5, statements: 2, cv: () => 0.01, correlation: 0 },
    ms: (variant, _, statement) => (slower && variant === 0 && statement === 1 ? 20 : 10),
  });

const level = 0.99;
const verdicts = (all: readonly RunTimeComparison[], work: string) =>
  all.filter((one) => one.work === work).map(({ verdict }) => verdict);

test('each statement of each cell has its own verdict, and a difference may be drift until earlier runs are known', () => {
  const [old, now] = [timed(1, false), timed(2, true)];
  const times = compareRunTimes(old, now, level);
  expect(timedCells(old, now)).toBe(times.length);
  expect(verdicts(times, 's0')).toEqual(['notSignificant', 'notSignificant']);
  expect(verdicts(times, 's1')).toEqual(['driftOrChange', 'notSignificant']);

  const steady = compareRunTimes(old, now, level, () => [10, 10.1, 9.9, 10.05]);
  expect(verdicts(steady, 's1')).toEqual(['slower', 'notSignificant']);
  const drifting = compareRunTimes(old, now, level, () => [4, 10, 25, 60]);
  expect(verdicts(drifting, 's1')[0]).toBe('notSignificant');
});

test('a statement that one of the runs lacks is in one run only', () => {
  const old = timed(1, false);
  const trials = old.trials.map((view) => ({
    ...view,
    result: view.result && { ...view.result, statements: view.result.statements!.slice(0, 1) },
  }));
  const times = compareRunTimes({ ...old, trials }, timed(2, false), level);
  expect(verdicts(times, 's1')).toEqual(['missing', 'missing']);
});
