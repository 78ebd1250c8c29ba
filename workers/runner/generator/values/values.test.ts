import { describe, expect, test } from 'vitest';
import { nameKinds } from '#model/dataset/column-specs.ts';
import { locales } from '#model/dataset/locales.ts';
import { columnsOf, generate, valuesOfColumn } from './generate.fixture.ts';
import { namePool } from './names.ts';

const every = {
  person: { type: 'name', what: 'person', locale: 'de', distribution: 'zipf' },
  code: { type: 'code', pattern: 'AB-####-??' },
  group: { type: 'oneOf', values: ['süß', 'sauer'], nulls: 0.3 },
  parent: { type: 'reference', rows: 500, key: { type: 'uuid7' }, distribution: 'zipf' },
  child: {
    type: 'reference',
    rows: 500,
    key: { type: 'sequence', start: 10 },
    distribution: 'sequential',
    children: 3,
  },
  text: { type: 'words', minWords: 1, maxWords: 12 },
  price: { type: 'decimal', precision: 8, distribution: 'exponential', nulls: 0.25 },
  quantity: { type: 'integer', min: 1, max: 9, distribution: 'zipf' },
  total: { type: 'correlated', of: 'price', times: 'quantity', noise: 0.5 },
  ordered: { type: 'timestamp' },
  shipped: { type: 'delayed', of: 'ordered' },
  document: {
    type: 'document',
    fields: {
      id: { type: 'uuid4' },
      name: { type: 'name', what: 'company', locale: 'ja', nulls: 0.2 },
      lines: {
        type: 'list',
        minLength: 1,
        maxLength: 3,
        of: { type: 'object', fields: { sku: { type: 'code', pattern: '???' }, price: { type: 'decimal', scale: 3 } } },
      },
    },
  },
};

test('any range and any list of rows give the same values, whoever makes them', () => {
  const whole = generate(every, 1_000);
  const picked = generate(every, Float64Array.of(999, 3, 750, 3));
  for (const [name, values] of Object.entries(whole))
    expect([name, picked[name]]).toEqual([name, [values[999], values[3], values[750], values[3]]]);
});

test('another seed makes other values', () => {
  const [one, two] = [generate(every, 50, 1), generate(every, 50, 2)];
  for (const name of Object.keys(every).filter((name) => name !== 'child')) expect(one[name]).not.toEqual(two[name]);
});

describe('names', () => {
  test.each(nameKinds)('%s: different, short enough, and nothing that JSON would escape', (what) => {
    const spec = { type: 'name', what, locale: 'en', pool: 200, maxLength: 30, nulls: 0 } as const;
    const pool = namePool(spec, 1);
    expect(pool.length).toBe(200);
    expect(new Set(pool).size).toBe(200);
    for (const name of pool) expect(JSON.stringify(name)).toBe(`"${name}"`);
    expect(Math.max(...pool.map((name) => name.length))).toBeLessThanOrEqual(30);
    expect(namePool(spec, 1)).toEqual(pool);
  });

  test.each(['ja', 'ru', 'ar'] as const)('of %s come through UTF-8 whole', (locale) => {
    const pool = new Set(namePool({ type: 'name', what: 'person', locale, pool: 100, maxLength: 60, nulls: 0 }, 42));
    const drawn = valuesOfColumn({ type: 'name', what: 'person', locale, pool: 100 }, 2_000).map(String);
    expect(drawn.every((name) => pool.has(name))).toBe(true);
    expect(new Set(drawn).size).toBe(pool.size);
    expect(drawn.some((name) => /[^\x20-\x7e]/.test(name))).toBe(true);
  });

  test('every locale that a file may name is there', () => {
    for (const locale of locales)
      expect(namePool({ type: 'name', what: 'city', locale, pool: 3, maxLength: 60, nulls: 0 }, 1).length).toBe(3);
  });

  test('none that is short enough is said', () => {
    expect(() => valuesOfColumn({ type: 'name', what: 'email', maxLength: 5 }, 1)).toThrow(
      'Column x: no email of the locale en is as short as 5 characters.',
    );
  });
});

