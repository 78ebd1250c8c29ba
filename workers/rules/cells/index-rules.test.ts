import { expect, test } from 'vitest';
import { descriptor } from '#engines/noop/descriptor.ts';
import { indexTextFor } from '#model/dataset/indexes.ts';
import { parseFile } from '../parsed-file.ts';
import { indexTextProblems } from './index-rules.ts';

const problems = (indexes: string): readonly string[] => {
  const { experiment } = parseFile(`dyno: 1
name: t
question: Which?
dataset:
  rows: 10
  key: id
  columns: { id: { type: sequence } }
  indexes: ${indexes}
workload: { operation: insert }
targets: [noop]
`);
  return [...indexTextProblems(experiment!, [descriptor])].map(({ path, message }) => `${path.join('.')}: ${message}`);
};

test('texts of indexes are for engines that exist, and default is for all others', () => {
  expect(problems('[{ columns: [id], where: { noop: id > 5, default: id > 6 } }]')).toEqual([]);
  expect(problems('[{ columns: [id], where: { default: id > 5, nop: id > 6 } }]')).toEqual([
    'dataset.indexes.0.where.nop: There is no engine `nop`.',
  ]);
  expect(problems('[{ columns: [{ expression: { noop: lower(id), other: x } }] }]')).toEqual([
    'dataset.indexes.0.columns.0.expression.other: There is no engine `other`.',
  ]);
});

test('an engine without a text of its own has the default', () => {
  expect(indexTextFor({ noop: 'a', default: 'b' }, 'noop')).toBe('a');
  expect(indexTextFor({ noop: 'a', default: 'b' }, 'sqlite')).toBe('b');
  expect(indexTextFor({ noop: 'a' }, 'sqlite')).toBeNull();
});
