import { expect, test } from 'vitest';
import { parseFile } from '../parsed-file.ts';

const problems = (indexes: string): readonly string[] =>
  parseFile(`dyno: 1
name: t
question: Which?
dataset:
  rows: 10
  key: id
  columns:
    id: { type: sequence }
    at: { type: timestamp }
    words: { type: words }
  indexes: ${indexes}
workload: { operation: insert }
targets: [noop]
`).diagnostics.map(({ path, message, suggestion }) => [path, message, suggestion].filter(Boolean).join(': '));

test('indexes over columns that are there are right, and need say nothing more', () => {
  expect(problems('[{ columns: [at] }, { columns: [at, id], unique: true }]')).toEqual([]);
  expect(problems('[{ columns: [words], kind: fulltext }, { columns: [id], kind: hash }]')).toEqual([]);
});

test('a missing column is reported with the nearest name', () => {
  const [problem] = problems('[{ columns: [word] }]');
  expect(problem).toContain('dataset.indexes[0].columns[0]');
  expect(problem).toMatch(/`word`.*words/);
});

test('columns named twice, full text of no text, and hashes of several columns are refused', () => {
  expect(problems('[{ columns: [at, at] }]')[0]).toContain('twice');
  expect(problems('[{ columns: [at], kind: fulltext }]')[0]).toContain('`at` is none');
  expect(problems('[{ columns: [at, id], kind: hash }]')[0]).toContain('has one column');
});
