import { expect, it } from 'vitest';
import { parseFile } from '../parsed-file.ts';

const file = (judge: string, more = '') => `
dyno: 1
name: Shop
question: Which?
workload: { operation: statement }
statements:
  sell: { text: SELECT 1 }
  look: { text: SELECT 2 }
transactions:
  order: { steps: [sell, look] }
targets: [sqlite]
judge: ${judge}
${more}`;

const problems = (judge: string, more?: string) =>
  parseFile(file(judge, more)).diagnostics.map(({ severity, path, message }) => [severity, path, message]);

it('takes words, and quantiles of statements and transactions', () => {
  const { experiment, diagnostics } = parseFile(
    file('[throughput, p99, { statement: sell, quantile: 0.95 }, { statement: order, quantile: 1 }]'),
  );
  expect(diagnostics).toEqual([]);
  expect(experiment!.judge).toHaveLength(4);
});

it('refuses what the file does not have, and says what was probably meant', () => {
  expect(problems('[{ statement: sel, quantile: 0.95 }]')).toEqual([
    ['error', 'judge[0].statement', 'There is no statement, transaction or scenario `sel`.'],
  ]);
  expect(parseFile(file('[{ statement: sel, quantile: 0.95 }]')).diagnostics[0]!.suggestion).toContain('sell');
  expect(problems('[p98]')[0]!.slice(0, 2)).toEqual(['error', 'judge[0]']);
  expect(problems('[]')[0]!.slice(0, 2)).toEqual(['error', 'judge']);
  expect(problems('[{ statement: sell, quantile: 2 }]')[0]!.slice(0, 2)).toEqual(['error', 'judge[0].quantile']);
});

it('takes statements that only a level has, and names them where a name is unknown', () => {
  const levels = `
factors:
  search:
    as it is: {}
    counted: { statements: { count: { text: SELECT 3 } } }
    worse: { goals: { p99Ms: 5 } }
goals: { of: count, p99Ms: 20 }
sizes: { small: { goals: { of: count, p99Ms: 50 }, judge: [mean] } }`;
  const found = parseFile(file('[{ statement: count, quantile: 0.95 }]', levels)).diagnostics;
  expect(found.map(({ path, suggestion }) => [path, suggestion])).toEqual([
    ['factors.search.worse.goals', expect.stringContaining('All levels are judged alike')],
  ]);
  const [unknown] = parseFile(file('[{ statement: cuont, quantile: 0.95 }]', levels)).diagnostics.filter(({ path }) =>
    path.startsWith('judge'),
  );
  expect(unknown!.suggestion).toContain('count');
});

it('warns of a quantity that stands twice, and refuses times where calls are reported one by one', () => {
  expect(problems('[p99, p95, p99]')).toEqual([['warning', 'judge[2]', 'The list has this quantity twice.']]);
  expect(problems('[p99]', 'measure: { until: { calls: 5 } }')[0]!.slice(0, 2)).toEqual(['error', 'judge']);
  expect(problems('[throughput]', 'measure: { until: { calls: 5 } }')).toEqual([]);
});
