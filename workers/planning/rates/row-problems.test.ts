import { expect, test } from 'vitest';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { StatementCounts, TrialResult } from '#protocol/measurement.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { oddRepeats, rowProblems } from './row-problems.ts';

type Facts = Parameters<typeof rowProblems>[0];

/** Rows of each call, by statement, target and variant; a list for each repeat. */
type Rows = Readonly<Record<string, Readonly<Record<string, readonly (readonly number[])[]>>>>;

const byCode = {
  text: 'SELECT * FROM orders WHERE code = :code',
  parameters: { code: { type: 'integer' } },
};

function countsOf(name: string, rows: readonly number[]): StatementCounts {
  return {
    ...{ name, kind: 'statement', calls: rows.length, rows: rows.reduce((sum, one) => sum + one, 0) },
    ...{ errors: {}, service: '', failed: null },
    rowSpread: {
      empty: rows.filter((one) => one === 0).length,
      squares: rows.reduce((sum, one) => sum + one ** 2, 0),
      most: Math.max(...rows),
    },
  };
}

interface Made {
  readonly statements?: object;
  readonly settings?: Readonly<Record<string, Partial<Settings>>>;
  readonly descriptor?: Partial<EngineDescriptor>;
  readonly more?: object;
  readonly answers?: Readonly<Record<string, readonly object[]>>;
}

/** A made-up run, and its cells. */
function runOf(
  rows: Rows,
  { statements = { 'by-code': byCode }, settings = {}, descriptor = {}, more = {}, answers = {} }: Made = {},
) {
  const places = Object.keys(rows).map((place) => {
    const [target = '', variant = 'v'] = place.split(' ');
    return { place, target, variant };
  });
  const ids = [...new Set(places.map(({ variant }) => variant))];
  const targets = [...new Set(places.map(({ target }) => target))];
  const facts = {
    plan: {
      experiment: { statements, ...more },
      variants: ids.map((id) => ({
        ...{ id, label: id, levels: {} },
        settings: { ...defaultSettings, operation: 'statement', ...settings[id] },
      })),
    },
    targets: targets.map((name) => ({
      ...{ name, engine: name, fingerprint: null },
      descriptor: { statements: { language: 'sql' }, ...descriptor },
    })),
  } as unknown as Facts; // the parts that are looked at
  const results = places.flatMap(({ place, target, variant }) => {
    const own = rows[place]!;
    const repeats = Math.max(...Object.values(own).map(({ length }) => length));
    return Array.from(
      { length: repeats },
      (_, i) =>
        ({
          ...{ target, variant, repeat: i + 1, status: 'ok', answers: answers[place] },
          statements: Object.entries(own).map(([name, lists]) => countsOf(name, lists[i]!)),
        }) as unknown as TrialResult,
    );
  });
  return { facts, results, places };
}

/** The problems of a made-up run, in few words by "target" or "target variant". */
function problemsOf(rows: Rows, made?: Made): Readonly<Record<string, readonly string[]>> {
  const { facts, results, places } = runOf(rows, made);
  const found = rowProblems(facts, results);
  return Object.fromEntries(
    places.flatMap(({ place, target, variant }) => {
      const own = found.get(keyOf({ target, variant })) ?? [];
      return own.length === 0 ? [] : [[place, own.map(({ kind, statement }) => `${statement} ${kind}`)]];
    }),
  );
}

const calls = (rows: number, count = 100): readonly (readonly number[])[] => [Array(count).fill(rows)];

test('a statement that found nothing keeps its cell apart, and not the one that found rows', () => {
  expect(problemsOf({ pg: { 'by-code': calls(1) }, sqlite: { 'by-code': calls(0) } })).toEqual({
    sqlite: ['by-code foundNothing'],
  });
  expect(problemsOf({ pg: { 'by-code': calls(0) } })).toEqual({ pg: ['by-code foundNothing'] });
});

test('each statement of a mix is looked at by itself', () => {
  const byDay = { ...byCode, text: 'SELECT * FROM orders WHERE day = :code' };
  const statements = { 'by-code': byCode, 'by-day': byDay };
  const pg = { 'by-code': calls(1), 'by-day': calls(3) };
  expect(problemsOf({ pg, sqlite: { 'by-code': calls(1), 'by-day': calls(0) } }, { statements })).toEqual({
    sqlite: ['by-day foundNothing'],
  });
});

test('a file may say that nothing is to be found', () => {
  for (const expectRows of [0, { min: 0 }, { min: 0, max: 3 }])
    expect(
      problemsOf({ pg: { 'by-code': calls(0) } }, { statements: { 'by-code': { ...byCode, expectRows } } }),
    ).toEqual({});
  expect(
    problemsOf({ pg: { 'by-code': calls(0) } }, { statements: { 'by-code': { ...byCode, expectRows: { max: 1 } } } }),
  ).not.toEqual({});
});

