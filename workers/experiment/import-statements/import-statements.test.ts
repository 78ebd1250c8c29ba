import { expect, test } from 'vitest';
import type { KeptStatement, KeptStatements, SeenValues } from '#engine-api/kept-statements.ts';
import { findEngine } from '#engines/catalog.ts';
import { formatPercent } from '#model/format/format.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { chooseStatements, coveredBy, type ImportChoice, importedExperiment } from './imported-experiment.ts';
import { judgedStatements } from './judged-statements.ts';

const tables: readonly UserTable[] = [
  { schema: null, name: 'orders', columns: ['id', 'customer_id', 'total', 'state', 'at'] },
  { schema: null, name: 'Customers', columns: ['id', 'eMail', 'city'] },
  { schema: 'sales', name: 'offers', columns: ['id', 'price'] },
];
const usual: ImportChoice = { by: 'time', top: 50, writes: false };

/** Statements as a server has counted them: texts with calls, mean times and rows per call. */
function counted(
  texts: readonly (readonly [text: string, calls?: number, meanMs?: number, rowsPerCall?: number])[],
  more: Partial<KeptStatements> = {},
): KeptStatements {
  const statements = texts.map(
    ([text, calls = 10, meanMs = 1, rowsPerCall = 1]): KeptStatement => ({ text, calls, meanMs, rowsPerCall }),
  );
  const sum = (of: (one: KeptStatement) => number) => statements.reduce((all, one) => all + of(one), 0);
  const totals = {
    totalMs: sum((one) => one.calls * (one.meanMs ?? 0)),
    totalCalls: sum((one) => one.calls),
    since: null,
  };
  return { ...totals, statements, others: [], ...more };
}

const language = (engine: string) => findEngine(engine)!.descriptor.statements!;
const judged = (kept: KeptStatements, engine = 'postgres') => judgedStatements(kept, tables, language(engine));
const one = (text: string, engine = 'postgres', rowsPerCall = 1) =>
  judged(counted([[text, 10, 1, rowsPerCall]]), engine)[0]!;

/** The experiment that the statements become, and its problems. */
function imported(kept: KeptStatements, choice: Partial<ImportChoice> = {}, engine = 'postgres') {
  const chosen = chooseStatements(judged(kept, engine), { ...usual, ...choice });
  const from = { target: 'shop', source: 'counts', method: 'bind', at: '2026-11-30T22:00:00Z' } as const;
  const text = importedExperiment(chosen, kept, { ...from, language: language(engine) });
  const { experiment, diagnostics } = parseFile(text);
  return { chosen, text, experiment, problems: diagnostics.filter(({ severity }) => severity === 'error') };
}

test('the values of a parameter are those of its column, and parameters on one table share a row', () => {
  const found = one(
    'SELECT o.id FROM orders o JOIN "Customers" c ON c.id = o.customer_id WHERE o.customer_id = $1 AND state = $2 AND "eMail" = $3',
  );
  expect(found.whyNot).toBeNull();
  const text = 'SELECT customer_id, state FROM orders LIMIT 10000';
  expect(found.parameters).toEqual({
    customer_id: { type: 'query', text, column: 'customer_id' },
    state: { type: 'query', text, column: 'state' },
    email: { type: 'query', text: 'SELECT "eMail" FROM "Customers" LIMIT 10000' },
  });
  expect(found.origins).toEqual({
    customer_id: 'orders.customer_id',
    state: 'orders.state',
    email: '"Customers"."eMail"',
  });
});

test('a column that several parameters use takes each value from another row', () => {
  expect(one('SELECT total FROM orders WHERE id IN ($1, $2)').parameters).toMatchObject({
    id: { type: 'query' },
    id_2: { type: 'query', row: 'second' },
  });
});

test('the bounds of a range are ordered values with as many rows between them as a call returned', () => {
  for (const condition of ['at BETWEEN $1 AND $2', 'at >= $1 AND at < $2']) {
    const { parameters, notes } = one(`SELECT id FROM orders WHERE ${condition}`, 'postgres', 25);
    expect(parameters.at).toMatchObject({
      type: 'query',
      column: 'low',
      text: expect.stringContaining('LEAD(at, 25)'),
    });
    expect(parameters.at_2).toMatchObject({ column: 'high', text: parameters.at!.text });
    expect(notes).toEqual([]);
  }
  expect(one('SELECT count(*) FROM orders WHERE at BETWEEN $1 AND $2').notes).toEqual([
    'The width of the range is a guess.',
  ]);
});

test.each([
  ['SELECT id FROM orders LIMIT $1', 20, { min: 20, max: 20 }, []],
  [
    'SELECT id FROM orders LIMIT $1',
    7.5,
    { min: 10, max: 10 },
    ['The limit is a guess by the rows that calls returned.'],
  ],
  ['SELECT id FROM orders OFFSET $1', 20, { min: 0, max: 100 }, ['The offset is a guess.']],
] as const)('the number of rows in %s with %d rows a call', (text, rows, source, notes) => {
  const found = one(text, 'postgres', rows);
  expect(Object.values(found.parameters)).toEqual([{ type: 'integer', ...source }]);
  expect(found.notes).toEqual(notes);
});

