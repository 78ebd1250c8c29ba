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

const documents = (indexes: string): readonly string[] =>
  parseFile(`dyno: 1
name: t
question: Which?
dataset:
  rows: 10
  key: id
  columns:
    id: { type: sequence }
    amount: { type: integer, min: 1, max: 9 }
    words: { type: words }
    doc: { type: document, fields: { address: { type: object, fields: { city: { type: words } } } } }
  indexes: ${indexes}
workload: { operation: insert }
targets: [noop]
`).diagnostics.map(({ path, message }) => `${path}: ${message}`);

test('every option of an index is read', () => {
  const options = `[
    { columns: [amount, { column: id, order: desc }], include: [words], where: amount > 5, unique: true, name: by_amount },
    { columns: [{ column: doc, path: address.city }], visible: false },
    { columns: [{ expression: lower(words) }], kind: gist },
    { columns: [doc], kind: gin }, { columns: [doc], kind: wildcard }, { columns: [doc], kind: 2dsphere },
    { columns: [amount], kind: columnstore }, { columns: [amount], kind: bitmap },
    { columns: [words], include: [amount], kind: mapReduce } ]`;
  expect(documents(options)).toEqual([]);
});

test.each([
  ['[{ columns: [{ column: doc, path: address.town }] }]', 'have no field `address.town`'],
  ['[{ columns: [{ column: words, path: a }] }]', 'no column of documents'],
  ['[{ columns: [doc] }]', 'not of whole documents'],
  ['[{ columns: [amount], kind: gin }]', 'is of documents'],
  ['[{ columns: [amount], kind: gist }]', 'is of an expression'],
  ['[{ columns: [{ column: amount, order: desc }], kind: hash }]', 'has no order'],
  ['[{ columns: [amount], include: [amount] }]', 'has `amount` already'],
  ['[{ columns: [amount], include: [amout] }]', '`amout`, which is not a column'],
  ['[{ columns: [amount], include: [words], kind: mapReduce }]', 'sums numbers'],
  ['[{ columns: [{ expression: amount + 1 }], kind: columnstore }]', 'of whole columns'],
  ['[{ columns: [id], name: a }, { columns: [amount], name: a }]', 'Two indexes have the name'],
  ['[{ columns: [id], name: "a b" }]', 'lower-case name'],
])('%s is refused', (indexes, message) => {
  expect(documents(indexes).join('\n')).toContain(message);
});
