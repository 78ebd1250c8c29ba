import { expect, test } from 'vitest';
import type { Dataset } from '#contract/dataset.ts';
import { defaultSettings } from '#contract/settings.ts';
import { numberDealt } from './numbering.ts';
import { createTableKeys, type KeyMaker } from './table-keys.ts';

const sales: Dataset = {
  rows: 50,
  seed: 3,
  key: 'id',
  columns: {
    store: { type: 'integer', min: 1, max: 9, nulls: 0 },
    id: { type: 'sequence', start: 1, nulls: 0 },
  },
};
const tables = { sales: { table: { name: 't', columns: [], key: 1, options: {} }, dataset: sales, rows: 50 } };
const firstCall = 1_000;
const keysOf = () => createTableKeys(tables, defaultSettings, firstCall);
const keyIn = (maker: KeyMaker, call: number): number => {
  const vector = maker.make(call);
  return vector.kind === 'number' ? vector.values[0]! : Number.NaN;
};

test('fresh keys begin behind the loaded ones, and none comes twice over workers, calls and parameters', () => {
  const workers = 3;
  const found = Array.from({ length: workers }, (_, worker) => {
    // Each worker plans by itself: the numbers have to fit together all the same.
    const keys = keysOf();
    const parameters = [keys.fresh('sales'), keys.fresh('sales')];
    const numbering = numberDealt(firstCall, Number.POSITIVE_INFINITY, 1, 4, worker, workers);
    return Array.from({ length: 40 }, (_, call) => parameters.map((one) => keyIn(one, numbering.first(call)))).flat();
  }).flat();
  expect(Math.min(...found)).toBe(51);
  expect(new Set(found).size).toBe(workers * 40 * 2);
});

test('a call that is made anew has the key that it had', () => {
  const keys = keysOf();
  const [one, other] = [keys.fresh('sales'), keys.fresh('sales')];
  expect(keyIn(one, firstCall + 7)).toBe(keyIn(one, firstCall + 7));
  expect(keyIn(other, firstCall + 7)).not.toBe(keyIn(one, firstCall + 7));
});

test('keys of loaded rows are those that the table has', () => {
  const maker = keysOf().loaded('sales', undefined, 9);
  const found = Array.from({ length: 500 }, (_, call) => keyIn(maker, call));
  expect(new Set(found).size).toBeGreaterThan(45);
  expect(found.every((key) => key >= 1 && key <= 50)).toBe(true);
});

test('of a table that is not there, or has no rows, no key is drawn', () => {
  expect(() => keysOf().loaded('stores', undefined, 1)).toThrow('{stores}');
  const empty = createTableKeys({ sales: { ...tables.sales, rows: 0 } }, defaultSettings, 0);
  expect(() => empty.loaded('sales', undefined, 1)).toThrow('{sales}');
  expect(keyIn(empty.fresh('sales'), 0)).toBe(1);
});

test('latest: the newest row comes first, and those that this worker adds count when their calls are over', () => {
  const latest = (lag: number) => {
    const keys = createTableKeys(tables, { ...defaultSettings, keyChoice: 'latest' }, firstCall, lag);
    const [fresh, read] = [keys.fresh('sales'), keys.loaded('sales', undefined, 9)];
    const newest = (from: number) => Math.max(...Array.from({ length: 300 }, (_, call) => keyIn(read, from + call)));
    expect(newest(firstCall)).toBe(50);
    for (let call = 0; call < 10; call++) keyIn(fresh, firstCall + 1_000 + call);
    keyIn(fresh, firstCall + 1_003);
    return {
      before: newest(firstCall),
      after: newest(firstCall + 2_000),
      all: Array.from({ length: 2_000 }, (_, call) => keyIn(read, firstCall + 2_000 + call)),
    };
  };
  const { before, after, all } = latest(0);
  expect(before).toBe(50);
  expect(after).toBe(50 + 1_010);
  const times = (key: number) => all.filter((one) => one === key).length;
  expect(times(50 + 1_010)).toBeGreaterThan(times(50 + 1_009));
  // Of the ten that were added one comes by the side of the loaded ones: no key was left out, and none was made up.
  expect([...new Set(all)].every((key) => key <= 50 || (key > 1_050 && key <= 1_060))).toBe(true);
  expect(latest(4).after).toBe(50 + 1_006);
});