test.each([
  ['SELECT $1', 'It names no table.'],
  ['SELECT a FROM secret WHERE a = $1', 'Dyno’s user does not see secret.'],
  ['SELECT id FROM offers WHERE id = $1', 'Dyno’s user does not see offers.'],
  ['SELECT date_trunc($1, at) FROM orders', 'The text does not show what values :p1 has.'],
  ['SELECT id FROM orders WHERE at > now() - $1 * interval $2', 'The text does not show what values :p1 and :p2 have.'],
  ['SELECT customer_id, state FROM orders LIMIT $1', 'Dyno’s runs read values of parameters in this way.'],
  ['SELECT state FROM orders GROUP BY state, total > $1', 'It groups by a value that the server does not tell.'],
])('%s is left out with a reason', (text, why) => {
  expect(one(text).whyNot).toBe(why);
});

test('a table of another schema, and a query that WITH names, are found', () => {
  expect(one('SELECT id FROM sales.offers WHERE price = $1').whyNot).toBeNull();
  const found = one('WITH big AS (SELECT id FROM orders WHERE total > $1) SELECT * FROM big WHERE id = $2');
  expect(found.tables).toEqual(['orders']);
  expect(found.whyNot).toBeNull();
});

test('writes are listed with the tables that they change, and taken only if wanted', () => {
  const kept = counted([
    ['UPDATE orders SET state = $1 WHERE id = $2', 30],
    ['INSERT INTO orders (id, state) VALUES ($1, $2)', 20],
    ['SELECT id FROM orders WHERE id = $1 FOR UPDATE', 10],
    ['SELECT id FROM orders WHERE id = $1', 5],
  ]);
  const reads = imported(kept);
  expect(reads.chosen.taken.map(({ name }) => name)).toEqual(['select-orders-by-id-2']);
  expect(reads.chosen.left.map(({ why }) => why)).toEqual([
    'It changes orders.',
    'It changes orders.',
    expect.stringMatching(/^It may change something: It has the word FOR/),
  ]);
  expect(reads.text).toContain('UPDATE orders SET state = $1 WHERE id = $2 – It changes orders.');
  const all = imported(kept, { writes: true });
  expect(all.problems).toEqual([]);
  expect(all.chosen.left).toEqual([]);
  expect(Object.keys(all.experiment!.statements!)).toHaveLength(4);
});

