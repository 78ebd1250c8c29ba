import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import type { Shown } from '#analysis/findings/shared/finding.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { startTestServer } from '#managed-servers/test-server.fixture.ts';
import { smokeOf, whole } from '#platform/whole.fixture.ts';
import { dyno } from '../cli.fixture.ts';
import { keeping, sharedHome } from '../shared-home.fixture.ts';
import {
  evidenceOf,
  expectCells,
  findingsIn,
  journals,
  provoke,
  shownOf,
  writeExperiment,
} from './findings-on-servers.fixture.ts';

/** Findings about query plans. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const test = sharedHome(keeping('embedded-postgres', 'local-mariadb'));

const columns =
  '{ id: { type: sequence }, code: { type: sequence }, note: { type: text, length: 100 } }\n  indexes: [{ columns: [code] }]';
const find = (condition: string) =>
  `{ find: { text: 'SELECT id, note FROM {table} WHERE ${condition}', parameters: { code: { type: integer, min: 1, max: 40000 } } } }`;
const measure = '{ until: { seconds: 0.2 }, repeats: 1, warmupSeconds: 0.1 }';

/** The finding that each server's plan supports. One run has all of them, so that each server starts once. */
const confidences = Object.entries({
  'embedded-postgres': 'certain',
  sqlite: 'likely',
  'local-mariadb': 'certain',
}).filter(([target]) => !isSkipped(target));
const servers = confidences.map(([target]) => target);
const ofTarget = (claims: readonly Shown[], target: string) => claims.find(({ cell }) => cell?.target === target);

it('a look-up without its index reads all rows, and with it few', async () => {
  const found = await provoke(test.home, {
    rows: '40000',
    columns,
    workload: '{ operation: statement, method: bind }',
    statements: find('code = :code'),
    factors: '{ indexCreation: [none, afterLoad] }',
    targets: `[${servers.join()}]`,
    measure,
  });
  expectCells(
    found,
    'fullScan',
    servers.map((target) => `indexCreation=none on ${target}`),
  );
  expectCells(found, 'indexNotUsed', []);
  for (const [target, confidence] of confidences) {
    const claim = ofTarget(shownOf(found, 'fullScan'), target);
    expect(claim).toMatchObject({ confidence, claim: expect.stringContaining('the column code') as string });
    expect(evidenceOf(claim, 'Rows read')).toBe(40_000);
    expect(evidenceOf(claim, 'Rows wanted')).toBeLessThanOrEqual(1);
  }
});

it.runIf(whole)('an index does not help a condition that calculates with its column', async () => {
  const found = await provoke(test.home, {
    rows: '40000',
    columns,
    workload: '{ operation: statement, method: prepared }',
    // It holds for one row.
    statements: find('(code + 0) = :code'),
    factors: '{ indexCreation: [none, afterLoad] }',
    targets: `[${servers.join()}]`,
    measure,
  });
  expectCells(
    found,
    'indexNotUsed',
    servers.map((target) => `indexCreation=afterLoad on ${target}`),
  );
  for (const { claim } of shownOf(found, 'indexNotUsed')) expect(claim).toContain('calculates with code (+)');
});

const onPostgres = it.skipIf(isSkipped('embedded-postgres'));
const longOnPostgres = it.skipIf(isSkipped('embedded-postgres') || !whole);
longOnPostgres(
  'an expression without statistics has an estimate that is off, a column with statistics has none',
  async () => {
    const found = await provoke(test.home, {
      rows: '40000',
      columns,
      workload: '{ operation: statement, method: bind }',
      statements: `{ find: { text: 'SELECT count(note) FROM {table} WHERE code % 2 = :r', parameters: { r: { type: integer, min: 0, max: 1 } } } }`,
      targets: '[embedded-postgres]',
      measure,
    });
    expectCells(found, 'estimatesOff', ['default on embedded-postgres']);
    const [claim] = shownOf(found, 'estimatesOff');
    expect(evidenceOf(claim, 'Rows counted')).toBe(20_000);
    expect(evidenceOf(claim, 'Factor')).toBeGreaterThan(10);
    const known = await provoke(test.home, {
      rows: '40000',
      columns,
      workload: '{ operation: statement, method: bind }',
      statements: `{ find: { text: 'SELECT count(note) FROM {table} WHERE code < :code', parameters: { code: { type: integer, min: 10000, max: 30000 } } } }`,
      targets: '[embedded-postgres]',
      measure,
    });
    expectCells(known, 'estimatesOff', []);
  },
);

