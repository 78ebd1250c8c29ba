import { describe, expect, test } from 'vitest';
import type { Batch, ColumnVector, RowLayout } from '#model/batch/batch.ts';
import { decodeColumn, type Value } from '#model/batch/decode.ts';
import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { columnType } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { compareUuids } from '#model/dataset/uuid-order.fixture.ts';
import { uuidOrders } from '#model/dataset/uuid-order.ts';
import { unicodeCharacters } from './alphabet.ts';
import { createGenerator } from './generator.ts';
import { slice } from './slice.ts';

const columns = {
  id: { type: 'uuid4', nulls: 0 },
  ordered: { type: 'uuid7', nulls: 0 },
  number: { type: 'sequence', start: 5, nulls: 0 },
  amount: { type: 'integer', min: -10, max: 10, nulls: 0 },
  code: { type: 'text', length: 7, alphabet: 'hex', nulls: 0 },
  name: { type: 'text', minLength: 3, maxLength: 9, alphabet: 'letters', nulls: 0.25 },
  words: { type: 'text', minLength: 0, maxLength: 12, alphabet: 'unicode', nulls: 0 },
  price: { type: 'decimal', precision: 9, scale: 2, nulls: 0 },
  at: { type: 'timestamp', from: '2020-01-01', to: '2020-01-02', nulls: 0 },
  active: { type: 'boolean', trueShare: 0.8, nulls: 0 },
  blob: { type: 'bytes', length: 5, nulls: 0 },
  tail: { type: 'bytes', minLength: 1, maxLength: 6, nulls: 0 },
} as const satisfies Dataset['columns'];
const dataset: Dataset = { rows: 10_000, seed: 42, key: 'id', columns };
const names = Object.keys(columns) as (keyof typeof columns)[];
const generator = createGenerator(dataset);

const decodeAll = (batch: Batch): Value[][] =>
  names.map((name, c) => decodeColumn(batch.columns[c] as ColumnVector, columnType(columns[name]), batch.rows));
const column = (name: keyof typeof columns, rows = 10_000): Value[] =>
  decodeAll(generator.fill(0, rows, null))[names.indexOf(name)]!;

describe('rows depend on seed and row number alone', () => {
  test('any range and any list give the same values', () => {
    const whole = decodeAll(generator.fill(0, 1_000, null));
    const part = decodeAll(generator.fill(700, 100, null));
    const picked = decodeAll(generator.pick(Float64Array.of(999, 3, 750)));
    for (const [c, values] of whole.entries()) {
      expect(part[c]).toEqual(values.slice(700, 800));
      expect(picked[c]).toEqual([values[999], values[3], values[750]]);
    }
  });

  test('rows made one by one keep their values, however many follow', () => {
    const rows = 5_000; // This is several times the memory that small values share.
    const one = Array.from({ length: rows }, (_, row) => generator.fill(row, 1, null));
    const whole = generator.fill(0, rows, null);
    for (const [c, name] of names.entries()) {
      const type = columnType(columns[name]);
      const values = one.map((batch) => decodeColumn(batch.columns[c]!, type, 1)[0]);
      expect(values, name).toEqual(decodeColumn(whole.columns[c]!, type, rows));
    }
  });

  test('slices hold the rows they are cut from', () => {
    const batch = generator.fill(0, 100, null);
    const whole = decodeAll(batch);
    const part = decodeAll(slice(batch, 40, 3));
    for (const [c, values] of whole.entries()) expect(part[c]).toEqual(values.slice(40, 43));
  });

  test('keys are made again as they were in the rows', () => {
    const keys = generator.keys(Float64Array.of(17, 5_000));
    expect(decodeColumn(keys.columns[0]!, { kind: 'uuid' }, 2)).toEqual([column('id')[17], column('id')[5_000]]);
  });

  test('another seed makes other rows', () => {
    const other = createGenerator({ ...dataset, seed: 43 }).fill(0, 10, null);
    const values = decodeAll(other);
    expect(values[0]).not.toEqual(column('id', 10));
    expect(values[4]).not.toEqual(column('code', 10));
  });

  test('rows beyond 2^32 are not those below', () => {
    const far = decodeAll(generator.fill(2 ** 32, 100, null));
    const near = decodeAll(generator.fill(0, 100, null));
    expect(new Set([...far[0]!, ...near[0]!]).size).toBe(200);
    expect(far[1]!.every((value, r) => String(value) > String(near[1]![r]))).toBe(true);
  });
});

