import { expect, it } from 'vitest';
import type { HistoryChange, HistorySeries } from '#protocol/history.ts';
import { movedFirst } from './moved-first.ts';

const change = (at: number, before: number, after: number): HistoryChange => ({
  ...{ at, since: at - 1 },
  before,
  after,
  ratio: null,
  p: 0.001,
  verdict: 'worse',
  machine: null,
});

const series = (...changes: readonly HistoryChange[]): HistorySeries => ({
  label: 'default',
  target: 'shop',
  index: 0,
  work: null,
  quantity: 'throughput',
  unit: 'calls/s',
  better: 'higher',
  limit: null,
  points: [],
  levels: [],
  redefined: [],
  changes,
});

it('names the series of the earliest change, the greatest change first', () => {
  const all = [series(change(4, 10, 9), change(6, 9, 1)), series(), series(change(4, 10, 5)), series(change(5, 10, 1))];
  expect(movedFirst(all)).toEqual({ at: 4, series: [2, 0] });
  expect(movedFirst([series()])).toBeNull();
});