onPostgres('one plan for all values is slow for rare ones, and shown only where the values differ', async () => {
  const jobs = (state: string) =>
    `{ text: 'SELECT id, note FROM {table} WHERE state = :state ORDER BY id LIMIT 100', parameters: { state: { type: oneOf, values: [${state}] } } }`;
  // Settings of sessions are asked for, unlike statements of Dyno’s own tables.
  const runWith = async (weights: string) => {
    const file = writeExperiment(test.home, {
      rows: '40000',
      columns: `{ id: { type: sequence }, state: { type: oneOf, values: [done, waiting, open], weights: ${weights} }, note: { type: text, length: 60 } }\n  indexes: [{ columns: [state] }]`,
      workload: '{ operation: statement, method: prepared, indexCreation: afterLoad }',
      statements: `{ waiting: ${jobs('waiting')}, open: ${jobs('open')} }`,
      factors:
        '{ plan: { each: { session: { postgres: { plan_cache_mode: force_custom_plan } } }, all: { session: { postgres: { plan_cache_mode: force_generic_plan } } } } }',
      targets: '[embedded-postgres]',
      measure,
    });
    const { out, err } = await dyno(test.home, 'run', file, '--trust');
    return findingsIn(`${out}\n${err}`);
  };
  const found = await runWith('[4900, 5095, 5]');
  expectCells(found, 'planIgnoresValues', ['plan=all on embedded-postgres']);
  const [claim] = shownOf(found, 'planIgnoresValues');
  expect(claim).toMatchObject({ confidence: 'certain' });
  expect(evidenceOf(claim, 'Rows read by “open”')).toBeGreaterThan(10_000);
  // Values that are as frequent as each other take as long as each other.
  expectCells(await runWith('[1, 1, 1]'), 'planIgnoresValues', []);
});

const sorters = servers.filter((target) => target !== 'sqlite');
it.skipIf(sorters.length === 0)('a sort spills in little memory, and not in much', async () => {
  const found = await provoke(test.home, {
    rows: '20000',
    columns,
    workload: '{ operation: scan, orderBy: note, indexCreation: none }',
    factors: '{ sortMemoryKb: [128, 65536] }',
    targets: `[${sorters.join()}]`,
    measure,
  });
  expectCells(
    found,
    'spilled',
    sorters.map((target) => `sortMemoryKb=128 on ${target}`),
  );
});

longOnPostgres('what LIMIT, EXISTS and combined bitmaps leave uncounted is no wrong estimate', async () => {
  const found = await provoke(test.home, {
    rows: '40000',
    columns:
      '{ id: { type: sequence }, code: { type: sequence }, grp: { type: integer, min: 1, max: 400 }, note: { type: text, length: 40 } }\n  indexes: [{ columns: [code] }, { columns: [grp] }]',
    workload: '{ operation: statement, method: bind }',
    statements: `{
      first: { text: "SELECT id FROM {table} WHERE note > '' LIMIT 3" },
      any: { text: "SELECT 1 WHERE EXISTS (SELECT 1 FROM {table} WHERE note > '')" },
      either: { text: 'SELECT note FROM {table} WHERE grp = :grp OR code = 5', parameters: { grp: { type: integer, min: 1, max: 400 } } } }`,
    targets: '[embedded-postgres]',
    measure,
  });
  expectCells(found, 'estimatesOff', []);
  expectCells(found, 'fullScan', []);
});

longOnPostgres('a scan that LIMIT stops is told with the rows that it read, and not as the whole table', async () => {
  const found = await provoke(test.home, {
    rows: '40000',
    columns: '{ id: { type: sequence }, code: { type: sequence }, note: { type: text, length: 100 } }',
    workload: '{ operation: statement, method: bind }',
    statements: `{ find: { text: 'SELECT note FROM {table} WHERE code = :code LIMIT 1', parameters: { code: { type: integer, min: 15000, max: 25000 } } } }`,
    targets: '[embedded-postgres]',
    measure,
  });
  expectCells(found, 'fullScan', ['default on embedded-postgres']);
  const [claim] = shownOf(found, 'fullScan');
  expect(claim?.claim).toMatch(/reads [\d,]+ rows of table, until a step above wants no more, to find 1/);
  expect(evidenceOf(claim, 'Rows read')).toBeGreaterThanOrEqual(15_000);
  expect(evidenceOf(claim, 'Rows read')).toBeLessThan(40_000);
});

