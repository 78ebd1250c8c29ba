import { describe, expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { descriptor } from '#engines/sqlite/descriptor.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { createRun } from '#orchestrator/run/run.ts';
import { tryOnce } from '#orchestrator/try/try-once.ts';
import type { Home } from '#platform/paths.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { testHome } from './home.fixture.ts';
import { testedServers } from './tested-servers.fixture.ts';

// Real servers, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

/** One text for SQL; the emulator for Oracle wants names as the dictionary has them. */
const sql = (text: string) => ({
  ...Object.fromEntries(['sqlite', 'postgres', 'mysql', 'drda'].map((engine) => [engine, text])),
  oracle: text.replaceAll(/(?<![:{\w])(id|store|article|pieces|price)\b/g, (name) => `"${name.toUpperCase()}"`),
});

/** Three tables that refer to each other, rows added to the last, and checks for rows that cannot be there. */
const shop = (targets: string, more: object = {}) =>
  JSON.stringify({
    dyno: 1,
    name: 'Shop',
    question: 'Does it sell?',
    tables: {
      stores: {
        rows: 20,
        key: 'id',
        columns: { id: { type: 'uuidSequential' }, city: { type: 'name', what: 'city' } },
      },
      articles: {
        rows: 50,
        key: 'id',
        columns: { id: { type: 'code', pattern: 'A-####' }, price: { type: 'decimal', precision: 8 } },
        indexes: [{ columns: ['price'] }],
      },
      sales: {
        rows: 300,
        key: 'id',
        columns: {
          id: { type: 'sequence' },
          store: { type: 'reference', table: 'stores', distribution: 'zipf' },
          article: { type: 'reference', table: 'articles' },
          pieces: { type: 'integer', min: 1, max: 9 },
        },
      },
    },
    workload: { operation: 'statement', method: 'bind', connections: 2, processes: 2 },
    statements: {
      sell: {
        text: {
          ...sql('INSERT INTO {sales} (id, store, article, pieces) VALUES (:id, :store, :article, 1)'),
          mongodb:
            '{ "insert": "{sales}", "documents": [{ "_id": "$id", "store": "$store", "article": "$article", "pieces": 1 }] }',
          ravendb: "from {sales} where article = $article and store != $store and 'id' != $id",
        },
        parameters: {
          id: { type: 'newKey', table: 'sales' },
          store: { type: 'key', table: 'stores' },
          article: { type: 'key', table: 'articles', keyDistribution: 'zipf' },
        },
      },
      of_store: {
        text: {
          ...sql(
            'SELECT a.price FROM {sales} s JOIN {articles} a ON a.id = s.article JOIN {stores} t ON t.id = s.store WHERE t.id = :store',
          ),
          mongodb: '{ "find": "{sales}", "filter": { "store": "$store" } }',
          ravendb: 'from {sales} where store = $store',
        },
        parameters: { store: { type: 'key', table: 'stores' } },
      },
    },
    checks: {
      'no-store-is-unknown': {
        text: {
          ...sql('SELECT s.id FROM {sales} s LEFT JOIN {stores} t ON t.id = s.store WHERE t.id IS NULL'),
          mongodb:
            '{ "aggregate": "{sales}", "pipeline": [{ "$lookup": { "from": "{stores}", "localField": "store", "foreignField": "_id", "as": "of" } }, { "$match": { "of": { "$size": 0 } } }], "cursor": {} }',
        },
      },
      'nothing-is-bought-back': {
        text: {
          ...sql('SELECT id, pieces FROM {sales} WHERE pieces < 1'),
          mongodb: '{ "find": "{sales}", "filter": { "pieces": { "$lt": 1 } } }',
          ravendb: 'from {sales} where pieces < 1',
        },
      },
    },
    targets: [targets],
    measure: { until: { seconds: 0.5 }, repeats: 1, warmupSeconds: 0.2 },
    ...more,
  });

async function runShop(home: Home, yaml: string): Promise<readonly TrialResult[]> {
  const run = await createRun({ home, yaml });
  const { results } = collect(run);
  await run.start();
  return results();
}

describe.each(testedServers)('on %s', (engine, target) => {
  test('tables are made, sold from, checked and dropped', async () => {
    await using test = testHome();
    const [result] = await runShop(test.home, shop(target));
    expect(result?.error).toBeNull();
    expect(result?.status).toBe('ok');
    expect(result!.totals.errors).toEqual({});
    const held = { count: 0 };
    expect(Object.fromEntries(result!.checks!.map(({ name, found }) => [name, found]))).toMatchObject({
      'no-store-is-unknown': engine === 'ravendb' ? null : held,
      'nothing-is-bought-back': held,
    });
    const reports = await tryOnce({
      home: test.home,
      yaml: shop(target),
      onActivity: () => {},
      signal: AbortSignal.timeout(60_000),
    });
    expect(reports.flatMap(({ error, statements }) => [error, ...statements.map((one) => one.error)])).toSatisfy(
      (errors: readonly ({ readonly kind: string } | null)[]) =>
        errors.every((error) => error === null || error.kind === 'unsupported'),
    );
  });
});

test.skipIf(isSkipped('sqlite')).each([
  ['bytes', '7'],
  ['lastSixBytesFirst', '8'],
] as const)(
  'sequential uuids, and what refers to them, are those that ascend on the engine: %s',
  async (order, version) => {
    await using test = testHome();
    const yaml = JSON.parse(shop('sqlite'));
    yaml.checks.version = { text: `SELECT hex(id) FROM {stores} WHERE substr(hex(id), 13, 1) <> '${version}'` };
    const own = descriptor.uuids;
    const mutable = descriptor as { uuids: typeof own }; // as if the engine were another one
    mutable.uuids = { ...own, order };
    try {
      const [result] = await runShop(test.home, JSON.stringify(yaml));
      expect(result?.error).toBeNull();
      expect(result?.checks).toMatchObject([
        { name: 'no-store-is-unknown', found: { count: 0 } },
        { name: 'nothing-is-bought-back', found: { count: 0 } },
        { name: 'version', found: { count: 0 } },
      ]);
    } finally {
      mutable.uuids = own;
    }
  },
);

test('a row that a check finds fails the trial, and says which', async () => {
  await using test = testHome();
  const yaml = JSON.parse(shop('sqlite'));
  yaml.checks['nothing-is-bought-back'].text.sqlite = 'SELECT id, pieces FROM {sales} WHERE id <= 3 ORDER BY id';
  const [result] = await runShop(test.home, JSON.stringify(yaml));
  expect(result).toMatchObject({
    status: 'failed',
    error: {
      kind: 'wrongResult',
      message: expect.stringMatching(
        /^A check does not hold: `nothing-is-bought-back` found 3 rows, the first: id 1, pieces \d\.$/,
      ),
    },
    checks: [
      { name: 'no-store-is-unknown', found: { count: 0 } },
      {
        name: 'nothing-is-bought-back',
        found: { count: 3, columns: ['id', 'pieces'], rows: expect.objectContaining({ length: 3 }) },
      },
    ],
  });
});

test('all checks are asked, whatever the first finds; one that the server cannot read is named', async () => {
  await using test = testHome();
  const yaml = JSON.parse(shop('sqlite'));
  yaml.checks = {
    first: { text: 'SELECT id FROM {sales}' },
    second: { text: 'SELECT id FROM {stores} LIMIT 2' },
    third: { text: { default: 'SELECT id FROM {sales} WHERE id < 0', mysql: 'SELECT 1' } },
  };
  const [result] = await runShop(test.home, JSON.stringify(yaml));
  expect(result!.checks!.map(({ found }) => found!.rows.length)).toEqual([5, 2, 0]);
  expect(result!.error!.message).toMatch(/^Checks do not hold: `first` found [\d,\s]+ rows, .*`second` found 2 rows/);

  yaml.checks.second.text = 'SELECT nothing FROM {stores}';
  const [broken] = await runShop(test.home, JSON.stringify(yaml));
  expect(broken).toMatchObject({
    status: 'failed',
    error: { kind: 'syntax', message: expect.stringMatching(/^The check `second` could not be asked: .*nothing/) },
  });
});

test('without foreign keys nothing is checked: they are a factor like any other', async () => {
  await using test = testHome();
  const yaml = JSON.parse(shop('sqlite'));
  yaml.statements = {
    sell: {
      text: "INSERT INTO {sales} (id, store, article, pieces) VALUES (:id, X'00', 'nothing', 1)",
      parameters: { id: { type: 'newKey', table: 'sales' } },
    },
  };
  yaml.factors = { foreignKeys: [true, false] };
  delete yaml.checks;
  const results = await runShop(test.home, JSON.stringify(yaml));
  const found = results.map(({ variant, status, error }) => [variant, `${status} ${error?.message ?? ''}`]);
  expect(Object.fromEntries(found)).toEqual({
    'foreignKeys=true': expect.stringMatching(/^failed .*FOREIGN KEY constraint failed/),
    'foreignKeys=false': 'ok ',
  });
});
