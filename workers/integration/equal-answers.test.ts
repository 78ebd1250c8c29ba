import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { resultsJson } from '#cli/results/results-json.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { smokeOf, whole } from '#platform/whole.fixture.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import type { ComparedAnswers } from '#protocol/measurement.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { keeping, sharedHome } from './shared-home.fixture.ts';
import { newTrustedRun, resumeTrusted } from './trusted.fixture.ts';

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const own = sharedHome(keeping(...smokeOf(['embedded-postgres', 'local-mariadb', 'local-mongodb'])));

const tables = {
  stores: { rows: 40, key: 'id', columns: { id: { type: 'sequence' }, city: { type: 'integer', min: 0, max: 4 } } },
  sales: {
    rows: 400,
    key: 'id',
    columns: {
      id: { type: 'sequence' },
      store: { type: 'integer', min: 1, max: 30, nulls: 0.1 },
      sold: { type: 'integer', min: 0, max: 4 },
      amount: { type: 'decimal', scale: 2, min: 0, max: 100 },
    },
  },
};

const parameters = { day: { type: 'integer', min: 0, max: 4 } };

/** Levels of each statement; the first one is the baseline. */
type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

const sql: Texts = {
  without: {
    'as it is':
      'SELECT id FROM {stores} s WHERE NOT EXISTS (SELECT 1 FROM {sales} x WHERE x.store = s.id AND x.sold = :day)',
    outer: 'SELECT s.id FROM {stores} s LEFT JOIN {sales} x ON x.store = s.id AND x.sold = :day WHERE x.id IS NULL',
    nulls: 'SELECT id FROM {stores} WHERE id NOT IN (SELECT store FROM {sales} WHERE sold = :day)',
  },
  sold: {
    'as it is': 'SELECT id, city FROM {stores} WHERE id IN (SELECT store FROM {sales} WHERE sold = :day)',
    outer: 'SELECT DISTINCT s.id, s.city FROM {sales} x JOIN {stores} s ON s.id = x.store WHERE x.sold = :day',
    nulls: 'SELECT s.id, s.city FROM {sales} x JOIN {stores} s ON s.id = x.store WHERE x.sold = :day',
  },
  listed: {
    'as it is': 'SELECT id, city FROM {stores} WHERE id > :day ORDER BY city',
    outer: 'SELECT id, city FROM {stores} WHERE id > :day ORDER BY city, id DESC',
    nulls: 'SELECT id, city FROM {stores} WHERE id > :day ORDER BY city DESC',
  },
  first: {
    'as it is': 'SELECT id, city FROM {stores} WHERE id > :day ORDER BY city LIMIT 3',
    outer: 'SELECT id, city FROM {stores} WHERE id > :day ORDER BY city, id DESC LIMIT 3',
    nulls: 'SELECT id, city FROM {stores} WHERE id > :day ORDER BY city DESC LIMIT 3',
  },
  sum: {
    'as it is': 'SELECT sum(amount) AS total, count(*) AS n FROM {sales} WHERE sold = :day',
    outer: 'SELECT sum(amount + 0.0) AS all_of_it, count(id) AS n FROM {sales} WHERE sold = :day',
    nulls: 'SELECT sum(amount) AS total, count(store) AS n FROM {sales} WHERE sold = :day',
  },
};

const find = (filter: object, more: object = {}) => JSON.stringify({ find: '{stores}', filter, ...more });
const idAbove = { _id: { $gt: '$day' } };
const commands: Texts = {
  listed: {
    'as it is': find(idAbove, { sort: { city: 1 }, projection: { city: 1 } }),
    outer: JSON.stringify({
      aggregate: '{stores}',
      pipeline: [
        { $match: { $expr: { $gt: ['$_id', { $param: 'day' }] } } },
        { $sort: { city: 1, _id: -1 } },
        { $project: { city: 1 } },
      ],
      cursor: {},
    }),
    nulls: find({ _id: { $gte: '$day' }, city: { $gt: 0 } }, { sort: { city: 1 }, projection: { city: 1 } }),
  },
};

function yamlOf(target: string, texts: Texts, more: object = {}): string {
  const levels = Object.keys(Object.values(texts)[0]!);
  const level = (name: string) =>
    Object.fromEntries(Object.entries(texts).map(([statement, all]) => [statement, { text: all[name]! }]));
  return JSON.stringify({
    ...{ dyno: 1, name: 'Equal answers', question: 'Do rewrites answer the same?', tables },
    // Calls without a pause would keep two processors busy.
    workload: { operation: 'statement', method: 'bind', thinkMs: 1 },
    statements: Object.fromEntries(
      Object.entries(texts).map(([statement, all]) => [
        statement,
        { text: all[levels[0]!]!, parameters, expectRows: { min: 0 } },
      ]),
    ),
    factors: {
      search: Object.fromEntries(levels.map((name, i) => [name, i === 0 ? {} : { statements: level(name) }])),
    },
    targets: [target],
    measure: { until: { seconds: 1.5 }, repeats: 1, warmupSeconds: 0 },
    ...more,
  });
}