/** Conditions that convert an indexed text column, or call a function with it, with the expected texts. */
const wrappings = [
  ['embedded-postgres', 'lower(label) = :label', /calls lower\(\) with label/],
  ['local-mariadb', 'label = :n', /converts label to a number/],
  ['local-derby', 'LOWER(label) = :label', /calls LOWER\(\) with label/],
] as const;

it.each(smokeOf(wrappings))('on %s an index does not help where %s', async (target, condition, said) => {
  if (isSkipped(target)) return;
  await using _ = await keeping(target)(test.home);
  const used = condition.includes(':n')
    ? '{ n: { type: integer, min: 1, max: 40000 } }'
    : '{ label: { type: text, length: 12 } }';
  const yaml = (where: string, given: string) => ({
    rows: '20000',
    columns:
      '{ id: { type: sequence }, label: { type: text, length: 12 }, note: { type: text, length: 60 } }\n  indexes: [{ columns: [label] }]',
    workload: '{ operation: statement, method: prepared, indexCreation: afterLoad }',
    statements: `{ find: { text: 'SELECT id, note FROM {table} WHERE ${where}', parameters: ${given} } }`,
    targets: `[${target}]`,
    measure,
  });
  const found = await provoke(test.home, yaml(condition, used));
  expectCells(found, 'indexNotUsed', [`default on ${target}`]);
  expect(shownOf(found, 'indexNotUsed')[0]?.claim).toMatch(said);
  expectCells(found, 'fullScan', []);
  const silent = await provoke(test.home, yaml('label = :label', '{ label: { type: text, length: 12 } }'));
  expectCells(silent, 'indexNotUsed', []);
});

it.skipIf(isSkipped('local-derby') || !whole)(
  'on Derby a look-up without its index reads all rows, and with it few',
  async () => {
    const found = await provoke(test.home, {
      rows: '20000',
      columns,
      workload: '{ operation: statement, method: prepared }',
      statements: find('code = :code'),
      factors: '{ indexCreation: [none, afterLoad] }',
      targets: '[local-derby]',
      measure,
    });
    expectCells(found, 'fullScan', ['indexCreation=none on local-derby']);
    expect(evidenceOf(shownOf(found, 'fullScan')[0], 'Rows read')).toBe(20_000);
  },
);

it.skipIf(isSkipped('local-ravendb') || !whole)(
  'on RavenDB a filter reads the whole collection, and an index few documents',
  async () => {
    await using _ = await keeping('local-ravendb')(test.home);
    const yaml = (text: string) => ({
      rows: '3000',
      columns: '{ id: { type: sequence }, code: { type: sequence } }',
      workload: '{ operation: statement, method: bind }',
      statements: `{ find: { text: "${text}", parameters: { code: { type: integer, min: 1, max: 3000 } } } }`,
      targets: '[local-ravendb]',
      measure,
    });
    const found = await provoke(test.home, yaml('from {table} filter code = $code'));
    expectCells(found, 'fullScan', ['default on local-ravendb']);
    expect(evidenceOf(shownOf(found, 'fullScan')[0], 'Rows read')).toBe(3_000);
    expectCells(await provoke(test.home, yaml('from {table} where code = $code')), 'fullScan', []);
  },
);

longOnPostgres('look-ups that a transaction makes one by one are told, and not where it makes few', async () => {
  const yaml = (times: number) => ({
    rows: '20000',
    columns,
    workload: '{ operation: statement, method: prepared }',
    statements: `{ look: { text: 'SELECT note FROM {table} WHERE id = :id', parameters: { id: { type: key } } } }
transactions: { order: { steps: [{ steps: [look], times: ${times} }] } }`,
    targets: '[embedded-postgres]',
    measure,
  });
  const found = await provoke(test.home, yaml(20));
  expectCells(found, 'nPlusOne', ['default on embedded-postgres']);
  expect(evidenceOf(shownOf(found, 'nPlusOne')[0], 'Look-ups in a transaction')).toBe(20);
  expect(shownOf(found, 'nPlusOne')[0]?.confirm).not.toBeNull();
  expectCells(await provoke(test.home, yaml(2)), 'nPlusOne', []);
});