test('few calls that may have found nothing by chance say nothing', () => {
  const seldom = [Array.from({ length: 1_000 }, (_, i) => (i % 3 === 0 ? 1 : 0))];
  expect(problemsOf({ pg: { 'by-code': seldom }, sqlite: { 'by-code': calls(0, 5) } })).toEqual({});
  expect(problemsOf({ pg: { 'by-code': seldom }, sqlite: { 'by-code': calls(0, 200) } })).not.toEqual({});
  expect(problemsOf({ pg: { 'by-code': calls(0, 2) } })).toEqual({});
  expect(problemsOf({ pg: { 'by-code': calls(1, 2) }, sqlite: { 'by-code': calls(0, 1) } })).toEqual({});
  expect(problemsOf({ pg: { 'by-code': calls(1, 6) }, sqlite: { 'by-code': calls(0, 6) } })).not.toEqual({});
});

test('where most cells agree, the others differ; where none has a majority, all that differ', () => {
  const [one, two] = [{ 'by-code': calls(1) }, { 'by-code': calls(2) }];
  expect(problemsOf({ pg: one, maria: one, sqlite: two })).toEqual({ sqlite: ['by-code rowsDiffer'] });
  expect(problemsOf({ pg: one, sqlite: two })).toEqual({
    pg: ['by-code rowsDiffer'],
    sqlite: ['by-code rowsDiffer'],
  });
  expect(problemsOf({ 'pg bind': one, 'pg literal': two, 'pg prepared': one })).toEqual({
    'pg literal': ['by-code rowsDiffer'],
  });
});

test('settings that choose other rows may change the answer, and others may not', () => {
  const rows = { 'pg a': { 'by-code': calls(1) }, 'pg b': { 'by-code': calls(2) } };
  for (const own of [
    { keyDistribution: 'zipf' },
    { workingSet: 0.1 },
    { keyKind: 'uuid4' },
    { nullShare: 0.5 },
  ] as const)
    expect(problemsOf(rows, { settings: { b: own } })).toEqual({});
  for (const own of [
    { method: 'literal' },
    { fetchSize: 10 },
    { connections: 8 },
    { isolation: 'serializable' },
  ] as const)
    expect(Object.keys(problemsOf(rows, { settings: { b: own } }))).toEqual(['pg a', 'pg b']);
});

test.each([
  ['an aggregate', 'SELECT count(*) FROM orders WHERE code = :code', {}],
  ['a procedure', 'CALL find_orders(:code)', {}],
  ['an upsert', 'INSERT INTO orders VALUES (:code) ON CONFLICT DO NOTHING', {}],
  ['a setting', 'SET search_path = shop', {}],
  ['an update that is sent with the commit', 'UPDATE orders SET a = 1 WHERE code = :code', { changesAtCommit: true }],
] as const)('rows without a meaning are passed over: %s', (_, text, descriptor) => {
  const statements = { 'by-code': { ...byCode, text } };
  const rows = { pg: { 'by-code': calls(1) }, maria: { 'by-code': calls(0) } };
  expect(problemsOf(rows, { statements, descriptor })).toEqual({});
});

test('what the calls of the mix change themselves is no difference of the answers', () => {
  const rows = (count: number) => ({ 'by-code': calls(count), change: calls(1) });
  const differ = (text: string) =>
    Object.keys(
      problemsOf(
        { pg: rows(3), sqlite: rows(5) },
        { statements: { 'by-code': byCode, change: { text, parameters: {} } } },
      ),
    );
  expect(differ('INSERT INTO orders VALUES (:a)')).toEqual([]);
  expect(differ('DELETE FROM orders WHERE id = :a')).toEqual([]);
  expect(differ('UPDATE orders SET code = :a WHERE id = :b')).toEqual([]);
  expect(differ('UPDATE orders SET price = :a WHERE id = :b')).toEqual(['pg', 'sqlite']);
  expect(differ('INSERT INTO visits VALUES (:a)')).toEqual(['pg', 'sqlite']);
});

test('rows that depend on the time, on locks or on an earlier answer are not compared', () => {
  const rows = { pg: { 'by-code': calls(3) }, sqlite: { 'by-code': calls(5) } };
  for (const text of [
    'SELECT * FROM jobs WHERE at > now() AND a = :code',
    'SELECT * FROM jobs WHERE a = :code FOR UPDATE SKIP LOCKED',
  ])
    expect(problemsOf(rows, { statements: { 'by-code': { ...byCode, text } } })).toEqual({});
  const captured = { ...byCode, parameters: { code: { type: 'captured', from: 'pick', column: 'code' } } };
  expect(problemsOf(rows, { statements: { 'by-code': captured } })).toEqual({});
});