async function ran(yaml: string): Promise<RunModel> {
  const run = await newTrustedRun({ home: own.home, yaml });
  await run.start();
  return loadRun(own.home, run.file);
}

const answersOf = (model: RunModel, level: string): Readonly<Record<string, ComparedAnswers>> =>
  Object.fromEntries(
    model.trials
      .filter(({ trial }) => trial.variant === `search=${level}`)
      .flatMap(({ result }) => (result?.answers ?? []).map((one) => [one.statement, one])),
  );
const outcomesOf = (model: RunModel, level: string) =>
  Object.fromEntries(Object.entries(answersOf(model, level)).map(([name, { outcome }]) => [name, outcome]));

const targets = [
  ['embedded-postgres', sql],
  ['sqlite', sql],
  ['local-mariadb', sql],
  ['local-mongodb', commands],
] as const;

for (const [target, texts] of smokeOf(targets))
  describe.skipIf(isSkipped(target))(target, () => {
    let model: RunModel;
    beforeAll(async () => {
      model = await ran(yamlOf(target, texts));
    });

    test('rewrites with the same answers are compared, and rewrites with others are not', () => {
      expect(model.trials.map(({ result }) => result?.error ?? result?.status)).toEqual(model.trials.map(() => 'ok'));
      const isSql = texts === sql;
      expect(answersOf(model, 'as it is')).toEqual({});
      expect(outcomesOf(model, 'outer')).toEqual(
        isSql
          ? { without: 'equal', sold: 'equal', listed: 'equal', first: 'cannotTell', sum: 'equal' }
          : { listed: 'equal' },
      );
      expect(outcomesOf(model, 'nulls')).toEqual(
        Object.fromEntries(Object.keys(texts).map((statement) => [statement, 'differ'])),
      );
      // The time for comparisons may end before the 100th draw.
      for (const { draws } of Object.values(answersOf(model, 'outer'))) {
        expect(draws).toBeGreaterThan(0);
        expect(draws).toBeLessThanOrEqual(100);
      }
      const kinds = new Map(
        model.cells.map(({ variant, rowProblems }) => [variant, new Set(rowProblems.map(({ kind }) => kind))]),
      );
      expect(kinds).toEqual(
        new Map([
          ['search=as it is', new Set()],
          ['search=outer', new Set()],
          ['search=nulls', new Set(['otherAnswers'])],
        ]),
      );
    });

    test('the answers of measured calls are compared where those before the clock were equal', () => {
      const [baseline, outer, nulls] = model.cells.map(({ sampledAnswers }) => sampledAnswers);
      expect([baseline, nulls]).toEqual([[], []]);
      const equal = Object.entries(outcomesOf(model, 'outer')).flatMap(([name, one]) =>
        one === 'equal' ? [name] : [],
      );
      expect(outer!.map(({ statement, isSampled }) => [statement, isSampled])).toEqual(
        equal.map((name) => [name, true]),
      );
      // Long answers are compared by their digests, also where equal cities come in another order.
      for (const { outcome, why } of outer!) expect([outcome, why]).toEqual(['equal', undefined]);
    });

    test('the terminal says which statement differs, for which values', () => {
      const text = renderText(model);
      expect(text).toContain('“listed” gives other answers than with Search: as it is');
      expect(text).toMatch(/for day = \d/);
    });
  });

const between = [
  'embedded-postgres',
  'sqlite',
  ...(whole ? (['local-mariadb', 'local-mongodb'] as const) : []),
] as const;
const found = between.filter((target) => !isSkipped(target));

