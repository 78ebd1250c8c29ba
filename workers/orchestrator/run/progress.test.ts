import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { noDurations } from '#planning/durations.ts';
import { estimateStart } from '#planning/estimate-seconds.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { emptyResult } from '../worker/merge-results.ts';
import { createProgress } from './progress.ts';
import { secondsLeft } from './time-left.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function planOf(measure: string): Plan {
  const { plan } = planExperiment(
    parseFile(
      [
        'dyno: 1',
        'name: Progress',
        'question: How far?',
        'dataset: { rows: 100, key: id, columns: { id: { type: sequence }, n: { type: integer, min: 0, max: 9 } } }',
        'workload: { operation: readByKey }',
        'factors: { method: [bind, prepared] }',
        'targets: [embedded-postgres, sqlite]',
        `measure: ${measure}`,
      ].join('\n'),
    ),
    { catalog: catalog.map(({ descriptor }) => descriptor) },
  );
  if (!plan) throw new Error('The experiment has no plan.');
  return plan;
}

const fresh = { known: noDurations, done: 0 };
const plan = planOf('{ until: { seconds: 1 }, repeats: 3 }');
const { trials, variants } = plan;

/** The progress of a run whose trials take these seconds, in turn, reported about ten times each. */
function fractionsOf(seconds: readonly number[]): readonly number[] {
  const told: RunProgress[] = [];
  const progress = createProgress('run', plan, fresh, trials, (state) => told.push(state));
  for (const [i, trial] of trials.entries()) {
    progress.began(trial, variants.find(({ id }) => id === trial.variant)!);
    for (let tenth = 0; tenth < 10; tenth++) {
      vi.advanceTimersByTime((seconds[i % seconds.length]! * 1_000) / 10);
      progress.activity('measuring');
    }
    progress.finished(trial, { ...emptyResult, ...trial, status: 'ok', error: null }, trials.slice(i + 1));
  }
  progress.ended('Complete');
  return told.flatMap(({ fraction }) => (fraction === null ? [] : [fraction]));
}

test.each([
  ['as long as estimated', [2]],
  ['ever longer', [0.1, 0.2, 1, 5, 40, 90]],
  ['now short, now long', [30, 0.2, 0.2, 60]],
])('the bar of a run whose trials are %s only goes forwards, and ends full', (_, seconds) => {
  const fractions = fractionsOf(seconds);
  expect(fractions.length).toBeGreaterThan(trials.length * 10);
  for (const [i, fraction] of fractions.slice(1).entries()) expect(fraction).toBeGreaterThanOrEqual(fractions[i]!);
  expect(fractions[0]).toBeLessThan(0.1);
  expect(fractions.at(-1)).toBe(1);
});

test('the bar rests while a run is paused', () => {
  const told: RunProgress[] = [];
  const progress = createProgress('run', plan, fresh, trials, (state) => told.push(state));
  progress.began(trials[0]!, variants[0]!);
  vi.advanceTimersByTime(1_000);
  progress.activity('measuring');
  progress.pause(true);
  const before = told.at(-1)!.fraction;
  vi.advanceTimersByTime(3_600_000);
  progress.activity('Paused');
  progress.pause(false);
  expect(told.at(-1)!.fraction).toBe(before);
});

test('a pause that is over leaves nothing with the signal of its run', async () => {
  const { signal } = new AbortController();
  const progress = createProgress('run', plan, fresh, trials, () => {});
  progress.pause(true);
  const waited = progress.whilePaused(signal);
  progress.pause(false);
  await waited;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('the time left is that of the trials that are counted, until the repeats show that fewer will do', () => {
  const varied = planOf('{ until: { seconds: 1, precision: 0.1 }, repeats: { min: 2, max: 6 } }');
  const progress = createProgress('run', varied, fresh, varied.trials, () => {});
  progress.activity('connecting');
  expect(progress.state.trialsPlanned).toBe(4 * 6);
  const start = estimateStart(varied, noDurations);
  expect(progress.state.secondsLeft).toBeCloseTo(start + secondsLeft(varied, varied.trials, [], noDurations), 1);
  progress.precision({ round: 2, relativeMargin: 0.1, cells: [], roundsMore: 1 });
  const left = secondsLeft(varied, varied.trials.slice(0, 4 * 3), [], noDurations);
  expect(progress.state.secondsLeft).toBeCloseTo(start + left, 1);
});
