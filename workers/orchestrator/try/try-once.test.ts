import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type TestHome, testHome } from '#integration/home.fixture.ts';
import { trusted, tryTrusted } from '#integration/trusted.fixture.ts';
import type { TriedItem } from '#model/statements/statements.ts';
import { deadRunsTables } from '../run/leftovers.ts';
import { ownTablesOf } from './ask-target.ts';

let home: TestHome;
beforeEach(() => {
  home = testHome();
});
afterEach(() => home[Symbol.asyncDispose]());

const folder = () => join(home.home.root, 'data');
const file = () => join(folder(), 'dyno.sqlite');

/** The target's file contains a table of the user's, which has to be marked as Dyno's. */
function withOwnTable(): DatabaseSync {
  mkdirSync(folder(), { recursive: true });
  const database = new DatabaseSync(file());
  database.exec('PRAGMA application_id = 0x44594e4f');
  database.exec("CREATE TABLE mine (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO mine VALUES (1, 'a'), (2, 'b')");
  return database;
}

const yaml = (statement: object, more: object = {}) =>
  JSON.stringify({
    dyno: 1,
    name: 'Tried',
    question: 'Does it work?',
    workload: { operation: 'statement', method: 'bind' },
    statements: { it: statement },
    targets: [{ name: 'here', engine: 'sqlite', path: folder() }],
    ...more,
  });

const attempt = (statement: object, more: object = {}, items?: readonly TriedItem[]) =>
  tryTrusted({
    home: home.home,
    yaml: yaml(statement, more),
    folder: home.home.root,
    ...(items && { items }),
    signal: new AbortController().signal,
    onActivity: () => {},
  });

const stateOf = (database: DatabaseSync) => [
  database.prepare('SELECT * FROM mine').all(),
  database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all(),
];

const undone: readonly (readonly [text: string, rows: number | null])[] = [
  ['DELETE FROM mine', 2],
  ['UPDATE mine SET name = :name WHERE id = 1', 1],
  ["INSERT INTO mine VALUES (3, 'c')", 1],
  ["INSERT INTO mine VALUES (3, 'c') RETURNING id", 1],
  ['DROP TABLE mine', null],
  ['CREATE TABLE other (id INTEGER)', null],
];
const refused = ['REINDEX', 'VACUUM', "ATTACH 'x' AS y"];

test('what changes something is shown and undone; what could not be undone is not run', async () => {
  using database = withOwnTable();
  const before = stateOf(database);
  const parametersOf = (text: string) => (text.includes(':name') ? { name: { type: 'text', length: 5 } } : {});
  const texts = [...undone.map(([text]) => text), ...refused];
  const statements = Object.fromEntries(texts.map((text, i) => [`s${i}`, { text, parameters: parametersOf(text) }]));
  const reports = await attempt({}, { statements });
  expect(reports.map(({ item }) => item.name)).toEqual(Object.keys(statements));
  for (const [i, [text, rows]] of undone.entries()) {
    const [tried] = reports[i]!.statements;
    expect(tried, text).toMatchObject({ error: null, isRead: false });
    if (rows !== null) expect(tried!.shown!.count, text).toBe(rows);
  }
  for (const { statements: tried } of reports.slice(undone.length))
    expect(tried[0], tried[0]!.text).toMatchObject({ shown: null, error: { kind: 'unsupported' } });
  expect(stateOf(database)).toEqual(before);
});

test('the query of a parameter that may write is not run, at any level, and the report says why', async () => {
  using database = withOwnTable();
  const before = stateOf(database);
  const wipes = { b: { type: 'query', text: 'DELETE FROM mine WHERE id = 1 RETURNING id' } };
  const reads = { b: { type: 'query', text: 'SELECT max(id) FROM mine' } };
  const look = { text: 'SELECT :b AS found' };
  const levels: readonly (readonly [object, object, string])[] = [
    [{ ...look, parameters: wipes }, {}, 'it b'],
    [look, { transactions: { all: { steps: ['it'], parameters: wipes } } }, 'all b'],
    [look, { transactions: { all: { steps: [{ steps: ['it'], parameters: wipes }] } } }, 'all[0] b'],
    [look, { scenarios: { users: { steps: ['it'], parameters: wipes } } }, 'it b'],
  ];
  for (const [statement, more, id] of levels) {
    const [report] = await attempt(statement, more);
    const message = `The query of the parameter “${id}” may write, and a try runs none that does. It begins with DELETE`;
    expect(report).toMatchObject({ statements: [], error: { kind: 'unsupported' } });
    expect(report!.error!.message).toContain(message);
  }
  const [report] = await attempt({ ...look, parameters: reads });
  expect(report!.statements[0]).toMatchObject({ error: null, shown: { rows: [['2']] } });
  expect(stateOf(database)).toEqual(before);
});

