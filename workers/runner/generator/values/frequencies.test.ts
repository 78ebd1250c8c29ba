import { describe, expect, test } from 'vitest';
import { columnsOf, generate, valuesOfColumn } from './generate.fixture.ts';

/** Ten thousand rows, evenly spread over the million of the table. */
const spread = Float64Array.from({ length: 10_000 }, (_, i) => i * 100);

const shareOf = <T>(values: readonly T[], is: (value: T) => boolean): number =>
  values.filter(is).length / values.length;

/** Spearman's rank correlation of the values with their positions. */
function rankCorrelation(values: readonly number[]): number {
  const order = values.map((value, i) => ({ value, i })).toSorted((a, b) => a.value - b.value || a.i - b.i);
  const n = values.length;
  const squares = order.reduce((sum, { i }, rank) => sum + (rank - i) ** 2, 0);
  return 1 - (6 * squares) / (n * (n * n - 1));
}

const amounts = {
  type: 'frequencies',
  as: 'decimal',
  precision: 8,
  scale: 2,
  values: [9.99, 0],
  shares: [0.3, 0.1],
  bounds: [1, 2, 4, 8, 16],
  distinct: 400,
};

describe('numbers', () => {
  test('listed values have their shares, and a quarter of the others lies between two bounds', () => {
    const values = valuesOfColumn(amounts, 20_000).map(Number);
    // Four standard errors of a share of 20,000 are 0.014 at most.
    expect(Math.abs(shareOf(values, (value) => value === 9.99) - 0.3)).toBeLessThan(0.014);
    expect(Math.abs(shareOf(values, (value) => value === 0) - 0.1)).toBeLessThan(0.014);
    const others = values.filter((value) => value !== 9.99 && value !== 0);
    for (const [low, high] of [
      [1, 2],
      [2, 4],
      [4, 8],
      [8, 16],
    ] as const)
      expect(Math.abs(shareOf(others, (value) => value >= low && value < high) - 0.25)).toBeLessThan(0.02);
    // A value of the list is not among the others: it would be more frequent than its share.
    expect(new Set(others).size).toBe(400);
    expect([Math.min(...others), Math.max(...others)]).toEqual([1, 16]);
  });

  test('without a number of values, the values are as many as the bounds allow', () => {
    const values = valuesOfColumn({ type: 'frequencies', bounds: [-50, 50] }, 20_000).map(Number);
    expect(new Set(values).size).toBe(101);
    expect([Math.min(...values), Math.max(...values)]).toEqual([-50, 50]);
  });

  test('a list alone fills its whole column', () => {
    const spec = { type: 'frequencies', values: [7, -7], shares: [0.2, 0.2] };
    const values = valuesOfColumn(spec, 5_000).map(Number);
    expect(new Set(values)).toEqual(new Set([7, -7]));
    expect(Math.abs(shareOf(values, (value) => value === 7) - 0.5)).toBeLessThan(0.03);
  });

  test('more values than fit between two bounds repeat themselves, and stay between them', () => {
    const spec = { type: 'frequencies', bounds: [0, 9, 1_000_000], distinct: 1_000 };
    const values = valuesOfColumn(spec, 30_000).map(Number);
    expect(Math.abs(shareOf(values, (value) => value <= 9) - 0.5)).toBeLessThan(0.02);
    expect(new Set(values.filter((value) => value <= 9)).size).toBe(10);
    expect(new Set(values).size).toBeGreaterThan(500);
  });

  test('dates are days, and times keep their microseconds', () => {
    const bounds = ['2024-02-28', '2024-03-02'];
    expect(new Set(valuesOfColumn({ type: 'frequencies', as: 'date', bounds }, 500))).toEqual(
      new Set(['28', '29', '01', '02'].map((day) => `2024-${day > '20' ? '02' : '03'}-${day}T00:00:00.000000Z`)),
    );
    const times = ['2024-02-28T00:00:00.000001Z', '2024-02-28T00:00:00.000002Z'];
    const spec = { type: 'frequencies', as: 'timestamp', bounds: times };
    expect(new Set(valuesOfColumn(spec, 100))).toEqual(new Set(times));
  });

  test.each([1, 0.97, 0.5, -0.8, -1])('follow the order of the rows by %f, with the same frequencies', (rowOrder) => {
    const { x } = generate({ x: { ...amounts, rowOrder } }, spread);
    const values = x!.map(Number);
    expect(Math.abs(shareOf(values, (value) => value === 9.99) - 0.3)).toBeLessThan(0.02);
    const { y } = generate({ y: { type: 'frequencies', bounds: [0, 1_000_000], rowOrder } }, spread);
    expect(Math.abs(rankCorrelation(y!.map(Number)) - rowOrder)).toBeLessThan(0.03);
  });

  test('as many values as rows: none repeats', () => {
    const spec = { type: 'frequencies', bounds: [0, 600_000, 9_000_000], distinct: 1_000_000 };
    expect(new Set(valuesOfColumn(spec, 20_000)).size).toBe(20_000);
  });
});

