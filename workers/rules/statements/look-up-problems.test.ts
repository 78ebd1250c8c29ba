import { expect, test } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '../parsed-file.ts';

const engines = catalog.map(({ descriptor }) => descriptor);

/** Warnings of a look-up in a table of 1,000 rows. */
function warnings(where: string, parameter: string, more = ''): readonly string[] {
  const file = parseFile(`
dyno: 1
name: Look up
question: How fast is it?
dataset:
  rows: 1000
  key: id
  columns:
    id: { type: sequence }
    code: { type: code, pattern: '####' }
    token: { type: uuid4 }
workload: { operation: statement }
statements:
  find: { text: 'SELECT code FROM {table} WHERE ${where}', parameters: { p: ${parameter} }${more} }
targets: [sqlite, embedded-postgres]
`);
  expect(file.experiment).not.toBeNull();
  return planExperiment(file, { catalog: engines }).diagnostics.map(({ message }) => message);
}

test.each([
  [
    'code = :p',
    '{ type: integer, min: 1, max: 9999 }',
    /looks for `code` by `p`: the column holds texts, and the parameter has whole numbers/,
  ],
  ['id = :p', '{ type: code, pattern: "####" }', /the column holds whole numbers, and the parameter has texts/],
  ['token = :p', '{ type: uuid4 }', /random uuids are made anew for each call/],
  [
    'id = :p',
    '{ type: integer, min: 2000, max: 3000 }',
    /holds 1 to 1,000, and the parameter has 2,000 to 3,000\. No call finds a row\./,
  ],
  ['id = :p', '{ type: integer, min: 1, max: 1000000 }', /One call in 1,000 finds a row\./],
])('a look-up that finds no row is told before it runs: %s by %s', (where, parameter, words) => {
  expect(warnings(where, parameter)).toEqual([expect.stringMatching(words)]);
  expect(warnings(where, parameter, ', expectRows: { min: 0 }')).toEqual([]);
});

test.each([
  ['id = :p', '{ type: key }'],
  ['id = :p', '{ type: integer, min: 1, max: 2000 }'],
  ['code = :p', '{ type: code, pattern: "####" }'],
  ['id > :p', '{ type: integer, min: 2000, max: 3000 }'],
  ['code = :p OR id > 3', '{ type: integer }'],
])('look-ups that may find rows bring no warning: %s by %s', (where, parameter) => {
  expect(warnings(where, parameter)).toEqual([]);
});