test('a layout gets the same values in place, and everything else from the template', () => {
  const flat: Record<string, ColumnSpec> = { id: columns.id, code: columns.code, blob: columns.blob };
  const narrow = createGenerator({ ...dataset, columns: flat });
  const template = Uint8Array.from({ length: 34 }, (_, i) => 200 + (i % 50));
  const layout: RowLayout = { template, offsets: [2, 20, 28], head: Uint8Array.of(1, 2, 3), tail: Uint8Array.of(9) };
  const rows = 2_500;
  const laid = narrow.fill(100, rows, layout);
  const plain = narrow.fill(100, rows, null);
  for (const [c, spec] of Object.values(flat).entries()) {
    const type = columnType(spec);
    expect(decodeColumn(laid.columns[c]!, type, rows).map(String)).toEqual(
      decodeColumn(plain.columns[c]!, type, rows).map(String),
    );
  }
  const bytes = laid.laidOut!;
  expect(bytes.length).toBe(3 + rows * 34 + 1);
  expect([...bytes.subarray(0, 3), bytes.at(-1)]).toEqual([1, 2, 3, 9]);
  const valueBytes = new Set([2, 20, 28].flatMap((at, c) => Array.from({ length: [16, 7, 5][c]! }, (_, i) => at + i)));
  for (let r = 0; r < rows; r += 499) {
    for (let i = 0; i < 34; i++) if (!valueBytes.has(i)) expect(bytes[3 + r * 34 + i]).toBe(template[i]);
  }
});