const endless = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)';

test('of an answer without end the first rows are shown, and the others stay at the server', async () => {
  const [report] = await attempt({ text: `${endless} SELECT i, printf('%.5000c', 'x') AS long FROM n` });
  const [tried] = report!.statements;
  expect(tried).toMatchObject({ error: null, shown: { count: 100, hasMore: true } });
  expect(tried!.shown!.rows).toHaveLength(100);
  expect(tried!.shown!.rows[0]![1]!.length, 'long values are shortened').toBeLessThan(2_100);
});

test('rows beyond those that are shown count for what the file expects', async () => {
  const statements = {
    fewer: { text: `${endless} SELECT i FROM n`, expectRows: 5 },
    more: { text: `${endless} SELECT i FROM n LIMIT 150`, expectRows: 150 },
  };
  const [fewer, more] = await attempt({}, { statements });
  expect(fewer!.statements[0]!.error).toMatchObject({
    kind: 'wrongResult',
    message: '“fewer” returned 100 rows and more; 5 expected.',
  });
  expect(more!.statements[0]).toMatchObject({ error: null, asExpected: true, shown: { count: 150 } });
  expect(more!.statements[0]!.shown!.rows).toHaveLength(100);
});

test('a statement without end is left at the time limit of the trials, also where its driver hangs', async () => {
  const measure = { until: { seconds: 1 }, warmupSeconds: 0, timeoutSeconds: 1.5 };
  const statements = {
    never: { text: `${endless} SELECT i FROM n WHERE i < 0` },
    after: { text: 'SELECT 1' },
  };
  const [never, after] = await attempt({}, { statements, measure });
  expect(never!.error).toMatchObject({ kind: 'timeout', message: expect.stringContaining('within 1.5 s') });
  expect(after!.statements[0], 'what comes after it has a connection of its own').toMatchObject({ error: null });
});

test('transaction control is not tried: the message has the transaction that would be right', async () => {
  const statements = { a: { text: 'BEGIN' }, b: { text: 'SELECT 1' }, c: { text: 'END' } };
  await expect(attempt({}, { statements })).rejects.toThrow('Write these as a transaction: transactions: {');
});

test('a failed step ends a transaction, and nothing of it stays', async () => {
  using database = withOwnTable();
  const before = stateOf(database);
  const [report] = await attempt(
    { text: 'DELETE FROM mine' },
    {
      statements: {
        first: { text: 'DELETE FROM mine' },
        second: { text: 'SELECT nothing' },
        third: { text: 'SELECT 1' },
      },
      transactions: { all: { steps: ['first', 'second', 'third'] } },
    },
  );
  expect(report!.item).toEqual({ kind: 'statement', name: 'all' });
  expect(report!.statements.map(({ error }) => error?.kind ?? null)).toEqual([null, 'syntax', 'cancelled']);
  expect(stateOf(database)).toEqual(before);
});