test('the file is a valid experiment without values, its weights are shares of the calls', () => {
  const kept = counted(
    [
      ['SELECT id FROM orders WHERE customer_id = $1', 6_000_000, 0.5],
      ['SELECT city FROM "Customers" WHERE id = $1', 2_000_000, 0.1],
    ],
    {
      ...{ totalMs: 4_000_000, totalCalls: 10_000_000, since: '2026-11-01T00:00:00Z' },
      others: [{ kind: 'definition', texts: 2, calls: 2, totalMs: 40_000, words: ['CREATE INDEX'] }],
    },
  );
  const { experiment, problems, text, chosen } = imported(kept);
  expect(problems).toEqual([]);
  expect(Object.values(experiment!.statements!).map(({ weight }) => weight)).toEqual([75, 25]);
  for (const { timeShare } of Object.values(experiment!.statements!)) expect(timeShare).toBeGreaterThan(0);
  expect(experiment!.targets).toEqual(['shop']);
  expect(coveredBy(chosen.taken, kept)).toEqual({ time: 0.8, calls: 0.8 });
  expect(text).toMatch(/^# Statements that shop counted \(counts\) from 2026-11-01T00:00:00Z to /);
  expect(text).toContain(`# They have ${formatPercent(0.8)} of the time and ${formatPercent(0.8)} of the calls`);
  expect(text).toContain(`# - ${formatPercent(0.01)}: Definitions and maintenance: 2 texts (CREATE INDEX)`);
});

test('the first ones are those with the most time, or with the most calls', () => {
  const kept = counted([
    ['SELECT total FROM orders WHERE id = $1', 1, 100],
    ['SELECT state FROM orders WHERE id = $1', 50, 1],
  ]);
  const takes = (by: ImportChoice['by']) => imported(kept, { by, top: 1 }).chosen;
  expect(takes('time').taken[0]!.text).toContain('total');
  expect(takes('calls').taken[0]!.text).toContain('state');
  expect(takes('calls').left[0]!.why).toBe('It is not among the first 1.');
});

test('a digest of MySQL gets a value for each column', () => {
  const written = (text: string) => one(text, 'mysql').written;
  expect(written('INSERT INTO orders (id, state) VALUES (?)')).toBe(
    'INSERT INTO orders (id, state) VALUES (:id, :state)',
  );
  expect(written('INSERT INTO orders (id, state, at) VALUES (?, ..., NOW())')).toBe(
    'INSERT INTO orders (id, state, at) VALUES (:id, :state, NOW())',
  );
  expect(written('INSERT INTO orders (id, at) VALUES (?, ..., NOW()), (?, ..., NOW())')).toBe(
    'INSERT INTO orders (id, at) VALUES (:id, NOW())',
  );
});

test('a command of MongoDB draws from the fields of its conditions', () => {
  const text = JSON.stringify({
    find: 'orders',
    filter: { customer_id: { $eq: { $param: 'customer' } }, at: { $gte: { $param: 'at' }, $lt: { $param: 'at_2' } } },
    limit: { $param: 'limit' },
  });
  const found = imported(counted([[text, 10, 1, 5]]), {}, 'mongodb');
  expect(found.problems).toEqual([]);
  const [statement] = found.chosen.taken;
  expect(statement!.name).toBe('find-orders-by-customer_id-at');
  expect(statement!.parameters).toMatchObject({
    customer: { column: 'customer_id', text: '{"find":"orders","projection":{"_id":0,"customer_id":1},"limit":10000}' },
    at: { column: 'low', text: expect.stringContaining('"$shift":{"output":"$at","by":5}') },
    at_2: { column: 'high' },
    limit: { type: 'integer', min: 5, max: 5 },
  });
});

test('without a catalog, values are made up by the kinds that a log has shown, or are those that were kept', () => {
  const seen = (kind: SeenValues['kind'], most = 3): SeenValues => ({
    ...{ kind, least: most, most, scale: 2, hasNegative: false },
  });
  const statements: KeptStatement[] = [
    {
      ...{ text: 'SELECT name FROM customers WHERE id = ? AND total > ? AND key = ? AND at >= ? LIMIT ?', calls: 10 },
      ...{
        meanMs: 1,
        rowsPerCall: null,
        values: [seen('integer'), seen('decimal'), seen('uuid'), seen('date'), seen('integer', 2)],
      },
    },
    {
      text: 'INSERT INTO t VALUES (?, ?)',
      calls: 5,
      meanMs: null,
      rowsPerCall: 1,
      values: [seen('integer'), seen('text')],
    },
    { text: 'SELECT a FROM t WHERE b = $1', calls: 1, meanMs: null, rowsPerCall: null },
    {
      ...{ text: 'SELECT a FROM t WHERE c = ?', calls: 1, meanMs: null, rowsPerCall: null },
      values: [{ ...seen('text'), kept: [['Ann', 3]] }],
    },
  ];
  const kept = { statements, others: [], totalMs: 10, totalCalls: 17, since: null };
  const found = judgedStatements(kept, null, language('postgres'));
  expect(found.map(({ whyNot }) => whyNot)).toEqual([
    null,
    null,
    'The log does not show what kinds of values it has.',
    null,
  ]);
  expect(found[0]!.parameters).toEqual({
    id: { type: 'integer', min: 100, max: 999 },
    total: { type: 'decimal', precision: 5, scale: 2, min: 100, max: 999 },
    key: { type: 'uuid4' },
    at: { type: 'timestamp' },
    row_limit: { type: 'integer', min: 20, max: 20 },
  });
  expect(Object.values(found[1]!.parameters)).toMatchObject([{ type: 'integer' }, { type: 'text', maxLength: 3 }]);
  expect(found[3]!.parameters).toEqual({ c: { type: 'oneOf', values: ['Ann'], weights: [3] } });
  const chosen = chooseStatements(found, { ...usual, writes: true });
  const from = {
    target: 'shop',
    source: 'a log',
    files: ['a.log'],
    method: 'bind',
    at: '2026-11-30T22:00:00Z',
  } as const;
  const text = importedExperiment(chosen, kept, { ...from, hasCatalog: false, language: language('postgres') });
  expect(parseFile(text).diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(text).toContain('# Statements of a.log (a log), read at');
});

test('a value that no column shows has the type that the server captured, unless it is a text', () => {
  const bind = (kind: SeenValues['kind']): SeenValues => ({
    ...{ kind, least: 1, most: 6, scale: 0, hasNegative: false },
  });
  const of = (kind: SeenValues['kind']) =>
    judged({
      ...counted([]),
      statements: [
        {
          text: 'SELECT round_to($1, at) FROM orders',
          calls: 1,
          meanMs: 1,
          rowsPerCall: 1,
          values: [bind(kind)],
        },
      ],
    })[0]!;
  expect(of('integer')).toMatchObject({ whyNot: null, parameters: { p1: { type: 'integer' } } });
  expect(of('text').whyNot).toBe('The text does not show what values :p1 has.');
});
