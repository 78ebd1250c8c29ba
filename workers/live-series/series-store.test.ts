import { expect, test } from 'vitest';
import { timesOf } from '#analysis/run-model/journal-parts.fixture.ts';
import { boundsNs, type MetricKey } from './metrics.ts';
import { createSeriesStore, type SeriesStore } from './series-store.ts';

const here = { 'dyno.target': 'a' };

/** The one value of a metric: of a histogram its number of times and their sum, ms. */
function only(store: SeriesStore, key: MetricKey, which: 'all' | 'trial' = 'all'): unknown {
  const [point, ...others] = store.read(which).get(key) ?? [];
  expect(others).toEqual([]);
  if (point === undefined || typeof point.value === 'number') return point?.value;
  const { counts, sumNs } = point.value;
  return [counts.reduce((sum, one) => sum + one, 0), Math.round(sumNs / 1e6)];
}

test('a counter adds up over trials, and the total of a trial only ever raises it', () => {
  const store = createSeriesStore();
  store.beginTrial();
  store.add('calls', here, 10);
  store.atLeast('calls', here, 12);
  store.atLeast('calls', here, 5);
  expect(only(store, 'calls')).toBe(12);
  store.beginTrial();
  store.atLeast('calls', here, 3);
  store.add('calls', here, 1);
  expect(only(store, 'calls')).toBe(16);
});

test('a histogram adds up over trials, and the total of a trial adds what its seconds lack', () => {
  const store = createSeriesStore();
  store.beginTrial();
  store.addTimes('operationTime', here, timesOf([1, 4]));
  store.addTimes('operationTime', here, timesOf([1, 2], [100, 1]));
  store.timesAtLeast('operationTime', here, timesOf([1, 7], [100, 1]));
  expect(only(store, 'operationTime')).toEqual([8, 107]);
  store.beginTrial();
  store.addTimes('operationTime', here, timesOf([10, 2]));
  expect(only(store, 'operationTime')).toEqual([10, 127]);
});

test('nothing that was not counted makes a series', () => {
  const store = createSeriesStore();
  store.add('errors', here, 0);
  store.addTimes('operationTime', here, timesOf());
  expect(store.read('all')).toEqual(new Map());
});

test('the series of a trial are those that it has changed', () => {
  const store = createSeriesStore();
  store.beginTrial();
  store.add('calls', here, 1);
  store.beginTrial();
  store.add('rows', here, 2);
  expect([only(store, 'calls', 'trial'), only(store, 'rows', 'trial')]).toEqual([undefined, 2]);
  expect(only(store, 'calls')).toBe(1);
});

test('gauges end with their trial: 0 at first, so that no last value stays on a dashboard, then nothing', () => {
  const store = createSeriesStore();
  store.beginTrial();
  store.set('busy', here, 4);
  expect(only(store, 'busy')).toBe(4);
  store.clearGauges();
  expect(only(store, 'busy')).toBe(0);
  store.beginTrial();
  expect(only(store, 'busy')).toBeUndefined();
});

test('the bounds of the buckets rise from a microsecond to 100 seconds, five in each power of ten', () => {
  expect(boundsNs.slice(0, 6)).toEqual([1_000, 1_600, 2_500, 4_000, 6_300, 10_000]);
  expect([boundsNs.at(-1), boundsNs.length]).toEqual([100e9, 41]);
  expect(boundsNs.toSorted((a, b) => a - b)).toEqual(boundsNs);
});
