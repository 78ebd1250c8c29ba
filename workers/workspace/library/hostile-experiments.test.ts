import { describe, expect, it } from 'vitest';
import { mostProblems } from '#model/text/first-problems.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from './plan-context.ts';

/** These experiments were written to keep a check busy. Each check ends early, with a limited number of problems. */

const lines = (length: number, item: (i: number) => string) => Array.from({ length }, (_, i) => item(i)).join('\n');
const flow = (length: number, item: (i: number) => string) => Array.from({ length }, (_, i) => item(i)).join(', ');

function experiment({ columns = 'id: { type: uuid4 }', factors = '{}', targets = '[sqlite]', more = '' }): string {
  return [
    'dyno: 1',
    'name: Hostile',
    'question: How long?',
    `dataset:\n  rows: 10\n  columns:\n    ${columns.replaceAll('\n', '\n    ')}`,
    'workload: { operation: insert }',
    `factors: ${factors}`,
    `targets: ${targets}`,
    more,
  ].join('\n');
}

const problemsOf = (text: string): readonly string[] => {
  const { plan, diagnostics } = planExperiment(parseFile(text), planContext());
  expect(plan).toBeNull();
  expect(diagnostics.length).toBeLessThanOrEqual(mostProblems);
  return diagnostics.map(({ message }) => message);
};

describe('the check of an experiment ends', () => {
  it.each([
    ['targets', { targets: `[${'sqlite, '.repeat(20_000)}]` }, '`targets` has 20,000 entries; 100 are the most.'],
    [
      'levels',
      { factors: `{ connections: [${flow(5_000, (i) => `${i + 1}`)}] }` },
      '`factors.connections` has 5,000 entries; 1,000 are the most.',
    ],
    ['factors', { factors: lines(60, (i) => `\n  f${i}: { a: {} }`) }, '`factors` has 60 entries; 50 are the most.'],
    [
      'columns',
      { columns: lines(1_001, (i) => `c${i}: { type: integer }`) },
      '`dataset.columns` has 1,001 entries; 1,000 are the most.',
    ],
    [
      'fields of a document',
      { columns: `doc:\n  type: document\n  fields:\n${lines(1_001, (i) => `    f${i}: { type: boolean }`)}` },
      '`dataset.columns.doc.fields` has 1,001 entries; 1,000 are the most.',
    ],
    ['sizes', { more: `sizes:\n${lines(21, (i) => `  s${i}: {}`)}` }, '`sizes` has 21 entries; 20 are the most.'],
    [
      'statements',
      { more: `statements:\n${lines(501, (i) => `  s${i}: { text: SELECT 1 }`)}` },
      '`statements` has 501 entries; 500 are the most.',
    ],
    [
      'steps',
      { more: `transactions: { t: { steps: [${'s, '.repeat(1_001)}] } }` },
      '`transactions.t.steps` has 1,001 entries; 1,000 are the most.',
    ],
  ])('at too many %s', (_, parts, message) => {
    expect(problemsOf(experiment(parts))).toEqual([message]);
  });

  it.each([
    ['levels', { factors: `{ connections: [${'1,'.repeat(100_000)}] }` }],
    ['columns', { columns: lines(13_000, (i) => `c${i}: {type: a}`) }],
    ['unknown keys', { more: lines(26_000, (i) => `u${i}: 1`) }],
  ])('at more values than an experiment has: %s', (_, parts) => {
    expect(problemsOf(experiment(parts))).toEqual([expect.stringContaining('more than 25,000 values')]);
  });

  it('after a hundred problems, and says that there are more', () => {
    const messages = problemsOf(experiment({ more: lines(12_000, (i) => `unknown${i}: 1`) }));
    expect(messages).toHaveLength(mostProblems);
    expect(messages[0]).toBe('There are more problems than these 99.');
    expect(messages[1]).toMatch(/^Unknown key `unknown0`/);
  });

  it('after a hundred problems of the plan', () => {
    const bundles = lines(100, (i) => `\n    l${i}: { options: { sqlite.none: ${i} } }`);
    expect(problemsOf(experiment({ factors: `\n  f:${bundles}` }))).toHaveLength(mostProblems);
    expect(problemsOf(experiment({ targets: `[${flow(100, (i) => `nowhere${i}`)}]` })).slice(0, 1)).toEqual([
      'There are more problems than these 99.',
    ]);
  });

  it('before it has judged more cells than anybody runs', () => {
    const levels = flow(500, (i) => `${i + 1}`);
    const targets = flow(50, (i) => `{ name: t${i}, engine: noop }`);
    expect(problemsOf(experiment({ factors: `{ connections: [${levels}] }`, targets: `[${targets}]` }))).toEqual([
      'This experiment has 25,000 cells, which are variants on targets; 20,000 are the most.',
    ]);
  });

  it('where each column follows the one before it twice', () => {
    const columns = lines(200, (i) =>
      i === 0 ? 'c0: { type: integer }' : `c${i}: { type: correlated, of: c${i - 1}, times: c${i - 1} }`,
    );
    expect(planExperiment(parseFile(experiment({ columns })), planContext()).plan).not.toBeNull();
  });
});

it.each([
  ['warmupRows', '1e308'],
  ['until', '{ rows: 1e300 }'],
])('measure.%s is not beyond the rows of any table', (key, value) => {
  expect(problemsOf(experiment({ more: `measure: { ${key}: ${value} }` }))).toEqual([
    expect.stringMatching(/^Must be at most 10,000,000,000; found `1e\+30[08]`/),
  ]);
});
