import { expect, test } from 'vitest';
import { catalog } from '../engines/catalog.ts';
import { checkExperiment } from './check-experiment.ts';
import { listedParameters, mixFor, textFor, weightsOf } from './statement-mix.ts';

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
const check = (more: object) => checkExperiment(file(more), descriptors);
const said = (more: object) => check(more).diagnostics.map(({ severity, path }) => `${severity} ${path}`);

test('own statements need no dataset; other operations do', () => {
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
      measure: { calls: 2 },
    },
    ['error targets[0]', 'warning statements.a.parameters.b'],
  ],
  [
    'an unused parameter',
    { statements: { a: { text: 'SELECT 1', parameters: { b: { type: 'uuid4' } } } } },
    ['warning statements.a.parameters.b'],
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
] as const)('%s is told', (_what, more, expected) => {
  expect(said(more)).toEqual(expected);
});

test('a target without a text is an empty cell that says so', () => {
  const { plan } = check({ statements: { a: { text: { sqlite: 'SELECT 1' } } }, targets: ['sqlite', 'null'] });
  expect(plan?.skipped).toMatchObject([{ target: 'null', reason: expect.stringContaining('no text for Null engine') }]);
});

test('SQL is no command for an engine that takes JSON', () => {
  const { diagnostics } = check({
    statements: { look: { text: 'SELECT 1' } },
    targets: ['sqlite', 'local-mongodb'],
  });
  expect(diagnostics).toMatchObject([
    {
      severity: 'error',
      path: 'statements.look.text',
      message: '`look` has no command for MongoDB: its text is no JSON.',
      suggestion: expect.stringContaining(`statements.look.text.mongodb: '{ "find": … }'`),
    },
  ]);
});

test('a target’s own text wins over its engine’s, and that over the default', () => {
  const text = { default: 'd', postgres: 'p', staging: 's' };
  expect(textFor(text, { target: 'staging', engine: 'postgres' })).toBe('s');
  expect(textFor(text, { target: 'other', engine: 'postgres' })).toBe('p');
  expect(textFor(text, { target: 'other', engine: 'mysql' })).toBe('d');
  expect(textFor({ mysql: 'm' }, { target: 'other', engine: 'postgres' })).toBeNull();
});

test('steps run in their transaction alone, unless they have a weight', () => {
  const { experiment } = check({
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