test('look-ups by listed values that miss are told, and misses that are part of the work are not', () => {
  const some = [Array.from({ length: 1_000 }, (_, i) => (i % 20 === 0 ? 0 : 1))];
  const listed = (text: string, spec: object) =>
    problemsOf({ pg: { 'by-code': some } }, { statements: { 'by-code': { text, parameters: { code: spec } } } });
  const file = { type: 'csv', file: 'codes.csv', column: 'code' };
  const list = (text: string) => ({ type: 'query', text });
  expect(listed(byCode.text, file)).toEqual({ pg: ['by-code missedListed'] });
  expect(listed(byCode.text, list('SELECT code FROM shop.orders'))).toEqual({ pg: ['by-code missedListed'] });
  expect(listed(byCode.text, list('SELECT id FROM customers'))).toEqual({});
  expect(listed(`${byCode.text} AND status = 'open'`, list('SELECT code FROM orders'))).toEqual({});
  expect(listed(byCode.text, { type: 'integer' })).toEqual({});
});

test('misses of one target leave the others comparable', () => {
  const [all, some] = [[Array(1_000).fill(1)], [Array.from({ length: 1_000 }, (_, i) => (i % 3 === 0 ? 0 : 1))]];
  const spec = { type: 'query', text: 'SELECT code FROM orders' };
  expect(
    problemsOf(
      { pg: { 'by-code': all }, sqlite: { 'by-code': some } },
      { statements: { 'by-code': { ...byCode, parameters: { code: spec } } } },
    ),
  ).toEqual({ sqlite: ['by-code missedListed'] });
});

test('runs whose calls draw from the same rows are told apart in none of 1,000 runs, however skewed the rows are', () => {
  const random = new Sfc32(7, 3);
  const uniform = () => random.uint32() / 2 ** 32;
  const skews: readonly (() => number)[] = [
    () => (uniform() < 0.4 ? 1 : 0),
    () => Math.floor(uniform() * 50),
    () => Math.floor(Math.min(1e5, (1 - uniform()) ** (-1 / 1.2))),
    () => (uniform() < 0.002 ? 5_000 : 1),
  ];
  let wrong = 0;
  for (let run = 0; run < 1_000; run++) {
    const draw = skews[run % skews.length]!;
    // Servers of different speed make different numbers of calls.
    const cell = (most: number) => ({
      'by-code': Array.from({ length: 3 }, () => Array.from({ length: 5 + Math.floor(uniform() * most) }, draw)),
    });
    const rows = { 'pg a': cell(400), 'pg b': cell(400), 'sqlite a': cell(60), 'sqlite b': cell(60) };
    if (Object.keys(problemsOf(rows)).length > 0) wrong++;
  }
  expect(wrong).toBe(0);
});

test('a repeat whose calls return other rows is told, and random draws are not', () => {
  const odd = (...repeats: readonly (readonly number[])[]) => {
    const { facts, results } = runOf({ pg: { 'by-code': repeats } });
    return oddRepeats(facts, results).map(({ repeat, rowsPerCall, others }) => [repeat, rowsPerCall, others]);
  };
  const [one, none] = [Array<number>(300).fill(1), Array<number>(300).fill(0)];
  expect(odd(one, one, none)).toEqual([[3, 0, 1]]);
  expect(odd(one, one, one)).toEqual([]);
  expect(odd(one)).toEqual([]);
  const random = new Sfc32(9, 3);
  let told = 0;
  for (let run = 0; run < 300; run++)
    told += odd(
      ...[0, 1, 2].map(() => Array.from({ length: 400 }, () => Math.floor((random.uint32() / 2 ** 32) * 50))),
    ).length;
  expect(told).toBe(0);
});

test('a table that others fill meanwhile makes repeats differ, and no cells', () => {
  const random = new Sfc32(8, 3);
  const uniform = () => random.uint32() / 2 ** 32;
  let wrong = 0;
  for (let run = 0; run < 300; run++) {
    // The rows grow by a tenth from one trial to the next, in whatever order the trials run.
    const order = Array.from({ length: 12 }, (_, i) => ({ i, at: uniform() })).toSorted((a, b) => a.at - b.at);
    const cell = (first: number) => ({
      'by-code': [0, 1, 2].map((repeat) => {
        const rows = 10 * 1.1 ** order[first * 3 + repeat]!.i;
        return Array.from({ length: 500 }, () => Math.floor(rows * (0.5 + uniform())));
      }),
    });
    const rows = { 'pg a': cell(0), 'pg b': cell(1), 'sqlite a': cell(2), 'sqlite b': cell(3) };
    if (Object.keys(problemsOf(rows)).length > 0) wrong++;
  }
  expect(wrong).toBeLessThanOrEqual(3);
});

test('other answers keep a cell apart, and its rows give no doubt about the cells that it differs from', () => {
  const answers = (outcome: string) => [{ statement: 'by-code', baseline: 'a', outcome, draws: 1, why: 'it differs' }];
  const rows = { 'pg a': { 'by-code': calls(1) }, 'pg b': { 'by-code': calls(2) } };
  expect(problemsOf(rows, { answers: { 'pg b': answers('differ') } })).toEqual({ 'pg b': ['by-code otherAnswers'] });
  for (const outcome of ['equal', 'cannotTell', 'notChecked'])
    expect(problemsOf(rows, { answers: { 'pg b': answers(outcome) } }), outcome).toEqual({
      'pg a': ['by-code rowsDiffer'],
      'pg b': ['by-code rowsDiffer'],
    });
});