describe('codes', () => {
  test('follow their pattern, and none repeats before all have been used', () => {
    const codes = valuesOfColumn({ type: 'code', pattern: 'K\\#?##' }, 2_600).map(String);
    expect(codes.every((code) => /^K#[A-Z]\d\d$/.test(code))).toBe(true);
    expect(new Set(codes).size).toBe(2_600);
    expect(codes).not.toEqual([...codes].sort());
    expect(valuesOfColumn({ type: 'code', pattern: 'K\\#?##' }, 2_601).at(-1)).toBe(codes[0]);
  });

  test('of a very wide pattern are unique, too, and use all of it', () => {
    const codes = valuesOfColumn({ type: 'code', pattern: '????????????####' }, 20_000).map(String);
    expect(new Set(codes).size).toBe(20_000);
    for (let place = 0; place < 12; place++) expect(new Set(codes.map((code) => code[place])).size).toBe(26);
    for (let place = 12; place < 16; place++) expect(new Set(codes.map((code) => code[place])).size).toBe(10);
  });
});

describe('references', () => {
  const keys = { filler: { type: 'boolean' }, id: { type: 'uuid7' } };
  const parents = generate(keys, 300, 7).id!;

  test.each(['uniform', 'zipf'])('%s: every key is one of the other table', (distribution) => {
    const spec = { type: 'reference', rows: 300, key: { type: 'uuid7' }, position: 2, seed: 7, distribution };
    const drawn = valuesOfColumn(spec, 20_000, 99);
    expect(new Set(drawn)).toEqual(new Set(parents));
    const most = Math.max(...[...Map.groupBy(drawn, (key) => key).values()].map(({ length }) => length));
    // Uniformly, each value gets 67; with zipf, one value gets a sixth of all.
    if (distribution === 'zipf') expect(most).toBeGreaterThan(2_500);
    else expect(most).toBeLessThan(120);
  });

  test('favourites lie scattered over the other table', () => {
    const spec = { type: 'reference', rows: 100_000, key: { type: 'sequence' }, distribution: 'zipf' };
    const count = Map.groupBy(valuesOfColumn(spec, 10_000).map(Number), (key) => key);
    const favourites = [...count]
      .sort(([, a], [, b]) => b.length - a.length)
      .slice(0, 10)
      .map(([key]) => key);
    expect(Math.max(...favourites)).toBeGreaterThan(50_000);
  });

  test('sequential: each parent has its children, and then from the beginning again', () => {
    const spec = { type: 'reference', rows: 3, key: { type: 'sequence' }, distribution: 'sequential', children: 2 };
    expect(valuesOfColumn(spec, 8)).toEqual([1, 1, 2, 2, 3, 3, 1, 1]);
  });

  test('to a table with codes', () => {
    const codes = new Set(generate({ code: every.code }, 50).code);
    const drawn = valuesOfColumn({ type: 'reference', rows: 50, key: every.code }, 1_000);
    expect(new Set(drawn)).toEqual(codes);
  });
});

test('words look like sentences of a vocabulary, frequent words first', () => {
  const texts = valuesOfColumn({ type: 'words', minWords: 4, maxWords: 30, vocabulary: 500 }, 5_000).map(String);
  for (const text of texts) expect(text).toMatch(/^[A-Z][a-z]*([.]( [A-Z][a-z]*)|,? [a-z]+)*[.]$/);
  const words = texts.map((text) => text.toLowerCase().replaceAll(/[.,]/g, '').split(' '));
  const lengths = new Set(words.map(({ length }) => length));
  expect([Math.min(...lengths), Math.max(...lengths)]).toEqual([4, 30]);
  const counts = Map.groupBy(words.flat(), (word) => word);
  expect(counts.size).toBe(500);
  // 1 / r: the first word is twice as frequent as the second, and three times the third.
  const [the, of, and] = ['the', 'of', 'and'].map((word) => counts.get(word)!.length);
  expect(the! / of!).toBeCloseTo(2, 0.5);
  expect(the! / and!).toBeCloseTo(3, 0.5);
});

test('the largest vocabulary has as many different words', () => {
  const dataset = { type: 'words', minWords: 200, maxWords: 200, vocabulary: 20_000 };
  const words = valuesOfColumn(dataset, 3_000).flatMap((text) =>
    String(text)
      .toLowerCase()
      .match(/[a-z]+/g),
  );
  expect(new Set(words).size).toBeGreaterThan(15_000);
  expect(words.filter((word) => word!.length > 14)).toEqual([]);
});

describe('columns that follow others of the row', () => {
  const pearson = (xs: readonly number[], ys: readonly number[]) => {
    const mean = (list: readonly number[]) => list.reduce((a, b) => a + b) / list.length;
    const [x, y] = [mean(xs), mean(ys)];
    const sum = (of: (i: number) => number) => xs.reduce((total, _, i) => total + of(i), 0);
    return (
      sum((i) => (xs[i]! - x) * (ys[i]! - y)) / Math.sqrt(sum((i) => (xs[i]! - x) ** 2) * sum((i) => (ys[i]! - y) ** 2))
    );
  };

  test('a product is exact', () => {
    const { price, quantity, total } = generate(
      { ...every, total: { type: 'correlated', of: 'price', times: 'quantity', scale: 2 } },
      1_000,
    );
    for (let r = 0; r < 1_000; r++)
      expect(total![r]).toBe(
        price![r] === null ? null : ((Math.round(Number(price![r]) * 100) * Number(quantity![r])) / 100).toFixed(2),
      );
  });

  test.each([0.2, 0.7, 0.95])('they correlate by %f', (correlation) => {
    const { of, x } = generate(
      {
        of: { type: 'integer', max: 1_000, distribution: 'exponential' },
        x: { type: 'correlated', of: 'of', correlation, factor: 3, plus: -7 },
      },
      40_000,
    );
    expect(Math.abs(pearson(of!.map(Number), x!.map(Number)) - correlation)).toBeLessThan(0.02);
  });

  test('where the source is null, they are; the column says that it can be', () => {
    const columns = { ordered: { type: 'timestamp', nulls: 0.4 }, shipped: every.shipped };
    const { ordered, shipped } = generate(columns, 2_000);
    expect(shipped!.map((at) => at === null)).toEqual(ordered!.map((at) => at === null));
    expect(ordered!.filter((at) => at === null).length).toBeGreaterThan(700);
    expect(columnsOf(columns).map(({ nullable }) => nullable)).toEqual([true, true]);
  });

  test('delays are log-normal: half are below the median, a sixth above e times it', () => {
    const delayed = { type: 'delayed', of: 'of', medianHours: 10 };
    const { of, x } = generate({ of: { type: 'timestamp' }, x: delayed }, 20_000);
    const hours = x!.map((at, r) => (Date.parse(String(at)) - Date.parse(String(of![r]))) / 3_600_000);
    const share = (bound: number) => hours.filter((hour) => hour < bound).length / hours.length;
    expect(Math.min(...hours)).toBeGreaterThan(0);
    // Three standard errors of a share of 20,000.
    expect(Math.abs(share(10) - 0.5)).toBeLessThan(0.011);
    expect(Math.abs(share(10 * Math.E) - 0.8413)).toBeLessThan(0.008);
  });
});

test('documents are JSON of the shape that is written, elements of lists differ, nulls have their share', () => {
  const { document } = generate(every, 1_000);
  const all = document!.map((text) => JSON.parse(String(text)));
  const lines = all.flatMap((one) => one.lines);
  for (const one of all) {
    expect(Object.keys(one)).toEqual(['id', 'name', 'lines']);
    expect(one.id).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect(new Set(all.map((one) => one.id)).size).toBe(1_000);
  expect(new Set(all.map((one) => one.lines.length))).toEqual(new Set([1, 2, 3]));
  expect(lines.every((line) => /^[A-Z]{3}$/.test(line.sku) && Number.isFinite(line.price))).toBe(true);
  expect(new Set(lines.map((line) => line.sku)).size).toBe(lines.length);
  const nulls = all.filter((one) => one.name === null).length;
  expect(nulls).toBeGreaterThan(160);
  expect(nulls).toBeLessThan(240);
});

test('declared lengths hold what is generated', () => {
  const specs = {
    ...every,
    wide: {
      type: 'document',
      fields: {
        a: { type: 'oneOf', values: ['"\\', 'ü'] },
        b: { type: 'bytes', length: 9 },
        c: { type: 'integer', min: Number.MIN_SAFE_INTEGER, max: 0 },
      },
    },
  };
  const values = generate(specs, 3_000);
  const longest = (name: string) => Math.max(...values[name]!.map((value) => String(value ?? '').length));
  for (const { name, type } of columnsOf(specs))
    if (type.kind === 'text') expect(longest(name)).toBeLessThanOrEqual(type.maxLength);
});
