import { expect, test } from 'vitest';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import { partOf, sectionOf, statusOf, summaryOf } from './sections.ts';

const problem = (severity: Diagnostic['severity'], path: string): Diagnostic => ({
  severity,
  path,
  line: 1,
  column: 1,
  endLine: 1,
  endColumn: 2,
  message: 'Wrong.',
  suggestion: null,
});

test('every key of the file has a section; what is no valid YAML has none', () => {
  expect(sectionOf('targets[0].name')).toBe('targets');
  expect(sectionOf('dataset.columns.id')).toBe('workload');
  expect(sectionOf('factors["rows per call"]')).toBe('factors');
  expect(sectionOf('baseline.target')).toBe('measurement');
  expect(sectionOf('nmae')).toBe('question');
  expect(sectionOf('')).toBeNull();
});

test('a section has the status of its worst problem', () => {
  const problems = [
    problem('warning', 'measure.repeats'),
    problem('error', 'measure.until'),
    problem('warning', 'name'),
  ];
  expect(statusOf('measurement', problems)).toBe('error');
  expect(statusOf('question', problems)).toBe('warning');
  expect(statusOf('targets', problems)).toBe('ok');
});

test('a section is summed up in one line', () => {
  const raw = {
    question: 'How fast?',
    targets: ['sqlite', { name: 'pg', engine: 'postgres' }],
    workload: { operation: 'insert' },
    dataset: { rows: 20_000 },
    factors: { method: ['prepared', 'bulk'], duel: { a: {}, b: {}, c: {} } },
    measure: { until: { seconds: 2 }, repeats: 1 },
  };
  expect(summaryOf('question', raw)).toBe('How fast?');
  expect(summaryOf('targets', raw)).toBe('sqlite, pg');
  expect(summaryOf('workload', raw)).toBe('insert, 20,000 rows');
  expect(summaryOf('factors', raw)).toBe('Method (2), duel (3)');
  expect(summaryOf('measurement', raw)).toBe('1 repeat, 2 s a trial');
  expect(summaryOf('factors', {})).toBe('None: one variant');
});

test('every key of the workload has a tab', () => {
  expect(partOf('tables.stores.columns.id')).toBe('data');
  expect(partOf('setup.audit.postgres')).toBe('data');
  expect(partOf('teardown.audit.postgres')).toBe('data');
  expect(partOf('statements["look-up"].text')).toBe('statements');
  expect(partOf('workload.connections')).toBe('statements');
  expect(partOf('workload.sortMemoryKb')).toBe('advanced');
  expect(partOf('workload.options["postgres.path"]')).toBe('advanced');
  expect(partOf('checks.sums')).toBe('advanced');
  expect(partOf('measure.repeats')).toBeNull();
  expect(statusOf('data', [problem('error', 'dataset.rows'), problem('warning', 'workload.method')])).toBe('error');
});
