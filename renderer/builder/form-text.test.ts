import { expect, test } from 'vitest';
import { asFormText, fixText, problemPlace, withoutMarks } from './form-text.ts';

const raw = {
  targets: ['sqlite', { name: 'my-server', engine: 'postgres' }],
  factors: { method: ['bulk', 'x'] },
};

test.each([
  ['factors.method[1]', 'Factors › Method › level 2'],
  ['workload.rowsPerCall', 'Workload › Rows per call'],
  ['targets[1].port', 'Targets › my-server › Port'],
  ['targets[0]', 'Targets › sqlite'],
  ['goals.p99Ms', 'Measurement › Goals › Goal for p99'],
  ['dataset.columns.customerId.type', 'Workload › Table › Columns › customerId › Type'],
  ['statements.look-up.text', 'Workload › Statements › look-up › Text'],
  ['setup.orderTotals', 'Workload › Setup › orderTotals'],
  ['session.postgres.work_mem', 'Workload › Session › postgres › work_mem'],
  ['question', 'Question'],
  ['', ''],
])('%s is %s', (path, place) => expect(problemPlace(path, raw)).toBe(place));

test('names stand in quotation marks', () => {
  expect(withoutMarks('Unknown key `opperation` in `workload`.')).toBe('Unknown key “opperation” in “workload”.');
});

test('a message calls settings and places of the file as the form does, and leaves names alone', () => {
  expect(asFormText('`rowsPerCall` is varied by `my bundle` already.', raw)).toBe(
    '“Rows per call” is varied by “my bundle” already.',
  );
  expect(asFormText('`measure.until` does not say until when.', raw)).toBe(
    '“Measurement › A trial ends” does not say until when.',
  );
  expect(asFormText('There is no statement `look.up`, and no `targets`.', raw)).toBe(
    'There is no statement “look.up”, and no “targets”.',
  );
});

test('a fix says which field it changes', () => {
  expect(fixText({ kind: 'set', path: ['workload', 'rowsPerCall'], value: 10 }, raw)).toBe('Set “Rows per call” to 10');
  expect(fixText({ kind: 'set', path: ['measure', 'warmupRows'], value: undefined }, raw)).toBe(
    'Remove “Warm-up rows”',
  );
  expect(fixText({ kind: 'set', path: ['dataset'], value: {} }, raw)).toBe('Add “Table”');
  expect(fixText({ kind: 'rename', path: ['workload', 'opperation'], name: 'operation' }, raw)).toBe(
    'Rename “opperation” to “operation”',
  );
});
