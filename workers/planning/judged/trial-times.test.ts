import { expect, test } from 'vitest';
import type { TrialResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { timesLack, timesOf, timesSinceStartOf, trialTimes } from './trial-times.ts';

function encoded(ms: number, calls: number): string {
  const histogram = new Histogram();
  for (let i = 0; i < calls; i++) histogram.record(ms * 1e6);
  return histogram.encode();
}

/** A trial of an open load whose statement took 1 ms, 2 ms from its actual start, and 3 ms from its intended start. */
const trial = (responses: number | null, unfinished = 0): TrialResult =>
  ({
    status: 'ok',
    totals: {
      calls: 200,
      service: encoded(1, 200),
      load: { response: encoded(3, 200), sinceStart: encoded(2, 200), unfinished },
    },
    statements: [
      {
        ...{ name: 'sell', kind: 'statement', calls: 100, service: encoded(1, 100) },
        ...(responses !== null && { response: encoded(3, responses), sinceStart: encoded(2, responses) }),
      },
    ],
  }) as unknown as TrialResult; // the parts that are read

test('units of work are judged by their response times, and steps of transactions by their service times', () => {
  const timeOf = (result: TrialResult) => {
    const times = trialTimes(result, 'sell')!;
    return [times.time, Math.round(times.ms('mean')!), times.calls];
  };
  expect(timeOf(trial(100))).toEqual(['response', 3, 100]);
  expect(timeOf(trial(null))).toEqual(['service', 1, 100]);
  expect(timeOf(trial(40)), 'most of its calls are steps').toEqual(['service', 1, 100]);
  expect(trialTimes(trial(null), null)!.time).toBe('response');
});

test('times on time have no start error, and service times never have one', () => {
  const onTime = (responses: number | null, work: string | null) =>
    timesSinceStartOf([trial(responses)], work, 0.5)!.map(Math.round);
  expect([onTime(100, 'sell'), onTime(100, null), onTime(null, 'sell')]).toEqual([[2], [2], [1]]);
});

test('response times of statements are unknown where units of work were given up', () => {
  const lacking = [trial(100, 5)];
  expect(timesOf(lacking, 'sell', 'mean')).toBeNull();
  expect(timesLack(lacking, 'sell', 'mean')).toBe('givenUp');
  expect(timesOf(lacking, 'sell', 0.5)!.map(Math.round), 'they were slower than half of the calls').toEqual([3]);
  expect(timesOf([trial(null, 5)], 'sell', 'mean')!.map(Math.round), 'a step began only when it was made').toEqual([1]);
});