describe.skipIf(found.length < 2)('several targets', () => {
  const byStore = (sqlText: string, command: object) => ({
    text: { default: sqlText, mongodb: JSON.stringify(command) },
    parameters: { place: { type: 'integer', min: 1, max: 30 } },
    expectRows: { min: 0 },
  });
  const projection = { _id: 1, store: 1, sold: 1, amount: 1 };
  const statements = {
    rows: byStore('SELECT id, store, sold, amount FROM {sales} WHERE store = :place', {
      find: '{sales}',
      filter: { store: '$place' },
      projection,
    }),
    half: byStore('SELECT id, id / 2 AS half FROM {sales} WHERE store = :place', {
      aggregate: '{sales}',
      pipeline: [
        { $match: { $expr: { $eq: ['$store', { $param: 'place' }] } } },
        { $project: { half: { $divide: ['$_id', 2] } } },
      ],
      cursor: {},
    }),
    drawn: byStore('SELECT id, store, sold, amount FROM {sales} WHERE store = :place ORDER BY sold LIMIT 3', {
      find: '{sales}',
      filter: { store: '$place' },
      projection,
      sort: { sold: 1 },
      limit: 3,
    }),
  };
  let model: RunModel;
  beforeAll(async () => {
    const { factors: _, ...file } = JSON.parse(yamlOf(found[0]!, sql));
    model = await ran(JSON.stringify({ ...file, statements, targets: found }));
  });

  test('the same rows are equal, divisions of whole numbers differ, and ties are a doubt', () => {
    expect(model.trials.map(({ result }) => result?.error ?? result?.status)).toEqual(model.trials.map(() => 'ok'));
    const divides = (target: string) => target === 'local-mariadb' || target === 'local-mongodb';
    for (const { target, otherAnswers } of model.cells)
      for (const { statement, outcome, other, why = '' } of otherAnswers) {
        const place = `${statement} on ${target} and ${other.target}: ${why}`;
        if (statement === 'rows') expect(outcome, place).toBe('equal');
        else if (statement === 'drawn') expect(outcome, place).toMatch(/^(?:equal|cannotTell)$/);
        else expect(outcome, place).toBe(divides(target) === divides(other.target) ? 'equal' : 'differ');
      }
    const asked = model.cells.map(({ otherAnswers }) =>
      Map.groupBy(otherAnswers, ({ isSampled = false }) => isSampled),
    );
    expect(asked.every((one) => one.get(false)!.length === 3 * (found.length - 1))).toBe(true);
    const sampled = asked.flatMap((one) => one.get(true)!.map(({ statement, outcome }) => `${statement} ${outcome}`));
    expect(sampled).toContain('rows equal');
    expect(sampled).not.toContain('rows differ');
  });

  test.runIf(whole)('targets with other answers have no verdict, and the terminal says why', () => {
    const { otherAnswers } = model.cells[0]!;
    if (!otherAnswers.some(({ outcome }) => outcome === 'differ')) return;
    const text = renderText(model);
    expect(text).toMatch(/“half” gives other answers than on .*: it returned other rows, for place = \d+\. The first/);
    expect(text).toContain('not comparable');
    const json = JSON.stringify(resultsJson(model));
    expect(json).toContain('"otherAnswers":[{');
    expect(json, 'answers themselves stay in the run file').not.toContain('givenAnswers');
  });
});

test.skipIf(isSkipped('embedded-postgres'))(
  'a text that answers otherwise only after many calls is not compared, and the terminal says when it did',
  async () => {
    const late = {
      'as it is': 'SELECT id, city FROM {stores} WHERE id = :day + 1',
      outer: 'SELECT id, max(city) AS city FROM {stores} WHERE id = :day + 1 GROUP BY id',
      nulls: 'SELECT id, city FROM {late} WHERE own = :day + 1',
    };
    const countCalls = `CREATE FUNCTION {later}(n bigint) RETURNS bigint LANGUAGE plpgsql AS $$
      DECLARE calls int := coalesce(nullif(current_setting('dyno.calls', true), ''), '0')::int;
      BEGIN PERFORM set_config('dyno.calls', (calls + 1)::text, false); RETURN n + (calls > 30)::int; END $$`;
    const setup = {
      later: { postgres: countCalls },
      late: { postgres: 'CREATE VIEW {late} AS SELECT {later}(id) AS id, city, id AS own FROM {stores}' },
    };
    // 20 calls come before the clock; a busy machine makes the others within a second.
    const measure = { until: { seconds: 1 }, repeats: 2, warmupSeconds: 1 };
    const model = await ran(yamlOf('embedded-postgres', { late }, { setup, measure, equal: { draws: 20 } }));
    expect(outcomesOf(model, 'nulls'), 'before the clock').toEqual({ late: 'equal' });
    const sampled = model.cells.map(({ sampledAnswers }) => sampledAnswers.map(({ outcome }) => outcome));
    expect(sampled).toEqual([[], ['equal'], ['differ']]);
    expect(model.cells.map(({ rowProblems }) => rowProblems.map(({ kind }) => kind))).toEqual([
      [],
      [],
      ['otherAnswers'],
    ]);
    const text = renderText(model);
    expect(text).toContain('“late” gives other answers than with Search: as it is in calls of the measured phase');
    expect(text).toMatch(/with the baseline \((\d+), \d\), here \(\d+, \d\)/);
    expect(text).toContain('not comparable');
    const json = JSON.stringify(resultsJson(model));
    expect(json).toContain('"sampledAnswers":[{');
    expect(json).not.toContain('"draws":[');
  },
);