describe('texts', () => {
  const names = {
    type: 'frequencies',
    as: 'text',
    values: ['Müller'],
    shares: [0.25],
    distinct: 300,
    minLength: 4,
    maxLength: 30,
    meanLength: 9,
  };

  test('listed ones have their shares; the others have their number, lengths and mean', () => {
    const texts = valuesOfColumn({ ...names, distinct: 3_000 }, 30_000).map(String);
    expect(Math.abs(shareOf(texts, (text) => text === 'Müller') - 0.25)).toBeLessThan(0.012);
    const others = [...new Set(texts)].filter((text) => text !== 'Müller');
    expect(others.length).toBeGreaterThan(2_980);
    const lengths = others.map(({ length }) => length);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(4);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(30);
    const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
    expect(Math.abs(mean - 9)).toBeLessThan(0.6);
  });

  test('a table and a parameter with the same specification have the same texts, whatever their seeds', () => {
    const [table, parameter] = [valuesOfColumn(names, 20_000, 1), valuesOfColumn(names, 20_000, 2)];
    expect(new Set(table)).toEqual(new Set(parameter));
    expect(table).not.toEqual(parameter);
  });

  test('as many texts as rows: none repeats, and with an order they ascend', () => {
    const unique = { type: 'frequencies', as: 'text', distinct: 1_000_000, minLength: 5, maxLength: 12 };
    expect(new Set(valuesOfColumn(unique, 20_000)).size).toBe(20_000);
    const { x } = generate({ x: { ...unique, rowOrder: 1 } }, spread);
    expect(x!.map(String)).toEqual(x!.map(String).toSorted());
  });

  test('the declared length holds all of them', () => {
    const [column] = columnsOf({ x: { ...names, maxLength: 3, minLength: 1, meanLength: 2 } });
    expect(column!.type).toMatchObject({ kind: 'text', maxLength: 6, ascii: false });
  });
});

test('columns of one row have listed values together; the share `together` of the others, too', () => {
  const shares = [0.4, 0.2];
  const city = { type: 'frequencies', as: 'text', row: 'place', values: ['Paris', 'Lyon'], shares, distinct: 50 };
  const code = { type: 'frequencies', row: 'place', values: [1, 2], shares, bounds: [100, 149], distinct: 50 };
  const made = (together: number) => {
    const { city: cities, code: codes } = generate(
      { city: { ...city, together }, code: { ...code, together } },
      10_000,
    );
    return cities!.map((name, r) => [String(name), Number(codes![r])] as const);
  };
  const pairs = made(1);
  expect(pairs.every(([name, number]) => (name === 'Paris') === (number === 1))).toBe(true);
  expect(Math.abs(shareOf(pairs, ([name]) => name === 'Paris') - 0.4)).toBeLessThan(0.02);
  expect(new Set(pairs.map(String)).size).toBe(52);
  const apart = made(0);
  expect(apart.every(([name, number]) => (name === 'Lyon') === (number === 2))).toBe(true);
  expect(new Set(apart.map(String)).size).toBeGreaterThan(1_500);
});

test('behind the common values, each column has listed values of its own', () => {
  const place = { type: 'frequencies', row: 'place', jointly: 1 };
  const { a, b } = generate(
    {
      a: { ...place, values: [1, 2], shares: [0.4, 0.6] },
      b: { ...place, values: [1, 2, 3], shares: [0.4, 0.3, 0.3] },
    },
    10_000,
  );
  const pairs = a!.map((one, r) => `${one} ${b![r]}`);
  expect(new Set(pairs)).toEqual(new Set(['1 1', '2 2', '2 3']));
  expect(Math.abs(shareOf(pairs, (pair) => pair === '2 3') - 0.3)).toBeLessThan(0.02);
});

describe('references', () => {
  const parent = { type: 'reference', rows: 500, key: { type: 'sequence' } };
  const counted = (values: readonly unknown[]) =>
    [...Map.groupBy(values, (value) => value).values()].map(({ length }) => length).toSorted((a, b) => b - a);

  test('the most frequent parents have their shares, and the rest is even', () => {
    const counts = counted(valuesOfColumn({ ...parent, shares: [0.5, 0.1], distinct: 102 }, 20_000));
    expect(counts.length).toBe(102);
    expect(Math.abs(counts[0]! / 20_000 - 0.5)).toBeLessThan(0.015);
    expect(Math.abs(counts[1]! / 20_000 - 0.1)).toBeLessThan(0.01);
    expect(counts[2]).toBeLessThan(130);
  });

  test('parents follow the order of the rows', () => {
    const { x } = generate({ x: { ...parent, rowOrder: 1 } }, spread);
    expect(x!.map(Number)).toEqual(x!.map(Number).toSorted((a, b) => a - b));
    expect(new Set(x).size).toBe(500);
  });

  test('some parents alone are spread over the other table', () => {
    const drawn = new Set(valuesOfColumn({ ...parent, distinct: 50 }, 5_000).map(Number));
    expect(drawn.size).toBe(50);
    expect(Math.max(...drawn)).toBeGreaterThan(450);
  });
});
