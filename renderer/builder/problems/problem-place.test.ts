import { expect, test } from 'vitest';
import { problemPlace, withoutMarks } from './problem-place.ts';

const raw = {
  targets: ['sqlite', { name: 'my-server', engine: 'postgres' }],
  factors: { method: ['bulk', 'x'] },
};

test.each([
  ['factors.method[1]', 'Factors › Method › level 2'],
  ['workload.rowsPerCall', 'Workload › Rows per call'],
  ['targets[1].port', 'Servers › my-server › Port'],
  ['targets[0]', 'Servers › sqlite'],
  ['measure.search.p99Ms', 'Measurement › Search › Limit of p99'],
  ['dataset.columns.customerId.type', 'Workload › Table › Columns › customerId › Type'],
  ['statements.look-up.text', 'Workload › Statements › look-up › Text'],
  ['question', 'Question'],
  ['', ''],
])('%s is %s', (path, place) => expect(problemPlace(path, raw)).toBe(place));

test('names stand in quotation marks', () => {
  expect(withoutMarks('Unknown key `opperation` in `workload`.')).toBe('Unknown key “opperation” in “workload”.');
});
