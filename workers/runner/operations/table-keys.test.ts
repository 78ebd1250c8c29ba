import { expect, test } from 'vitest';
import type { Dataset } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { numberDealt } from '../workload/numbering.ts';
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
    // Each worker plans independently, and the numbers still have to fit together.
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

test('the latest are those that calls had fresh keys for, but for as many as there are connections, and then the loaded ones', () => {
  const keys = createTableKeys(tables, defaultSettings, firstCall, 2);
  const newest = keys.loaded('sales', 'latest', 9);
  expect(keys.followInserts).toBe(false);
  const [one, other] = [keys.fresh('sales'), keys.fresh('sales')];
  expect(keys.followInserts).toBe(true);
  const before = Array.from({ length: 300 }, (_, call) => keyIn(newest, firstCall + call));
  expect(Math.max(...before), 'nothing is inserted yet').toBe(50);
  // Every other one of the calls 300 to 309 inserts two rows.
  const inserted = [0, 2, 4, 6, 8].flatMap((call) => [one, other].map((maker) => keyIn(maker, firstCall + 300 + call)));
  const after = Array.from({ length: 3_000 }, (_, call) => keyIn(newest, firstCall + 310 + call));
  const there = inserted.slice(0, -2);
  expect(new Set(after.filter((key) => key > 50))).toEqual(new Set(there));
  const drawn = (key: number) => after.filter((found) => found === key).length;
  expect(drawn(there.at(-1)!)).toBeGreaterThan(drawn(there[0]!));
  expect(drawn(there[0]!)).toBeGreaterThan(drawn(1));
  // A repeated call does not see later ones.
  expect(keyIn(newest, firstCall + 299)).toBe(before[299]);
  expect(keyIn(one, firstCall + 300)).toBe(inserted[0]);
});

test('of a table that is not there, or has no rows, no key is drawn', () => {
  expect(() => keysOf().loaded('stores', undefined, 1)).toThrow('{stores}');
  const empty = createTableKeys({ sales: { ...tables.sales, rows: 0 } }, defaultSettings, 0);
  expect(() => empty.loaded('sales', undefined, 1)).toThrow('{sales}');
  expect(keyIn(empty.fresh('sales'), 0)).toBe(1);
});

test('the key of an example, a call before the first one, is of a row that is there, and adds none to the newest', () => {
  const keys = keysOf();
  const fresh = keys.fresh('sales');
  const latest = keys.loaded('sales', 'latest', 7);
  expect(keyIn(fresh, firstCall - 1)).toBe(50);
  for (let call = firstCall; call < firstCall + 200; call++) expect(keyIn(latest, call)).toBeLessThanOrEqual(50);
});
