import { expect, test } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { listedParameters, mixFor, textFor, weightsOf } from '#experiment/statements/statement-mix.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { stepsText } from './steps.ts';

const descriptors = catalog.map(({ descriptor }) => descriptor);
const file = (more: object) =>
  JSON.stringify({
    dyno: 1,
    name: 'Own',
    question: 'Does it run?',
    workload: { operation: 'statement', method: 'bind' },
    targets: ['sqlite'],
    ...more,
  });
const parsed = (more: object) => parseFile(file(more));
const check = (more: object) => planExperiment(parsed(more), { catalog: descriptors });
const said = (more: object) => check(more).diagnostics.map(({ severity, path }) => `${severity} ${path}`);

test('custom statements need no dataset; other operations do', () => {
  expect(said({ statements: { one: { text: 'SELECT 1' } } })).toEqual([]);
  expect(said({ workload: { operation: 'insert' } })).toEqual(['error dataset']);
  expect(said({ dataset: { rows: 1, columns: {} }, workload: { operation: 'insert' } })).toEqual([
    'error dataset.columns',
  ]);
});

test.each([
  ['no statements', {}, ['error workload.operation']],
  [
    'an unknown step',
    { statements: { a: { text: 'SELECT 1' } }, transactions: { t: { steps: ['b'] } } },
    ['error transactions.t.steps[0]'],
  ],
  [
    'two of one name',
    { statements: { a: { text: 'SELECT 1' } }, transactions: { a: { steps: ['a'] } } },
    ['error transactions.a'],
  ],
  [
    'a check with a parameter',
    { statements: { a: { text: 'SELECT 1' } }, checks: { c: { text: 'SELECT 1 WHERE 1 < :b' } } },
    ['error checks.c.text'],
  ],
  [
    'tables that are not there',
    {
      tables: { stores: { rows: 1, columns: { id: { type: 'uuid4' } } } },
      statements: {
        a: { text: 'SELECT 1 FROM {store}', parameters: {} },
        b: { text: 'SELECT :x', parameters: { x: { type: 'query', text: 'SELECT 1 FROM {table}' } } },
      },
      checks: { c: { text: 'SELECT 1 FROM {stores}, {shops}' } },
    },
    ['error statements.a.text', 'error statements.b.parameters.x.text', 'error checks.c.text'],
  ],
  [
    'several statements in one text',
    {
      targets: ['sqlite', 'noop'],
      statements: {
        a: { text: 'UPDATE t SET b = 1; DELETE FROM t' },
        b: { text: { default: 'SELECT 1;', sqlite: 'SELECT 1;\nSELECT 2' } },
        c: { text: 'SELECT :x;', parameters: { x: { type: 'query', text: 'SELECT 1; SELECT 2' } } },
      },
      checks: { d: { text: 'SELECT 1; SELECT 2' } },
    },
    [
      'error statements.a.text',
      'error statements.b.text.sqlite',
      'error statements.c.parameters.x.text',
      'error checks.d.text',
    ],
  ],
  ['an undeclared parameter', { statements: { a: { text: 'SELECT :b' } } }, ['error statements.a.text']],
  [
    'a mix of which nothing is drawn',
    { statements: { a: { text: 'SELECT 1', weight: 0 } }, transactions: { t: { steps: ['a'], weight: 0 } } },
    ['error statements'],
  ],
  [
    'that nothing can run, whatever else is wrong',
    {
      statements: { a: { text: 'SELECT 1', parameters: { b: { type: 'uuid4' } } } },
      workload: { operation: 'statement', method: 'bind', connections: 2 },
      measure: { until: { calls: 2 } },
    },
    ['error targets[0]', 'warning statements.a.parameters.b'],
  ],
  [
    'an unused parameter',
    { statements: { a: { text: 'SELECT 1', parameters: { b: { type: 'uuid4' } } } } },
    ['warning statements.a.parameters.b'],
  ],
  [
    'two parameters of one column of one row',
    {
      statements: {
        a: {
          text: 'SELECT :b, :c, :d',
          parameters: {
            b: { type: 'csv', file: 'f.csv', column: 'x' },
            c: { type: 'csv', file: 'f.csv', column: 'x' },
            d: { type: 'csv', file: 'f.csv', column: 'x', row: 'd' },
          },
        },
        e: {
          text: 'SELECT :b, :c',
          parameters: {
            b: { type: 'query', text: 'SELECT 1, 2' },
            c: { type: 'query', text: 'SELECT 1, 2', column: 'y' },
          },
        },
      },
    },
    ['warning statements.a.parameters.c'],
  ],
  [
    'a key without a table',
    { statements: { a: { text: 'SELECT :b', parameters: { b: { type: 'key' } } } } },
    ['error statements.a.parameters.b'],
  ],
  [
    'a place of a table that is not there',
    { statements: { a: { text: 'SELECT * FROM {table}' } } },
    ['error statements.a.text'],
  ],
  [
    'bounds the wrong way round',
    { statements: { a: { text: 'SELECT 1', expectRows: { min: 2, max: 1 } } } },
    ['error statements.a.expectRows'],
  ],
  [
    'a generator that contradicts itself',
    { statements: { a: { text: 'SELECT :b', parameters: { b: { type: 'integer', min: 2, max: 1 } } } } },
    ['error statements.a.parameters.b.min'],
  ],
] as const)('%s is reported', (_what, more, expected) => {
  expect(said(more)).toEqual(expected);
});