describe('values', () => {
  test('uuid4 are distinct, of version 4 and variant 10', () => {
    const ids = column('id').map(String);
    expect(new Set(ids).size).toBe(10_000);
    for (const id of ids.slice(0, 500))
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('uuid7 ascend with the row number and hold their time', () => {
    const ids = column('ordered').map(String);
    expect(ids).toEqual([...ids].sort());
    expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/);
    expect(Number.parseInt(ids[0]!.replace('-', '').slice(0, 12), 16)).toBe(Date.parse('2024-01-01T00:00:00Z'));
  });

  test.each(uuidOrders)(
    'sequential uuids ascend with the row number where %s count first, and are distinct',
    (order) => {
      const spec = { type: 'uuidSequential', order, nulls: 0 } as const;
      const { fill, pick } = createGenerator({ ...dataset, key: 'id', columns: { id: spec } });
      const textOf = (batch: Batch) => decodeColumn(batch.columns[0]!, { kind: 'uuid' }, batch.rows).map(String);
      // These rows cross into another millisecond, and pass the point where its low 32 bits wrap around.
      const far = 4_096 * (2 ** 32 - (Date.parse('2024-01-01T00:00:00Z') % 2 ** 32)) - 5;
      const ids = [...textOf(fill(0, 10_000, null)), ...textOf(fill(far, 10, null))];
      expect(new Set(ids).size).toBe(ids.length);
      const disordered = ids.filter((id, i) => i > 0 && compareUuids(order, ids[i - 1]!, id) >= 0);
      expect(disordered).toEqual([]);
      expect(textOf(pick(Float64Array.of(17)))).toEqual([ids[17]]);
      const version = order === 'bytes' ? '7' : '8';
      for (const id of ids) expect(id).toMatch(new RegExp(`^.{8}-.{4}-${version}.{3}-[89ab].{3}-.{12}$`));
    },
  );

  test('uuid7 ascend where the first bytes count first, and not where the last ones do', () => {
    const ids = column('ordered', 100).map(String);
    const ascend = uuidOrders.map((order) => ids.every((id, i) => i === 0 || compareUuids(order, ids[i - 1]!, id) < 0));
    expect(ascend).toEqual([true, false]);
  });

  test('numbers keep to their ranges and reach the ends', () => {
    expect(column('number', 3)).toEqual([5, 6, 7]);
    const amounts = column('amount') as number[];
    expect([Math.min(...amounts), Math.max(...amounts)]).toEqual([-10, 10]);
    expect(column('at').every((at) => String(at).startsWith('2020-01-01T'))).toBe(true);
    expect(column('price').every((price) => /^\d{1,7}\.\d\d$/.test(String(price)))).toBe(true);
    const share = column('active').filter((value) => value === true).length / 10_000;
    expect(share).toBeGreaterThan(0.78);
    expect(share).toBeLessThan(0.82);
  });

  test('text has the lengths and characters asked for', () => {
    expect(column('code').every((code) => /^[0-9a-f]{7}$/.test(String(code)))).toBe(true);
    const names = column('name').filter((name) => name !== null);
    expect(names.every((name) => /^[A-Za-z]{3,9}$/.test(String(name)))).toBe(true);
    expect(new Set(names.map((name) => String(name).length)).size).toBe(7);
    const words = column('words').map(String);
    expect(new Set(words.map((word) => word.length))).toEqual(new Set(Array.from({ length: 13 }, (_, i) => i)));
    expect(new Set(words.flatMap((word) => [...word]))).toEqual(new Set(unicodeCharacters));
  });

  test('characters are nearly equally frequent', () => {
    const counts = new Map<string, number>();
    for (const name of column('name'))
      for (const letter of String(name ?? '')) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    const expected = [...counts.values()].reduce((a, b) => a + b) / 52;
    for (const count of counts.values()) expect(Math.abs(count / expected - 1)).toBeLessThan(0.15);
  });

  test('the null share is kept, and only where asked for', () => {
    const nulls = column('name').filter((name) => name === null).length / 10_000;
    expect(nulls).toBeGreaterThan(0.23);
    expect(nulls).toBeLessThan(0.27);
    expect(column('words').includes(null)).toBe(false);
  });
});

test('changed values are never those of the row, and differ from change to change', () => {
  const rows = Float64Array.of(1, 1, 2);
  const uuidOf = (batch: Batch, c: number) => decodeColumn(batch.columns[c]!, { kind: 'uuid' }, 3).map(String);
  const first = generator.changes(rows, 0, 7);
  const second = generator.changes(rows, 3, 7);
  expect(uuidOf(first, 0)).toEqual([1, 1, 2].map((row) => column('id')[row]));
  const values = [...uuidOf(first, 1), ...uuidOf(second, 1), ...[1, 2].map((row) => String(column('ordered')[row]))];
  expect(new Set(values).size).toBe(8);
});

describe('timestamps with a number of distinct values', () => {
  const timesOf = (distinct: number, given: Partial<ColumnSpec> = {}, seed = 42, rows = 5_000) => {
    const at = { type: 'timestamp', from: '2020-01-01', to: '2020-01-02', distinct, nulls: 0, ...given } as ColumnSpec;
    const { columns } = createGenerator({ rows, seed, columns: { at } }).fill(0, rows, null);
    return decodeColumn(columns[0]!, columnType(at), rows).map(String);
  };

  test.each([1, 2, 7, 96, 1_000])('are exactly %i, evenly spread and within the range', (distinct) => {
    const found = [...new Set(timesOf(distinct, {}, 42, 20_000))].toSorted();
    const step = 86_400_000 / distinct;
    expect(found).toHaveLength(distinct);
    found.forEach((time, i) => {
      expect(Math.abs(Date.parse(time) - (Date.UTC(2020, 0, 1) + i * step))).toBeLessThanOrEqual(1);
    });
  });

  test('depend on the seed alone', () => {
    expect(timesOf(50)).toEqual(timesOf(50));
    expect(timesOf(50)).not.toEqual(timesOf(50, {}, 43));
    expect(new Set(timesOf(50))).toEqual(new Set(timesOf(50, {}, 43)));
  });

  test.each(['normal', 'exponential', 'zipf'] as const)(
    'keep to their number and range, drawn by %s',
    (distribution) => {
      const found = new Set(timesOf(12, { distribution } as Partial<ColumnSpec>));
      const evenly = new Set(timesOf(12));
      expect(found.size).toBeGreaterThan(1);
      expect([...found].filter((time) => !evenly.has(time))).toEqual([]);
    },
  );
});

test('what cannot be generated is refused in words', () => {
  const make = (spec: ColumnSpec) => () => createGenerator({ rows: 1, seed: 1, columns: { x: spec } });
  expect(make({ type: 'integer', min: 5, max: 4, nulls: 0 })).toThrow('Column x: the range 5 to 4 is empty.');
  expect(make({ type: 'timestamp', from: '2020-01-01', to: '2020-01-01', nulls: 0 })).toThrow('is empty');
  const keyless = createGenerator({ rows: 1, seed: 1, columns: { x: columns.amount } });
  expect(() => keyless.keys(Float64Array.of(0))).toThrow('need a key');
});
