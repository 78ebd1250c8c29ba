import { expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { descriptor } from '#engines/sqlite/descriptor.ts';
import { testHome } from './home.fixture.ts';
import { runShop, shop } from './on-servers/shop.fixture.ts';

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000 });

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
    const mutable = descriptor as { uuids: typeof own }; // as another engine does
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

test('a row that a check finds fails the trial, and the error shows the row', async () => {
  await using test = testHome();
  const yaml = JSON.parse(shop('sqlite'));
  yaml.checks['nothing-is-bought-back'].text.sqlite = 'SELECT id, pieces FROM {sales} WHERE id <= 3 ORDER BY id';
  const [result] = await runShop(test.home, JSON.stringify(yaml));
  expect(result).toMatchObject({
    status: 'failed',
    error: {
      kind: 'wrongResult',
      message: expect.stringMatching(
        /^A check does not hold: “nothing-is-bought-back” found 3 rows, the first: id 1, pieces \d\.$/,
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
    first: { text: 'SELECT s.id FROM {sales} s CROSS JOIN {stores} t CROSS JOIN {stores} u' },
    second: { text: 'SELECT id FROM {stores} LIMIT 2' },
    third: { text: { default: 'SELECT id FROM {sales} WHERE id < 0', mysql: 'SELECT 1' } },
  };
  const [result] = await runShop(test.home, JSON.stringify(yaml));
  expect(result!.checks!.map(({ found }) => found!.rows.length)).toEqual([5, 2, 0]);
  expect(result!.error!.message).toMatch(
    /^Checks do not hold: “first” found 1,000 rows and more, .*“second” found 2 rows/,
  );

  yaml.checks.second.text = 'SELECT nothing FROM {stores}';
  const [broken] = await runShop(test.home, JSON.stringify(yaml));
  expect(broken).toMatchObject({
    status: 'failed',
    error: { kind: 'syntax', message: expect.stringMatching(/^The check “second” could not be asked: .*nothing/) },
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
  // Users who think go on after an error; without think time the first one fails the trial.
  delete yaml.workload.thinkMs;
  delete yaml.checks;
  const results = await runShop(test.home, JSON.stringify(yaml));
  const found = results.map(({ variant, status, error }) => [variant, `${status} ${error?.message ?? ''}`]);
  expect(Object.fromEntries(found)).toEqual({
    'foreignKeys=true': expect.stringMatching(/^failed .*FOREIGN KEY constraint failed/),
    'foreignKeys=false': 'ok ',
  });
});