test('a target without a text is an empty cell that says so', () => {
  const { plan } = check({ statements: { a: { text: { sqlite: 'SELECT 1' } } }, targets: ['sqlite', 'noop'] });
  expect(plan?.skipped).toMatchObject([
    { target: 'noop', reason: expect.stringContaining('no text for No-op engine') },
  ]);
});

test.each([
  ['local-mongodb', '`look` has no JSON for MongoDB (statements.look.text.mongodb: \'{ "find": … }\').'],
  ['local-ravendb', "`look` has no RQL for RavenDB (statements.look.text.ravendb: 'from {table} …')."],
])('SQL is no text for %s, which takes another language: an empty cell, next to others that run', (target, reason) => {
  const { plan, diagnostics } = check({
    statements: { look: { text: 'SELECT :b', parameters: { b: { type: 'integer' } } } },
    targets: ['sqlite', target],
  });
  expect(plan?.skipped).toEqual([{ variant: 'default', target, reason }]);
  expect(diagnostics.map(({ severity }) => severity)).toEqual(['warning']);
});

test.each(['FROM Shops', "from index 'x' as s update { s.n++ }", 'declare function f(s) { return s } from Shops'])(
  '%s is RQL',
  (text) => {
    expect(check({ statements: { look: { text } }, targets: ['local-ravendb'] }).diagnostics).toEqual([]);
  },
);

test('a target’s own text wins over its engine’s, and that over the default', () => {
  const text = { default: 'd', postgres: 'p', staging: 's' };
  expect(textFor(text, { target: 'staging', engine: 'postgres' })).toBe('s');
  expect(textFor(text, { target: 'other', engine: 'postgres' })).toBe('p');
  expect(textFor(text, { target: 'other', engine: 'mysql' })).toBe('d');
  expect(textFor({ mysql: 'm' }, { target: 'other', engine: 'postgres' })).toBeNull();
});

test('steps run in their transaction alone, unless they have a weight', () => {
  const { experiment } = parsed({
    statements: {
      a: { text: 'SELECT :x, :y', parameters: { y: { type: 'csv', file: 'f.csv', column: 'y' } } },
      b: { text: 'SELECT 1', weight: 2 },
    },
    transactions: { t: { steps: ['a', 'b'], parameters: { x: { type: 'query', text: 'SELECT 1' } } } },
  });
  expect([...weightsOf(experiment!)]).toEqual([
    ['b', 2],
    ['t', 1],
  ]);
  expect(listedParameters(experiment!, ['t']).map(({ id }) => id)).toEqual(['a y', 't x']);
  const list = { as: 'integer', values: ['1'] } as const;
  const lists = new Map([
    ['a y', list],
    ['t x', list],
  ]);
  const choice = { target: 'sqlite', engine: 'sqlite' };
  const alone = mixFor(experiment!, choice, { language: 'sql' }, new Map([['a', 1]]), lists);
  expect(Object.keys(alone.statements[0]!.own.lists), 'lacks nothing when it is tried alone').toEqual(['x', 'y']);
  const together = mixFor(experiment!, choice, { language: 'sql' }, new Map([['t', 1]]), lists);
  expect(Object.keys(together.statements[0]!.own.lists)).toEqual(['y']);
  expect(Object.keys(together.items[0]!.transaction!.lists)).toEqual(['x']);
});

const statements = {
  a: { text: 'SELECT n FROM t' },
  b: { text: 'UPDATE t SET n = :n' },
  c: { text: 'SELECT 1 WHERE 1 = :x', parameters: { x: { type: 'integer' } } },
};
const n = { type: 'captured', from: 'a', column: 'n' };