longOnPostgres('a plan that another setting changes between two repeats is told, with its cost', async () => {
  await using server = await startTestServer();
  const { host, port, user, password, database } = server.raw;
  vi.stubEnv('DYNO_TEST_PLANS', String(password));
  const before = journals(test.home).length;
  const run = provoke(test.home, {
    rows: '40000',
    columns,
    workload: '{ operation: statement, method: prepared }',
    statements: find('code = :code'),
    targets: `[{ name: changing, engine: postgres, host: ${host}, port: ${port}, user: ${user}, database: ${database}, password: "\${env:DYNO_TEST_PLANS}" }]`,
    measure: '{ until: { seconds: 0.5 }, repeats: 3, warmupSeconds: 0.1 }',
  });
  const firstResult = () => {
    const journal = journals(test.home)[before];
    return journal !== undefined && readFileSync(journal, 'utf8').includes('"record":"result"');
  };
  await vi.waitUntil(firstResult, { timeout: 60_000, interval: 20 });
  await using admin = await connectedClient(server.admin);
  for (const setting of ['enable_indexscan', 'enable_bitmapscan', 'enable_indexonlyscan'])
    await admin.query(`ALTER ROLE ${pg.escapeIdentifier(String(user))} SET ${setting} = off`);
  const found = await run;
  expectCells(found, 'planChanged', ['default on changing']);
  const [claim] = shownOf(found, 'planChanged');
  expect(claim?.claim).toMatch(/“Index Scan” on table, .*“Seq Scan” on table/);
  expect(claim?.explains).toBeGreaterThan(0.5);
});

it.runIf(whole)('an unchanged plan is not reported as changed', async () => {
  const found = await provoke(test.home, {
    columns,
    workload: '{ operation: readByKey }',
    targets: `[${servers.join()}]`,
    measure: '{ until: { seconds: 0.2 }, repeats: 2, warmupSeconds: 0.1 }',
  });
  for (const rule of ['planChanged', 'fullScan', 'indexNotUsed', 'estimatesOff', 'spilled'] as const)
    expectCells(found, rule, []);
});

it.skipIf(isSkipped('local-mongodb') || !whole)(
  'on MongoDB a find without its index examines all documents',
  async () => {
    const command = JSON.stringify({ find: '{table}', filter: { code: '$code' } });
    const found = await provoke(test.home, {
      rows: '20000',
      columns,
      workload: '{ operation: statement, method: bind }',
      statements: `{ find: { text: '${command}', parameters: { code: { type: integer, min: 1, max: 20000 } } } }`,
      factors: '{ indexCreation: [none, afterLoad] }',
      targets: '[local-mongodb]',
      measure,
    });
    expectCells(found, 'fullScan', ['indexCreation=none on local-mongodb']);
    expect(shownOf(found, 'fullScan')[0]).toMatchObject({ confidence: 'certain' });
  },
);

longOnPostgres(
  'a delete reads the whole of a table whose foreign key has no index, and with it next to nothing',
  async () => {
    const yaml = (indexes: string) => ({
      rows: '20000',
      // Only the first parents have children, so the others can be deleted.
      columns: `{ id: { type: sequence }, parent: { type: reference, table: parents, distribution: sequential, children: 20 } }${indexes}
tables:
  parents: { rows: 40000, key: id, columns: { id: { type: sequence }, note: { type: text, length: 20 } } }`,
      workload: '{ operation: statement, method: bind }',
      statements:
        "{ remove: { text: 'DELETE FROM {parents} WHERE id = :id', parameters: { id: { type: integer, min: 2000, max: 40000 } } } }",
      targets: '[embedded-postgres]',
      measure: '{ until: { seconds: 0.5 }, repeats: 1, warmupSeconds: 0.1 }',
    });
    const found = await provoke(test.home, yaml(''));
    expectCells(found, 'foreignKeyWithoutIndex', ['default on embedded-postgres']);
    const [claim] = shownOf(found, 'foreignKeyWithoutIndex');
    expect(evidenceOf(claim, 'Rows read for each delete')).toBeGreaterThan(10_000);
    expectCells(await provoke(test.home, yaml('\n  indexes: [{ columns: [parent] }]')), 'foreignKeyWithoutIndex', []);
  },
);