test.skipIf(isSkipped('sqlite'))(
  'steps of transactions are sampled, and calls that find what others change are not, with the reason',
  async () => {
    const texts = { without: sql.without!, listed: sql.listed! };
    const { statements, ...file } = JSON.parse(yamlOf('sqlite', texts));
    const change = { text: 'UPDATE {sales} SET sold = 1 WHERE id = :day', parameters, expectRows: { min: 0 } };
    const transactions = { visit: { steps: ['listed', 'change'] } };
    const model = await ran(JSON.stringify({ ...file, statements: { ...statements, change }, transactions }));
    const [, { sampledAnswers }] = model.cells as [unknown, RunModel['cells'][number]];
    expect(sampledAnswers.map(({ statement, outcome, why }) => [statement, outcome, why])).toEqual([
      ['without', 'notChecked', 'the run changes rows of its tables while it measures'],
      ['listed', 'equal', undefined],
    ]);
    expect(model.caveats.map(({ title }) => title)).not.toContain('Answers not compared');
  },
);

test.skipIf(isSkipped('sqlite'))('the rows that differ stand side by side, with the values of their draw', async () => {
  const free = {
    'as it is': 'SELECT :day + 1 AS n',
    outer: 'SELECT 1 + :day AS n',
    nulls: 'SELECT :day + 2 AS n',
  };
  const model = await ran(yamlOf('sqlite', { without: sql.without!, free }));
  const { without, free: other } = answersOf(model, 'nulls');
  expect(other!.outcome).toBe('differ');
  expect(other!.difference!.digests.own).not.toBe(other!.difference!.digests.baseline);
  expect(other!.difference, 'rows of other tables than Dyno’s own are not kept').not.toHaveProperty('rows');
  expect(without!.difference!.parameters).toEqual([{ name: 'day', value: expect.stringMatching(/^\d$/) }]);
  const { columns, pairs } = without!.difference!.rows!;
  expect(columns).toEqual(['id']);
  expect(pairs.length).toBeGreaterThan(0);
  expect(pairs.every(({ baseline, own: row }) => baseline?.length === 1 && row === null)).toBe(true);
});

test.skipIf(isSkipped('sqlite'))('volatile texts and empty answers disqualify nobody and show nothing', async () => {
  const texts = {
    drawn: {
      'as it is': 'SELECT random() AS n FROM {stores} WHERE id = :day + 1',
      nulls: 'SELECT random() AS m FROM {stores} WHERE id = 1 + :day',
    },
    empty: {
      'as it is': 'SELECT id FROM {stores} WHERE id < 0 AND id = :day',
      nulls: 'SELECT id FROM {stores} WHERE id = -5 - :day',
    },
    writes: {
      'as it is': 'UPDATE {stores} SET city = 1 WHERE id = :day',
      nulls: 'UPDATE {stores} SET city = 2 WHERE id = :day',
    },
  };
  const model = await ran(yamlOf('sqlite', texts));
  expect(answersOf(model, 'nulls')).toMatchObject({
    drawn: { outcome: 'cannotTell', why: expect.stringContaining('random()') },
    empty: { outcome: 'cannotTell', why: expect.stringContaining('found a row') },
    writes: { outcome: 'notChecked', draws: 0, why: expect.stringContaining('may write') },
  });
  expect(model.cells.every(({ rowProblems }) => rowProblems.length === 0)).toBe(true);
  expect(model.caveats.map(({ title }) => title)).toContain('Answers not compared');
});

test.skipIf(isSkipped('sqlite') || !whole)('equal: false compares nothing', async () => {
  const model = await ran(yamlOf('sqlite', { without: sql.without! }, { equal: false }));
  expect(model.trials.every(({ result }) => result?.answers === undefined)).toBe(true);
});

test.skipIf(isSkipped('sqlite'))('a resumed run knows the answers of the trials before it', async () => {
  const run = await newTrustedRun({ home: own.home, yaml: yamlOf('sqlite', { without: sql.without! }) });
  run.on('record', (record) => {
    if (record.record === 'result' && record.result.variant === 'search=nulls') run.cancel();
  });
  await run.start();
  const resumed = await resumeTrusted({ home: own.home, file: run.file });
  await resumed.start();
  const model = await loadRun(own.home, run.file);
  expect(outcomesOf(model, 'nulls')).toEqual({ without: 'differ' });
  expect(outcomesOf(model, 'outer')).toEqual({ without: 'equal' });
});