test.each([
  ['a value that passes on', { t: { steps: ['a', 'b'], parameters: { n } } }, []],
  [
    'one within a block, whose values are its own',
    { t: { steps: [{ steps: ['a', { thinkMs: 5 }, 'b'], parameters: { n }, times: { min: 1, max: 3 } }, 'c'] } },
    [],
  ],
  ['one that comes too late', { t: { steps: ['b', 'a'], parameters: { n } } }, ['error statements.b.text']],
  [
    'one that comes perhaps',
    { t: { steps: [{ steps: ['a'], probability: 0.5 }, 'b'], parameters: { n } } },
    ['error statements.b.text'],
  ],
  [
    'one out of the block that has it',
    { t: { steps: [{ steps: ['a'], parameters: { n } }, 'b'] } },
    ['error statements.b.text'],
  ],
  [
    'one from no step',
    { t: { steps: ['a', 'b'], parameters: { n: { ...n, from: 'c' } } } },
    ['error transactions.t.parameters.n.from'],
  ],
  [
    'a step of a block that is none',
    { t: { steps: ['a', 'b', { steps: ['c', 'd'] }], parameters: { n } } },
    ['error transactions.t.steps[2].steps[1]'],
  ],
  [
    'more times than at most',
    { t: { steps: ['a', 'b', { steps: ['c'], times: { min: 3, max: 2 } }], parameters: { n } } },
    ['error transactions.t.steps[2].times'],
  ],
])('steps of a transaction: %s', (_, transactions, problems) => {
  expect(said({ statements, transactions }).toSorted()).toEqual(problems.toSorted());
});

test('only a transaction and its blocks capture values', () => {
  const own = { b: { text: 'SELECT :n', parameters: { n: { ...n, from: 'b' } } } };
  expect(said({ statements: own })).toEqual(['error statements.b.parameters.n']);
});

test.each([
  [
    'statements, transactions and pauses',
    { s: { steps: [{ thinkMs: { from: 1, to: 2 } }, 't', 'c'], users: 850 } },
    [],
  ],
  ['what there is not', { s: { steps: ['t', 'd'] } }, ['error scenarios.s.steps[1]']],
  ['pauses alone', { s: { steps: [{ thinkMs: 1 }] }, r: { steps: ['t'] } }, ['error scenarios.s.steps']],
  ['a name that is taken', { t: { steps: ['t'] } }, ['error scenarios.t']],
  ['nobody at all', { s: { steps: ['t'], users: 0 } }, ['error statements']],
])('scenarios of %s', (_, scenarios, problems) => {
  expect(said({ statements, transactions: { t: { steps: ['a', 'b'], parameters: { n } } }, scenarios })).toEqual(
    problems,
  );
});

test('with scenarios nothing is drawn by weights, and all that they name is prepared', () => {
  const own = {
    statements: { a: { text: 'SELECT 1' }, b: { text: 'SELECT 2' }, c: { text: 'SELECT 3' } },
    transactions: { t: { steps: ['b'] } },
    scenarios: { s: { steps: ['t', 'a', { thinkMs: 1 }, 't'] } },
  };
  const experiment = parsed(own).experiment!;
  const weights = weightsOf(experiment);
  expect([...weights.keys()]).toEqual(['t', 'a']);
  const mix = mixFor(experiment, { target: 'sqlite', engine: 'sqlite' }, { language: 'sql' }, weights, new Map());
  expect(mix.statements.map(({ name }) => name)).toEqual(['b', 'a']);
  expect(mix.scenarios).toMatchObject([{ name: 's', steps: [0, 1, { thinkMs: 1 }, 0] }]);
  expect(said({ ...own, measure: { stages: [{ seconds: 1, weights: { a: 2 } }] } })).toContain(
    'error measure.stages[0].weights',
  );
});

test('steps are formatted as text', () => {
  const steps = [
    'find',
    { thinkMs: { from: 20, to: 40 }, thinkTime: 'constant' as const },
    { steps: ['buy', 'pay'], parameters: {}, times: { min: 1, max: 3 } },
    { steps: ['ask'], parameters: {}, probability: 0.6, otherwise: ['look'] },
  ];
  expect(stepsText(steps)).toBe('find, think 20 to 40 ms, (buy, pay) 1 to 3 times, 60 %: (ask) else (look)');
});

test('a second statement is named with its line and a remedy', () => {
  const { diagnostics } = check({ statements: { move: { text: 'UPDATE t\nSET b = 1;\nDELETE FROM t' } } });
  expect(diagnostics).toMatchObject([
    {
      message:
        '`move` is more than one statement on SQLite: the next begins in line 3 of its text with “DELETE FROM t”.',
      suggestion: 'Make a statement of each; as steps of a transaction they are committed together.',
    },
  ]);
});