test('rows, values and plan are shown; parameters come from keys, CSV files and queries', async () => {
  mkdirSync(home.home.root, { recursive: true });
  writeFileSync(join(home.home.root, 'words.csv'), 'word,n\nalpha,1\nbeta,2\n');
  const parameters = {
    id: { type: 'key' },
    word: { type: 'csv', file: 'words.csv', column: 'word' },
    largest: { type: 'query', text: 'SELECT max(id) FROM {table}' },
  };
  const [report] = await attempt(
    { text: 'SELECT id, :word AS word, :largest AS largest FROM {table} WHERE id = :id', parameters, expectRows: 1 },
    { dataset: { rows: 5_000, key: 'id', columns: { id: { type: 'sequence', start: 1 } } } },
  );
  const [tried] = report!.statements;
  expect(tried).toMatchObject({ error: null, isRead: true, asExpected: true });
  expect(tried!.shown!.columns).toEqual(['id', 'word', 'largest']);
  const [[id, word, largest] = []] = tried!.shown!.rows;
  expect(tried!.parameters.find(({ name }) => name === 'id')!.value).toBe(id);
  expect(['alpha', 'beta']).toContain(word);
  expect(largest, 'a thousand rows at most').toBe('1000');
  expect(tried!.plan).toContain('dyno_');
  using database = new DatabaseSync(file());
  expect(database.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'dyno%'").all()).toEqual([]);
});

test('a statement is tried as the run runs it: by its variant, with the indexes that the run makes', async () => {
  const dataset = {
    rows: 5_000,
    key: 'id',
    columns: { id: { type: 'sequence', start: 1 }, n: { type: 'integer', min: 1, max: 1_000 } },
    indexes: [{ columns: ['n'] }],
  };
  const parameters = { n: { type: 'integer', min: 1, max: 1_000 } };
  const text = 'SELECT id, :n AS n FROM {table} WHERE n = :n';
  const factors = { method: ['literal', 'prepared'], indexCreation: ['afterLoad', 'none'] };
  const tried = async (variant?: string) => {
    const [report] = await tryTrusted({
      home: home.home,
      yaml: yaml({ text, parameters }, { dataset, factors }),
      folder: home.home.root,
      ...(variant && { variant }),
      signal: new AbortController().signal,
      onActivity: () => {},
    });
    return report!;
  };
  const usual = await tried();
  expect(usual.statements[0]).toMatchObject({ error: null, plan: expect.stringMatching(/SEARCH .* USING .*INDEX/) });
  expect(usual.as).toEqual({
    variant: expect.stringContaining('literal'),
    others: 3,
    smaller: [{ table: 'table', rows: 1_000, rowsInRun: 5_000 }],
  });
  const other = await tried('method=prepared indexCreation=none');
  expect(other.as!.variant).toContain('prepared');
  expect(other.statements[0]!.plan, 'the run has no index there').toContain('SCAN');
  await expect(tried('method=magic')).rejects.toThrow('The experiment has no variant of statements “method=magic”.');
});

test('every step of a transaction is tried, with what its scenario shares and what steps before have answered', async () => {
  using database = withOwnTable();
  const before = stateOf(database);
  const [report] = await attempt(
    { text: 'SELECT id + 40 AS n FROM mine WHERE id = :who' },
    {
      statements: {
        find: { text: 'SELECT id + 40 AS n FROM mine WHERE id = :who' },
        insert: { text: 'INSERT INTO mine VALUES (:n, :name)', parameters: { name: { type: 'text', length: 3 } } },
        never: { text: 'SELECT :k', parameters: { k: { type: 'integer', min: 7, max: 7 } } },
      },
      transactions: {
        all: {
          parameters: { n: { type: 'captured', from: 'find', column: 'n' } },
          steps: ['find', { steps: ['insert'], times: { min: 2, max: 5 } }, { steps: ['never'], probability: 0 }],
        },
      },
      scenarios: { it: { parameters: { who: { type: 'integer', min: 2, max: 2 } }, steps: ['all'] } },
    },
  );
  const steps = report!.statements.map(({ name, parameters, error }) => ({ ...valuesOf(parameters), name, error }));
  expect(steps).toMatchObject([
    { name: 'find', who: '2', error: null },
    { name: 'insert', who: '2', n: '42', error: null },
    { name: 'never', k: '7', error: null },
  ]);
  expect(steps[0]).not.toHaveProperty('n');
  expect(stateOf(database)).toEqual(before);
});

test('a captured decimal is the value that the column has', async () => {
  const [report] = await attempt(
    { text: 'SELECT price FROM {table}' },
    {
      dataset: {
        rows: 1,
        columns: { price: { type: 'decimal', precision: 10, scale: 3, min: 12.125, max: 12.125 } },
      },
      statements: {
        ask: { text: 'SELECT price FROM {table}' },
        same: { text: 'SELECT count(*) AS n FROM {table} WHERE price = :price' },
      },
      transactions: {
        it: {
          parameters: { price: { type: 'captured', from: 'ask', column: 'price', as: 'decimal', scale: 3 } },
          steps: ['ask', 'same'],
        },
      },
    },
  );
  const same = report!.statements[1]!;
  expect(same).toMatchObject({ error: null, parameters: [{ name: 'price', value: '12.125' }] });
  expect(same.shown!.rows).toEqual([['1']]);
});

const valuesOf = (parameters: readonly { readonly name: string; readonly value: string | null }[]) =>
  Object.fromEntries(parameters.map(({ name, value }) => [name, value]));

test('a file outside of the experiment’s folder is not read', async () => {
  const parameters = { word: { type: 'csv', file: '../secret.csv', column: 'word' } };
  const [report] = await attempt({ text: 'SELECT :word', parameters });
  expect(report!.error).toMatchObject({ kind: 'badInput', message: expect.stringContaining('own folder') });
});

test('a statement is tried at the isolation that the workload asks for, or not at all', async () => {
  using _ = withOwnTable();
  const at = (isolation: string) =>
    attempt({ text: 'SELECT id FROM mine' }, { workload: { operation: 'statement', method: 'bind', isolation } });
  const [report] = await at('serializable');
  expect(report!.statements[0]).toMatchObject({ error: null, shown: { count: 2 } });
  await expect(at('readCommitted')).rejects.toThrow('All transactions are serializable');
});

test('own tables are told with their columns', async () => {
  using _ = withOwnTable();
  const experiment = trusted(home.home, yaml({ text: 'SELECT 1' }));
  const options = { home: home.home, experiment, target: 'here', onActivity: () => {} };
  const tables = await ownTablesOf({ ...options, signal: new AbortController().signal });
  expect(tables).toEqual([{ schema: null, name: 'mine', columns: ['id', 'name'] }]);
});

test('checks are asked of the tables as they were loaded, after statements, and one that is called like a statement, too', async () => {
  const more = {
    dataset: { rows: 50, key: 'id', columns: { id: { type: 'sequence', start: 1 } } },
    checks: {
      it: { text: 'SELECT id FROM {table} WHERE id > 48' },
      fine: { text: 'SELECT id FROM {table} WHERE id IS NULL' },
      elsewhere: { text: { mongodb: '{}' } },
    },
  };
  const statement = { text: 'SELECT count(*) FROM {table}' };
  const reports = await attempt(statement, more);
  expect(reports.map(({ item }) => `${item.kind} ${item.name}`)).toEqual([
    'statement it',
    'check it',
    'check fine',
    'check elsewhere',
  ]);
  const [, fails, holds, without] = reports;
  expect(fails!.statements).toMatchObject([
    {
      shown: { count: 2, rows: [['49'], ['50']] },
      asExpected: false,
      error: { kind: 'wrongResult', message: '“it” returned 2 rows; 0 expected.' },
    },
  ]);
  expect(holds!.statements).toMatchObject([{ isRead: true, shown: { count: 0 }, asExpected: true, error: null }]);
  expect(without!.error).toMatchObject({ kind: 'unsupported' });

  const only = await attempt(statement, more, [{ kind: 'check', name: 'fine' }]);
  expect(only.map(({ item }) => item.name)).toEqual(['fine']);
  await expect(attempt(statement, more, [{ kind: 'check', name: 'none' }])).rejects.toThrow(/no check “none”/);
});

test('a decimal has its point, and the next step finds its row by what was captured', async () => {
  const columns = {
    id: { type: 'sequence', start: 1 },
    price: { type: 'decimal', precision: 9, scale: 2, min: 1533.01, max: 1533.01 },
    tiny: { type: 'decimal', precision: 9, scale: 7, min: 0.0000001, max: 0.0000001 },
  };
  const [report] = await attempt(
    { text: 'SELECT price, tiny AS small FROM {table} WHERE id = 3' },
    {
      dataset: { rows: 3, key: 'id', columns },
      statements: {
        it: { text: 'SELECT price, tiny AS small FROM {table} WHERE id = 3' },
        again: { text: 'SELECT id FROM {table} WHERE price = :price AND tiny = :tiny', expectRows: 3 },
      },
      transactions: {
        both: {
          steps: ['it', 'again'],
          parameters: {
            price: { type: 'captured', from: 'it', column: 'price', as: 'decimal' },
            tiny: { type: 'captured', from: 'it', column: 'small', as: 'decimal' },
          },
        },
      },
    },
    [{ kind: 'statement', name: 'both' }],
  );
  const [first, second] = report!.statements;
  expect(first!.shown!.rows).toEqual([['1533.01', '0.0000001']]);
  expect(second).toMatchObject({ error: null, asExpected: true });
  expect(second!.parameters).toEqual([
    { name: 'price', value: '1533.01' },
    { name: 'tiny', value: '0.0000001' },
  ]);
});

test('a floating-point number is not captured as a decimal where decimals are whole numbers', async () => {
  const [report] = await attempt(
    {},
    {
      statements: { it: { text: 'SELECT 0.1 AS x' }, again: { text: 'SELECT :x AS x' } },
      transactions: {
        both: {
          steps: ['it', 'again'],
          parameters: { x: { type: 'captured', from: 'it', column: 'x', as: 'decimal' } },
        },
      },
    },
    [{ kind: 'statement', name: 'both' }],
  );
  expect(report!.statements[0]!.error).toMatchObject({
    kind: 'wrongResult',
    message: expect.stringContaining('`as: float`'),
  });
});

test('the tables of a try are not taken for those of a dead process while it goes on', async () => {
  const dead: number[] = [];
  await tryTrusted({
    ...{ home: home.home, folder: home.home.root, signal: new AbortController().signal },
    yaml: yaml(
      { text: 'SELECT count(*) FROM {table}' },
      { dataset: { rows: 10, columns: { id: { type: 'sequence' } } } },
    ),
    onActivity: () => dead.push(deadRunsTables(home.home).length),
  });
  expect(dead.length).toBeGreaterThan(1);
  expect(new Set(dead)).toEqual(new Set([0]));
  expect(readdirSync(home.home.state).filter((name) => /try|tables/.test(name))).toEqual([]);
});
